/// A reference to a record in `Slots`, valid until the record is removed; then the number is used
/// again.
struct Slot<Record>: Hashable, Sendable {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }
}

/// Records in pages of an array, found by number. Ids are looked up in a table once, where an event
/// enters; inside the arbiter, records refer to each other by slot. Thus a look-up is an index,
/// order never depends on a hash, and two arbiters that received the same events are equal to the
/// last bit.
///
/// The place of a removed record keeps its content until the place is used again: that costs
/// nothing, and is the same in every replay.
struct Slots<Record: Equatable & Sendable>: Equatable, Sendable {
    private struct Place: Equatable, Sendable {
        var record: Record
        var isUsed = true

        /// Compares records that are used: a removed record does not count, and is not stored.
        static func == (left: Place, right: Place) -> Bool {
            left.isUsed == right.isUsed && (!left.isUsed || left.record == right.record)
        }
    }

    private var places = PagedArray<Place>()
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

    mutating func removeAll(pausing pause: () -> Void) {
        places.removeAll(pausing: pause)
        free = []
    }

    func contains(_ slot: Slot<Record>) -> Bool {
        places[Int(slot.number)].isUsed
    }

    /// Returns whether a slot from any source refers to a place, used or not.
    func hasPlace(_ slot: Slot<Record>) -> Bool {
        places.indices.contains(Int(slot.number))
    }

    /// The slots of all records that are used, by number.
    var all: [Slot<Record>] {
        places.indices.filter { places[$0].isUsed }.map { Slot(Int32($0)) }
    }
}

/// A list of records in the order in which they were appended. A chain holds only its ends; the
/// links in between are in `ChainLinks`, shared by all lists of one kind, as a record is in at most
/// one of them.
struct Chain<Record>: Equatable, Sendable {
    fileprivate(set) var first: Slot<Record>?
    fileprivate(set) var last: Slot<Record>?
    fileprivate(set) var count = 0
}

struct ChainLinks<Record>: Sendable {
    fileprivate struct Link: Equatable, Sendable {
        var previous: Slot<Record>?
        var next: Slot<Record>?
    }

    private var links = PagedArray<Link>()

    mutating func append(_ slot: Slot<Record>, to chain: inout Chain<Record>) {
        reserve(slot)
        links[Int(slot.number)] = Link(previous: chain.last, next: nil)
        if let last = chain.last {
            links[Int(last.number)].next = slot
        } else {
            chain.first = slot
        }
        chain.last = slot
        chain.count += 1
    }

    private mutating func reserve(_ slot: Slot<Record>) {
        while links.count <= Int(slot.number) { links.append(Link()) }
    }

    /// Inserts a record before another one of a list; at the end if that is nil.
    mutating func insert(
        _ slot: Slot<Record>, before next: Slot<Record>?, in chain: inout Chain<Record>
    ) {
        guard let next else { return append(slot, to: &chain) }
        reserve(slot)
        let previous = links[Int(next.number)].previous
        links[Int(slot.number)] = Link(previous: previous, next: next)
        links[Int(next.number)].previous = slot
        if let previous {
            links[Int(previous.number)].next = slot
        } else {
            chain.first = slot
        }
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

    /// Returns the oldest records of a list, `count` of them at most.
    func prefix(_ count: Int, of chain: Chain<Record>) -> [Slot<Record>] {
        Array(elements(of: chain).prefix(count))
    }

    /// Returns the records of a list, oldest first.
    func elements(of chain: Chain<Record>) -> Elements {
        Elements(links: links, ahead: chain.first)
    }

    /// The records of a list when the iteration began, without allocation. A change of lists during
    /// the iteration copies a page of links; an array of the records avoids that.
    struct Elements: Sequence, IteratorProtocol {
        fileprivate let links: PagedArray<Link>
        fileprivate var ahead: Slot<Record>?

        mutating func next() -> Slot<Record>? {
            guard let slot = ahead else { return nil }
            ahead = links[Int(slot.number)].next
            return slot
        }
    }
}

extension ChainLinks: Equatable {
    /// Returns whether all lists are the same. Places at the end that are in no list do not matter.
    static func == (left: ChainLinks, right: ChainLinks) -> Bool {
        (0..<max(left.links.count, right.links.count)).allSatisfy {
            left.link(at: $0) == right.link(at: $0)
        }
    }

    private func link(at number: Int) -> Link {
        number < links.count ? links[number] : Link()
    }
}

// MARK: - Stored

extension Slot: Storable {
    package func store(in writer: inout StateWriter) {
        writer.put(number: UInt64(UInt32(bitPattern: number)))
    }

    package init(from reader: inout StateReader) throws(StateError) {
        let number = try reader.takeNumber()
        guard number <= Int32.max else { throw reader.unexpected(number, expected: "a slot") }
        self.init(Int32(number))
    }
}

/// Stores the places as well, as they decide which is used next, and thus the order of records.
extension Slots: Storable where Record: Storable {
    /// The bytes for the record of a free place, whose content does not matter; enough for any
    /// record.
    private static var blankBytes: [UInt8] { Array(repeating: 0, count: 1_024) }

    func store(in writer: inout StateWriter) {
        writer.write(free.map { Slot<Record>($0) })
        writer.put(number: UInt64(count))
        places.forEachPage { page in
            for place in page where place.isUsed {
                writer.write(place.record)
                writer.handOver()
            }
        }
    }

    init(from reader: inout StateReader) throws(StateError) {
        free = (try reader.read() as [Slot<Record>]).map(\.number)
        let count = free.count + (try reader.takeCount("the records"))
        var blanks = StateReader(Self.blankBytes[...])
        let blank = Place(record: try Record(from: &blanks), isUsed: false)
        var ahead = free.sorted().makeIterator()
        var nextFree = ahead.next()
        while places.count < count {
            if nextFree == Int32(places.count) {
                places.append(blank)
                nextFree = ahead.next()
            } else {
                places.append(Place(record: try Record(from: &reader)))
            }
        }
        guard nextFree == nil else { throw .inconsistent("a free place is none") }
    }
}

extension Chain: Storable {
    package func store(in writer: inout StateWriter) {
        writer.put(number: UInt64(count))
        if let first { writer.write(first) }
        if count > 1, let last { writer.write(last) }
    }

    package init(from reader: inout StateReader) throws(StateError) {
        let number = try reader.takeNumber()
        guard number <= Int32.max else { throw reader.unexpected(number, expected: "a length") }
        count = Int(number)
        guard count > 0 else { return }
        first = try Slot(from: &reader)
        last = count > 1 ? try Slot(from: &reader) : first
    }
}

/// Stores the forward links only, each as the distance to the next place: mostly a byte.
extension ChainLinks: Storable {
    package func store(in writer: inout StateWriter) {
        writer.put(number: UInt64(links.count))
        var number: Int64 = 0
        links.forEach { link in
            // No record follows itself, so that 0 stands for no link.
            writer.put(signed: link.next.map { Int64($0.number) - number } ?? 0)
            writer.handOver()
            number += 1
        }
    }

    package init(from reader: inout StateReader) throws(StateError) {
        let count = try reader.takeCount("the links")
        links = PagedArray(repeating: Link(), count: count)
        for number in 0..<count {
            let step = try reader.takeSigned()
            guard step != 0 else { continue }
            let (next, isFar) = Int64(number).addingReportingOverflow(step)
            guard !isFar, 0..<Int64(count) ~= next, links[Int(next)].previous == nil else {
                throw reader.unexpected(
                    UInt64(bitPattern: step), expected: "the way to the next of a list")
            }
            links[number].next = Slot(Int32(next))
            links[Int(next)].previous = Slot(Int32(number))
        }
    }

    /// Returns the records of a list, oldest first; nil if the links do not lead from the first to
    /// the last record in as many steps as the list counts. The walk always ends: no link leads to
    /// a first record, and no two links lead to the same record.
    func walk(_ chain: Chain<Record>) -> [Slot<Record>]? {
        var walked: [Slot<Record>] = []
        var (previous, next) = (Slot<Record>?.none, chain.first)
        while let slot = next {
            guard links.indices.contains(Int(slot.number)),
                links[Int(slot.number)].previous == previous
            else { return nil }
            walked.append(slot)
            previous = slot
            next = links[Int(slot.number)].next
        }
        return walked.count == chain.count && previous == chain.last ? walked : nil
    }
}
