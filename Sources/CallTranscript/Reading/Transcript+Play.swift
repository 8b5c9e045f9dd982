public import CallArbitration

/// Replay of events.
extension Transcript {
    /// Returns the transcript with the decisions of the present arbiter: each event is followed by
    /// all of its effects, and each section by every call and the host. Comments and events are
    /// kept. Read the file with `whatAuthorsWrote` if its effects may be out of date.
    ///
    /// Each section has an arbiter of its own, which first processes the events of the section
    /// `setup`, if there is one.
    public func played(policy: ArbitrationPolicy = ArbitrationPolicy(), lineage: UInt64 = 1)
        throws(TranscriptError) -> Transcript
    {
        var beginning = Player(arbiter: Arbiter(policy: policy, lineage: lineage), lineage: lineage)
        for section in sections where section.isSetup {
            _ = try beginning.play(section.lines)
        }
        var transcript = self
        for index in sections.indices {
            var lines = sections[index].lines
            lines.removeAll { $0.isResult }
            if !sections[index].isSetup, lines.contains(where: { $0.isEvent }) {
                var player = beginning
                lines = try player.play(lines)
                player.appendState(to: &lines)
            }
            transcript.sections[index].lines = lines
        }
        return transcript
    }

    /// An arbiter and its author's draft; a value, so that each section begins with a copy.
    struct Player {
        var arbiter: Arbiter
        let lineage: UInt64
        var draft = TranscriptDraft()

        /// Returns the lines, with each event followed by its effects.
        mutating func play(_ lines: [Line]) throws(TranscriptError) -> [Line] {
            var played: [Line] = []
            for line in lines where !line.isResult {
                played.append(line)
                if case .state(let bytes) = line { arbiter = try Self.arbiter(of: bytes) }
                guard case .event(let event) = line else { continue }
                for effect in try step(event).effects { played.append(.effect(effect)) }
            }
            return played
        }

        static func arbiter(of bytes: [UInt8]) throws(TranscriptError) -> Arbiter {
            do throws(StateError) { return try Arbiter(stored: bytes[...]) } catch {
                throw TranscriptError(
                    line: 0, column: 1, expected: "a stored arbiter", found: "\(error)")
            }
        }

        mutating func step(_ line: EventLine) throws(TranscriptError) -> Step {
            let bytes = Array(line.text.utf8)
            let source = TranscriptSource(
                bytes, bytes.indices, number: line.number, lineage: lineage, draft: draft)
            let (event, now) = try source.event()
            let effects = arbiter.apply(event, at: now)
            draft.now = now
            draft.lastToken = max(draft.lastToken, event.token?.number ?? 0)
            draft.observe(effects)
            return Step(
                event: event, now: now, effects: effects, arbiter: arbiter, line: line.number)
        }

        /// Inserts the visible state before the empty lines at the end of the section.
        func appendState(to lines: inout [Line]) {
            let end = lines.lastIndex { $0 != .blank }.map { $0 + 1 } ?? 0
            var state = arbiter.visibleCalls.compactMap { arbiter.view(of: $0).map(Line.call) }
            state.append(
                .host(HostState(facts: arbiter.hostFacts, audioGroup: arbiter.audioGroup)))
            lines.insert(contentsOf: state, at: end)
        }
    }
}

extension Transcript.Section {
    var isSetup: Bool {
        title == Self.setup
    }
}

extension Transcript.Line {
    /// Indicates a line that an arbiter produced, not an author.
    fileprivate var isResult: Bool {
        switch self {
        case .effect, .call, .host: true
        case .state, .event, .comment, .blank: false
        }
    }

    fileprivate var isEvent: Bool {
        switch self {
        case .event: true
        case .state, .effect, .call, .host, .comment, .blank: false
        }
    }
}
