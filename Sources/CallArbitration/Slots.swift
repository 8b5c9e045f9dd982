/// Names a record in `Slots`. Valid until the record is removed; then its number is used again.
struct Slot<Record>: Hashable, Sendable {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }
}

/// Records in an array, found by number. A table of ids leads here once, at the edge; inside,
/// everything refers to everything by slot. So a look-up is an index, order never depends on a hash,
/// and two arbiters that saw the same events are equal to the last bit.
///
/// A removed record's place keeps what was in it until it is used again: that costs nothing, and is
/// the same in every replay.
struct Slots<Record: Equatable & Sendable>: Equatable, Sendable {
    private struct Place: Equatable, Sendable {
        var record: Record
        var isUsed = true
    }

    private var places: [Place] = []
    private var free: [Int32] = []

    var count: Int {
        places.count - free.count
    }

    subscript(slot: Slot<Record>) -> Record {
        _read {
            precondition(contains(slot), "a slot was used after its record was removed")
            yield places[Int(slot.number)].record
        }
        _modify {
            precondition(contains(slot), "a slot was used after its record was removed")
            yield &places[Int(slot.number)].record
        }
    }

    mutating func insert(_ record: consuming Record) -> Slot<Record> {
        if let number = free.popLast() {
            places[Int(number)] = Place(record: record)
            return Slot(number)
        }
        places.append(Place(record: record))
        return Slot(Int32(places.count - 1))
    }

    mutating func remove(_ slot: Slot<Record>) {
        precondition(contains(slot), "a record was removed twice")
        places[Int(slot.number)].isUsed = false
        free.append(slot.number)
    }

    func contains(_ slot: Slot<Record>) -> Bool {
        places[Int(slot.number)].isUsed
    }

    /// All records that are used, by number.
    var all: [Slot<Record>] {
        places.indices.filter { places[$0].isUsed }.map { Slot(Int32($0)) }
    }
}

/// A list of records in the order they were appended. It holds only its ends; the links in between
/// are in `ChainLinks`, shared by all lists of one kind, as a record is in one of them at most.
struct Chain<Record>: Equatable, Sendable {
    fileprivate(set) var first: Slot<Record>?
    fileprivate(set) var last: Slot<Record>?
    fileprivate(set) var count = 0
}

struct ChainLinks<Record>: Equatable, Sendable {
    fileprivate struct Link: Equatable, Sendable {
        var previous: Slot<Record>?
        var next: Slot<Record>?
    }

    private var links: [Link] = []

    mutating func append(_ slot: Slot<Record>, to chain: inout Chain<Record>) {
        while links.count <= Int(slot.number) { links.append(Link()) }
        links[Int(slot.number)] = Link(previous: chain.last, next: nil)
        if let last = chain.last {
            links[Int(last.number)].next = slot
        } else {
            chain.first = slot
        }
        chain.last = slot
        chain.count += 1
    }

    mutating func remove(_ slot: Slot<Record>, from chain: inout Chain<Record>) {
        let link = links[Int(slot.number)]
        if let previous = link.previous {
            links[Int(previous.number)].next = link.next
        } else {
            chain.first = link.next
        }
        if let next = link.next {
            links[Int(next.number)].previous = link.previous
        } else {
            chain.last = link.previous
        }
        links[Int(slot.number)] = Link()
        chain.count -= 1
    }

    func next(after slot: Slot<Record>) -> Slot<Record>? {
        links[Int(slot.number)].next
    }

    func previous(before slot: Slot<Record>) -> Slot<Record>? {
        links[Int(slot.number)].previous
    }

    /// The oldest records of a list, so many at most.
    func prefix(_ count: Int, of chain: Chain<Record>) -> [Slot<Record>] {
        Array(elements(of: chain).prefix(count))
    }

    /// The records of a list, oldest first.
    func elements(of chain: Chain<Record>) -> Elements {
        Elements(links: links, ahead: chain.first)
    }

    /// Walks a list as it was, without allocating. Whoever changes lists meanwhile pays for a copy
    /// of all links, so make an array of what is wanted first.
    struct Elements: Sequence, IteratorProtocol {
        fileprivate let links: [Link]
        fileprivate var ahead: Slot<Record>?

        mutating func next() -> Slot<Record>? {
            guard let slot = ahead else { return nil }
            ahead = links[Int(slot.number)].next
            return slot
        }
    }
}
