/// The memory of calls and actions that are over, and of the facts that were announced last.
struct Memory: Equatable, Sendable {
    var endedCalls = EndedCalls()
    var abandonedActions = AbandonedActions()
    /// The facts of the host that were announced last.
    var announcedFacts = HostFacts()
}

// MARK: - Stored

extension Memory: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(endedCalls, abandonedActions, announcedFacts)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        endedCalls = try reader.read()
        abandonedActions = try reader.read()
        announcedFacts = try reader.read()
    }
}
