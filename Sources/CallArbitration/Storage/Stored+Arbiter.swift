internal import CallModel

/// The whole state as bytes, and back. An arbiter that was read continues exactly as the stored one
/// would have: the two are equal, down to the places of their records.
///
/// **Not stored** are the parts that follow from the records: the tables of ids, the call that
/// rings, the list of groups that are owed a resume, and what an action repeats of its step. Nor
/// are the parts that are empty between two events: `lastEnd`, `output` and the actions that were
/// settled early.
extension Arbiter: Storable {
    package func store(in writer: inout StateWriter) {
        writer.finishFlags()
        defer { writer.finishFlags() }
        writer.write(StateWriter.formVersion, ids.lineage, policy, now, ids.counter)
        writer.write(calls.records, groups.records, providers.records)
        writer.write(actions.records, plans.records)
        writer.write(calls.list, calls.links, providers.callLinks, groups.memberLinks)
        writer.write(incoming.list, incoming.links)
        writer.write(groups.held, groups.heldLinks, groups.debtLinks)
        writer.write(live, audio?.group, audio?.name, reservation, plans.waitingForEnd)
        writer.write(incoming.screenedCount, calls.lastSerial, incoming.lastRingSerial)
        writer.write(emergencies, memory)
    }

    /// Reads a stored state. Throws an error for bytes that are no state, or in which a bit has
    /// changed so that the arbiter could not continue from them.
    package init(from reader: inout StateReader) throws(StateError) {
        reader.finishFlags()
        defer { reader.finishFlags() }
        let version: UInt64 = try reader.read()
        guard (1...StateWriter.formVersion).contains(version) else {
            throw .version(found: version, expected: StateWriter.formVersion)
        }
        reader.formVersion = version
        let lineage: UInt64 = try reader.read()
        self.init(policy: try reader.read(), lineage: lineage)
        now = try reader.read()
        ids = IDSource(lineage: lineage, counter: try reader.readSerial())
        try readState(from: &reader)
        emergencies = try reader.read()
        memory = try reader.read()
        if version < 5 { nameDebts() }
        if version < 6 { for action in actions.all { actions[action].askedAt = now } }
        guard calls.hasUniqueIDs, providers.hasUniqueIDs, actions.hasUniqueIDs else {
            throw .inconsistent("two records have the same id")
        }
        try validate()
        restoreDerivedState()
        if let broken = brokenInvariants().first { throw .inconsistent(broken) }
    }

    /// Frees what takes long to free, little by little. The arbiter is of no use afterwards.
    ///
    /// - Parameter pause: Called again and again, so that a thread can let others run.
    package mutating func free(pausing pause: () -> Void) {
        calls.freeRecords(pausing: pause)
        groups.freeRecords(pausing: pause)
    }

    package func stored() -> [UInt8] {
        var writer = StateWriter()
        writer.write(self)
        return writer.bytes
    }

    /// Reads a stored state that ends with the bytes.
    package init(stored bytes: ArraySlice<UInt8>) throws(StateError) {
        var reader = StateReader(bytes)
        try self.init(from: &reader)
        try reader.finish()
    }

    /// Reads the tables. They are stored record by record, then list by list, then the rest.
    private mutating func readState(from reader: inout StateReader) throws(StateError) {
        let (callRecords, groupRecords): (Slots<CallRecord>, Slots<GroupRecord>) =
            (try reader.read(), try reader.read())
        let providerRecords: Slots<ProviderRecord> = try reader.read()
        actions = ActionTable(records: try reader.read())
        let planRecords: Slots<PlanRecord> = try reader.read()
        let (callList, callLinks): (Chain<CallRecord>, ChainLinks<CallRecord>) =
            (try reader.read(), try reader.read())
        providers = ProviderTable(records: providerRecords, callLinks: try reader.read())
        let memberLinks: ChainLinks<CallRecord> = try reader.read()
        let (incomingList, incomingLinks): (Chain<CallRecord>, ChainLinks<CallRecord>) =
            (try reader.read(), try reader.read())
        groups = GroupTable(
            records: groupRecords, memberLinks: memberLinks, held: try reader.read(),
            heldLinks: try reader.read(), debtLinks: try reader.read())
        live = try reader.read()
        audio = try Self.readAudio(from: &reader)
        reservation = try reader.read()
        plans = PlanTable(records: planRecords, waitingForEnd: try reader.read())
        let screenedCount = try reader.readTally()
        calls = CallTable(
            records: callRecords, list: callList, links: callLinks,
            lastSerial: try reader.readSerial())
        incoming = IncomingQueue(
            list: incomingList, links: incomingLinks, screenedCount: screenedCount,
            lastRingSerial: try reader.readSerial())
    }

    private static func readAudio(
        from reader: inout StateReader
    ) throws(StateError) -> AudioHolder? {
        let group: Slot<GroupRecord>? = try reader.read()
        let name: CallID? = try reader.read()
        guard (group == nil) == (name == nil) else {
            throw .inconsistent("the audio belongs to a group without a name")
        }
        guard let group, let name else { return nil }
        return AudioHolder(group: group, name: name)
    }

    /// Names the debts of a state before version 5, in which a debt ended with its call and had no
    /// name.
    private mutating func nameDebts() {
        for group in groups.all {
            guard let call = groups[group].heldFor, calls.records.hasPlace(call),
                calls.contains(call)
            else { continue }
            groups[group].heldBecauseOf = calls[call].id
        }
    }
}
