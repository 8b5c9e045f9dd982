internal import CallModel

/// All calls, found by slot or by id, and listed in the order of their arrival.
struct CallTable: Equatable, Sendable {
    private(set) var records = Slots<CallRecord>()
    private(set) var list = Chain<CallRecord>()
    private(set) var links = ChainLinks<CallRecord>()
    private(set) var lastSerial: UInt64 = 0
    private var slots = IDTable<CallID, Slot<CallRecord>>()
    /// The number of calls that are live on another device. It follows from the records.
    var externals = 0

    init() {}

    var count: Int {
        records.count
    }

    /// The number of calls on this host.
    var own: Int {
        count - externals
    }

    /// All slots that are used, by number.
    var all: [Slot<CallRecord>] {
        records.all
    }

    /// The calls in the order of their arrival, oldest first.
    var inOrder: ChainLinks<CallRecord>.Elements {
        links.elements(of: list)
    }

    subscript(call: Slot<CallRecord>) -> CallRecord {
        @inline(__always) _read { yield records[call] }
        @inline(__always) _modify { yield &records[call] }
    }

    @inline(__always)
    func slot(of id: CallID) -> Slot<CallRecord>? {
        slots[id]
    }

    @inline(__always)
    func contains(_ call: Slot<CallRecord>) -> Bool {
        records.contains(call)
    }

    /// Inserts a call behind all others.
    mutating func insert(_ record: consuming CallRecord) -> Slot<CallRecord> {
        let id = record.id
        let call = records.insert(record)
        slots[id] = call
        links.append(call, to: &list)
        return call
    }

    mutating func remove(_ call: Slot<CallRecord>) {
        links.remove(call, from: &list)
        slots[records[call].id] = nil
        records.remove(call)
    }

    mutating func freeRecords(pausing pause: () -> Void) {
        records.removeAll(pausing: pause)
    }

    /// Returns the number of the next call in the order of arrival.
    mutating func nextSerial() -> UInt64 {
        lastSerial += 1
        return lastSerial
    }
}

// MARK: - Stored

extension CallTable {
    init(
        records: Slots<CallRecord>, list: Chain<CallRecord>, links: ChainLinks<CallRecord>,
        lastSerial: UInt64
    ) {
        self.records = records
        self.list = list
        self.links = links
        self.lastSerial = lastSerial
        for call in records.all { slots[records[call].id] = call }
    }

    var hasUniqueIDs: Bool {
        slots.count == records.count
    }
}
