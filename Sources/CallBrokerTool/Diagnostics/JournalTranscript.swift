internal import CallArbitration
internal import CallJournal
internal import CallTranscript

/// A journal as a transcript: the arbiter's initial state, its events, and its decisions.
struct JournalTranscript {
    private var writer: TranscriptWriter
    private var arbiter: Arbiter
    private(set) var events = 0

    /// Reads the journal to its end, or to the first damaged frame.
    init(_ reader: inout JournalReader) {
        arbiter = reader.snapshot.arbiter
        writer = TranscriptWriter(lineage: arbiter.lineage)
        writer.write(comment: "Recorded by callbroker \(reader.snapshot.release).")
        writer.write(state: arbiter.stored())
        while let turn = reader.nextTurn() {
            for entry in turn.entries { add(entry) }
        }
        guard events > 0 else { return }
        for call in arbiter.visibleCalls { arbiter.view(of: call).map { writer.write($0) } }
        writer.write(HostState(facts: arbiter.hostFacts, audioGroup: arbiter.audioGroup))
    }

    var bytes: [UInt8] {
        writer.bytes
    }

    /// Adds an entry. Sessions and subscriptions are left out: they decide nothing.
    private mutating func add(_ entry: JournalEntry) {
        switch entry.matter {
        case .event(let event): add(event, entry)
        case .choices(let choices) where choices.policy != arbiter.policy:
            add(.policyChanged(choices.policy), entry)
        case .choices, .asked, .session, .topics, .stopping, .missed, .pluginPublished, .slept,
            .screeningCopy, .dialRefusedPublished, .hungPublished, .claimPublished, .dialled,
            .grants, .endpointsPublished, .endpointChosen, .participantsPublished,
            .textPublished, .screenPublished:
            break
        }
    }

    private mutating func add(_ event: ArbiterEvent, _ entry: JournalEntry) {
        events += 1
        writer.write(event, at: entry.at)
        for effect in arbiter.apply(event, at: entry.at) { writer.write(effect) }
    }
}
