/// All plans under way, and those of them that wait for the end of the live group (rule 10a).
struct PlanTable: Equatable, Sendable {
    private(set) var records = Slots<PlanRecord>()
    private(set) var waitingForEnd: [Slot<PlanRecord>] = []

    init() {}

    var count: Int {
        records.count
    }

    /// All slots that are used, by number.
    var all: [Slot<PlanRecord>] {
        records.all
    }

    subscript(plan: Slot<PlanRecord>) -> PlanRecord {
        @inline(__always) _read { yield records[plan] }
        @inline(__always) _modify { yield &records[plan] }
    }

    @inline(__always)
    func contains(_ plan: Slot<PlanRecord>) -> Bool {
        records.contains(plan)
    }

    mutating func insert(_ record: consuming PlanRecord) -> Slot<PlanRecord> {
        records.insert(record)
    }

    mutating func remove(_ plan: Slot<PlanRecord>) {
        records.remove(plan)
    }

    // MARK: - Waiting for an end

    mutating func appendWaiting(_ plan: Slot<PlanRecord>) {
        waitingForEnd.append(plan)
    }

    mutating func removeWaiting(_ plan: Slot<PlanRecord>) {
        if !waitingForEnd.isEmpty { waitingForEnd.removeAll { $0 == plan } }
    }

    mutating func popFirstWaiting() -> Slot<PlanRecord>? {
        waitingForEnd.isEmpty ? nil : waitingForEnd.removeFirst()
    }
}

// MARK: - Stored

extension PlanTable {
    init(records: Slots<PlanRecord>, waitingForEnd: [Slot<PlanRecord>]) {
        self.records = records
        self.waitingForEnd = waitingForEnd
    }
}
