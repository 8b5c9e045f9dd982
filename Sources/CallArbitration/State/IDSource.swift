internal import CallModel

/// The source of the ids of plans and actions: half of an id is the lineage, the other half a
/// counter.
struct IDSource: Equatable, Sendable {
    let lineage: UInt64
    private(set) var counter: UInt64

    init(lineage: UInt64, counter: UInt64 = 0) {
        self.lineage = lineage
        self.counter = counter
    }

    mutating func next() -> UUIDBits {
        counter += 1
        return UUIDBits(lineage: lineage, counter: counter)
    }
}
