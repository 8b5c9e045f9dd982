internal import CallModel

/// An id of 128 bits, which is chosen by a client or made by the arbiter.
protocol BitsID: Equatable, Sendable {
    var bits: UUIDBits { get }
}

extension CallID: BitsID {}
extension ActionID: BitsID {}

/// A table of ids that does what a dictionary does, at a fifth of the cost. Every event looks up
/// several ids, and the hashing of a dictionary took a seventh of the time of an event; among
/// 100,000 calls a dictionary also reads three distant places in memory, where this table reads
/// one.
///
/// The table is one array of places in pages, at least a third of them free. An id is in the place
/// that its hash selects or, if that was occupied, in the next free one. The entries cannot be
/// enumerated, so that no order depends on the hash.
struct IDTable<ID: BitsID, Value: Equatable & Sendable>: Sendable {
    private struct Entry: Sendable {
        let id: ID
        var value: Value
    }

    private static var placesFirst: Int { 16 }

    /// The places, whose number is a power of two, or 0.
    private var places = PagedArray<Entry?>()
    private(set) var count = 0

    subscript(id: ID) -> Value? {
        get {
            guard count > 0 else { return nil }
            return places[place(of: id)]?.value
        }
        set {
            if let newValue {
                set(newValue, for: id)
            } else if count > 0 {
                empty(place(of: id))
            }
        }
    }

    /// Returns the place of an id, or the place where the id would be inserted.
    private func place(of id: ID) -> Int {
        var place = firstChoice(of: id)
        while let entry = places[place], entry.id != id { place = next(after: place) }
        return place
    }

    private func firstChoice(of id: ID) -> Int {
        IDHash.shared.of(id.bits) & (places.count - 1)
    }

    private func next(after place: Int) -> Int {
        (place + 1) & (places.count - 1)
    }

    private mutating func set(_ value: Value, for id: ID) {
        if (count + 1) * 3 > places.count * 2 { grow() }
        let place = place(of: id)
        if places[place] == nil { count += 1 }
        places[place] = Entry(id: id, value: value)
    }

    private mutating func grow() {
        let former = places
        places = PagedArray(repeating: nil, count: max(Self.placesFirst, former.count * 2))
        former.forEach { entry in
            if let entry { places[place(of: entry.id)] = entry }
        }
    }

    /// Empties a place. The entries behind it move up, so that a search may still end at the first
    /// free place.
    private mutating func empty(_ place: Int) {
        guard places[place] != nil else { return }
        count -= 1
        var free = place
        var other = next(after: place)
        while let entry = places[other] {
            let wanted = firstChoice(of: entry.id)
            if steps(from: wanted, to: other) >= steps(from: free, to: other) {
                places[free] = entry
                free = other
            }
            other = next(after: other)
        }
        places[free] = nil
    }

    private func steps(from place: Int, to other: Int) -> Int {
        (other - place) & (places.count - 1)
    }
}

extension IDTable: Equatable {
    /// Returns whether two tables hold the same ids with the same values, in whatever places.
    static func == (left: IDTable, right: IDTable) -> Bool {
        left.count == right.count
            && left.places.indices.allSatisfy { place in
                left.places[place].map { right[$0.id] == $0.value } ?? true
            }
    }
}
