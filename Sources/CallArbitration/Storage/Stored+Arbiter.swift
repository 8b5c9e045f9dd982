internal import CallModel

/// The whole state as bytes, and back. An arbiter that was read goes on exactly as the one that was
/// stored would have: it is equal to it, down to the places of its records.
///
/// **What is not stored**: the tables of ids, which lead to the records and are made from them, who
/// rings, and what is empty between two events: `earlySettled`, `untold`, `told`, `lastEnd` and `effects`.
extension Arbiter: Storable {
    package func store(in writer: inout StateWriter) {
        writer.finishFlags()
        defer { writer.finishFlags() }
        writer.write(StateWriter.formVersion, lineage, policy, now, idCounter)
        writer.write(calls, groups, providers, actions, plans)
        writer.write(allCalls, allLinks, providerLinks, memberLinks)
        writer.write(incoming, incomingLinks, held, heldLinks, reasonLinks)
        writer.write(live, audio, audioName, reservation, waitingForEnd)
        writer.write(screened, callSerial, ringSerial, emergencies, nearEmergency)
        writer.write(endedCalls, abandoned, facts)
    }

    /// The state that was stored. Bytes that are none, or of which a bit has changed so that it
    /// could not be gone on from, are a fault.
    package init(from reader: inout StateReader) throws(StateFault) {
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
        idCounter = try reader.readSerial()
        try readRecords(from: &reader)
        try readLists(from: &reader)
        try readStanding(from: &reader)
        if version < 5 { nameDebts() }
        if version < 6 { for action in actions.all { actions[action].askedAt = now } }
        try findByID()
        try checkWhole()
        ringing = incomingLinks.elements(of: incoming).first { calls[$0].state == .ringing }
        if let broken = brokenInvariants().first { throw .notWhole(broken) }
    }

    package func stored() -> [UInt8] {
        var writer = StateWriter()
        writer.write(self)
        return writer.bytes
    }

    /// A stored state, and nothing behind it.
    package init(stored bytes: ArraySlice<UInt8>) throws(StateFault) {
        var reader = StateReader(bytes)
        try self.init(from: &reader)
        try reader.finish()
    }

    private mutating func readRecords(from reader: inout StateReader) throws(StateFault) {
        calls = try reader.read()
        groups = try reader.read()
        providers = try reader.read()
        actions = try reader.read()
        plans = try reader.read()
    }

    /// Before version 5 a debt went with its call, and had no name of its own.
    private mutating func nameDebts() {
        for group in groups.all {
            guard let call = groups[group].heldFor, calls.hasPlace(call), calls.contains(call)
            else { continue }
            groups[group].heldBecauseOf = calls[call].id
        }
    }

    private mutating func readLists(from reader: inout StateReader) throws(StateFault) {
        allCalls = try reader.read()
        allLinks = try reader.read()
        providerLinks = try reader.read()
        memberLinks = try reader.read()
        incoming = try reader.read()
        incomingLinks = try reader.read()
        held = try reader.read()
        heldLinks = try reader.read()
        reasonLinks = try reader.read()
    }

    /// How things stand, and what is remembered.
    private mutating func readStanding(from reader: inout StateReader) throws(StateFault) {
        live = try reader.read()
        audio = try reader.read()
        audioName = try reader.read()
        reservation = try reader.read()
        waitingForEnd = try reader.read()
        screened = try reader.readTally()
        callSerial = try reader.readSerial()
        ringSerial = try reader.readSerial()
        emergencies = try reader.read()
        nearEmergency = try reader.read()
        endedCalls = try reader.read()
        abandoned = try reader.read()
        facts = try reader.read()
    }

    private mutating func findByID() throws(StateFault) {
        for call in calls.all { callsByID[calls[call].id] = call }
        for provider in providers.all { providersByID[providers[provider].id] = provider }
        for action in actions.all { actionsByID[actions[action].id] = action }
        guard callsByID.count == calls.count, providersByID.count == providers.count,
            actionsByID.count == actions.count
        else { throw .notWhole("two records have the same id") }
    }
}
