internal import CallModel

/// All groups: their members, the list of held groups, and the lists of groups that are held for
/// the same call.
struct GroupTable: Equatable, Sendable {
    private(set) var records = Slots<GroupRecord>()
    private(set) var memberLinks = ChainLinks<CallRecord>()
    /// Held groups, the most recently held last.
    private(set) var held = Chain<GroupRecord>()
    private(set) var heldLinks = ChainLinks<GroupRecord>()
    private(set) var debtLinks = ChainLinks<GroupRecord>()
    /// Held groups that are owed a resume, in the order of `held`. The list is not stored, as it
    /// follows from the records.
    private var owed = Chain<GroupRecord>()
    private var owedLinks = ChainLinks<GroupRecord>()

    init() {}

    var count: Int {
        records.count
    }

    /// All slots that are used, by number.
    var all: [Slot<GroupRecord>] {
        records.all
    }

    subscript(group: Slot<GroupRecord>) -> GroupRecord {
        @inline(__always) _read { yield records[group] }
        @inline(__always) _modify { yield &records[group] }
    }

    @inline(__always)
    func contains(_ group: Slot<GroupRecord>) -> Bool {
        records.contains(group)
    }

    mutating func insert(_ record: consuming GroupRecord) -> Slot<GroupRecord> {
        records.insert(record)
    }

    mutating func remove(_ group: Slot<GroupRecord>) {
        records.remove(group)
    }

    mutating func freeRecords(pausing pause: () -> Void) {
        records.removeAll(pausing: pause)
    }

    // MARK: - Members

    /// Returns the calls of a group, oldest first.
    @inline(__always)
    func members(of group: Slot<GroupRecord>) -> ChainLinks<CallRecord>.Elements {
        memberLinks.elements(of: records[group].members)
    }

    func members(of group: Slot<GroupRecord>, most: Int) -> [Slot<CallRecord>] {
        memberLinks.prefix(most, of: records[group].members)
    }

    mutating func append(_ call: Slot<CallRecord>, to group: Slot<GroupRecord>) {
        memberLinks.append(call, to: &records[group].members)
    }

    mutating func remove(_ call: Slot<CallRecord>, from group: Slot<GroupRecord>) {
        memberLinks.remove(call, from: &records[group].members)
    }

    // MARK: - Held groups

    var heldInOrder: ChainLinks<GroupRecord>.Elements {
        heldLinks.elements(of: held)
    }

    func held(most: Int) -> [Slot<GroupRecord>] {
        heldLinks.prefix(most, of: held)
    }

    mutating func setHeld(_ isHeld: Bool, _ group: Slot<GroupRecord>) {
        let wasOwed = isOwed(group)
        records[group].isInHeldChain = isHeld
        if isHeld {
            heldLinks.append(group, to: &held)
        } else {
            heldLinks.remove(group, from: &held)
        }
        updateOwed(group, wasOwed: wasOwed)
    }

    // MARK: - Debts

    /// The held groups that are owed a resume, the most recently held last.
    var owedInOrder: ChainLinks<GroupRecord>.Elements {
        owedLinks.elements(of: owed)
    }

    /// Sets the call that a group was held for, or nil if the group is not owed a resume.
    mutating func setHeldBecauseOf(_ call: CallID?, _ group: Slot<GroupRecord>) {
        let wasOwed = isOwed(group)
        records[group].heldBecauseOf = call
        updateOwed(group, wasOwed: wasOwed)
    }

    private func isOwed(_ group: Slot<GroupRecord>) -> Bool {
        records[group].isInHeldChain && records[group].heldBecauseOf != nil
    }

    private mutating func updateOwed(_ group: Slot<GroupRecord>, wasOwed: Bool) {
        guard isOwed(group) != wasOwed else { return }
        if wasOwed {
            owedLinks.remove(group, from: &owed)
        } else {
            owedLinks.insert(group, before: nextOwed(after: group), in: &owed)
        }
    }

    /// Returns the next held group that is owed a resume. In most cases `group` was just held, and
    /// is the last one.
    private func nextOwed(after group: Slot<GroupRecord>) -> Slot<GroupRecord>? {
        guard owed.last != nil else { return nil }
        var next = heldLinks.next(after: group)
        while let other = next, records[other].heldBecauseOf == nil {
            next = heldLinks.next(after: other)
        }
        return next
    }

    /// Returns the groups that are held for the same call.
    func debts(_ chain: Chain<GroupRecord>) -> ChainLinks<GroupRecord>.Elements {
        debtLinks.elements(of: chain)
    }

    mutating func appendDebt(_ group: Slot<GroupRecord>, to chain: inout Chain<GroupRecord>) {
        debtLinks.append(group, to: &chain)
    }

    mutating func removeDebt(_ group: Slot<GroupRecord>, from chain: inout Chain<GroupRecord>) {
        debtLinks.remove(group, from: &chain)
    }
}

// MARK: - Stored

extension GroupTable {
    init(
        records: Slots<GroupRecord>, memberLinks: ChainLinks<CallRecord>, held: Chain<GroupRecord>,
        heldLinks: ChainLinks<GroupRecord>, debtLinks: ChainLinks<GroupRecord>
    ) {
        self.records = records
        self.memberLinks = memberLinks
        self.held = held
        self.heldLinks = heldLinks
        self.debtLinks = debtLinks
    }

    /// Restores the list of owed groups. The other lists must have been validated.
    mutating func restoreOwed() {
        (owed, owedLinks) = (Chain(), ChainLinks())
        for group in heldInOrder where isOwed(group) { owedLinks.append(group, to: &owed) }
    }
}
