/// Incoming calls that are not answered, oldest first: at most one rings, the others wait.
struct IncomingQueue: Equatable, Sendable {
    private(set) var list = Chain<CallRecord>()
    private(set) var links = ChainLinks<CallRecord>()
    private(set) var lastRingSerial: UInt64 = 0
    /// The call that rings.
    var ringing: Slot<CallRecord>?
    /// The number of calls that a filter examines; they are not in the list yet.
    var screenedCount = 0

    init() {}

    var count: Int {
        list.count
    }

    var first: Slot<CallRecord>? {
        list.first
    }

    var inOrder: ChainLinks<CallRecord>.Elements {
        links.elements(of: list)
    }

    func prefix(_ count: Int) -> [Slot<CallRecord>] {
        links.prefix(count, of: list)
    }

    mutating func append(_ call: Slot<CallRecord>) {
        links.append(call, to: &list)
    }

    mutating func remove(_ call: Slot<CallRecord>) {
        if ringing == call { ringing = nil }
        links.remove(call, from: &list)
    }

    /// Returns the number of the next call that begins to ring, or to wait.
    mutating func nextRingSerial() -> UInt64 {
        lastRingSerial += 1
        return lastRingSerial
    }
}

// MARK: - Stored

extension IncomingQueue {
    init(
        list: Chain<CallRecord>, links: ChainLinks<CallRecord>, screenedCount: Int,
        lastRingSerial: UInt64
    ) {
        self.list = list
        self.links = links
        self.screenedCount = screenedCount
        self.lastRingSerial = lastRingSerial
    }
}
