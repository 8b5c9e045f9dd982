internal import CallModel

/// All actions that are still recorded, found by slot or by id.
struct ActionTable: Equatable, Sendable {
    private(set) var records = Slots<ActionRecord>()
    private var slots = IDTable<ActionID, Slot<ActionRecord>>()
    /// Actions that were settled before their turn, and whose turn has come; empty between two
    /// events.
    private var earlySettled: [ActionID] = []

    init() {}

    var count: Int {
        records.count
    }

    /// All slots that are used, by number.
    var all: [Slot<ActionRecord>] {
        records.all
    }

    subscript(action: Slot<ActionRecord>) -> ActionRecord {
        @inline(__always) _read { yield records[action] }
        @inline(__always) _modify { yield &records[action] }
    }

    @inline(__always)
    func slot(of id: ActionID) -> Slot<ActionRecord>? {
        slots[id]
    }

    mutating func insert(_ record: consuming ActionRecord) -> Slot<ActionRecord> {
        let id = record.id
        let action = records.insert(record)
        slots[id] = action
        return action
    }

    mutating func remove(_ action: Slot<ActionRecord>) {
        slots[records[action].id] = nil
        records.remove(action)
    }

    /// Records that the turn has come of an action that was settled before.
    mutating func appendEarlySettled(_ action: Slot<ActionRecord>) {
        earlySettled.append(records[action].id)
    }

    mutating func popEarlySettled() -> ActionID? {
        earlySettled.popLast()
    }
}

// MARK: - Stored

extension ActionTable {
    init(records: Slots<ActionRecord>) {
        self.records = records
        for action in records.all { slots[records[action].id] = action }
    }

    var hasUniqueIDs: Bool {
        slots.count == records.count
    }
}
