import CallArbitration
import CallModel
import TestSupport
import Testing

@testable import CallTranscript

struct RoundTripTests {
    private let reader = TranscriptReader()

    /// Reads what was written, and says whether writing it again gives the same text.
    private func reread(_ writer: TranscriptWriter) throws -> TranscriptReader.Line {
        let line = try reader.line(String(writer.text.dropLast()))
        var again = TranscriptWriter()
        switch line {
        case .event(let event, let now): again.write(event, at: now)
        case .effect(let effect): again.write(effect)
        case .call(let call): again.write(call)
        case .host(let host): again.write(host)
        case .text: break
        }
        #expect(again.text == writer.text)
        #expect(writer.text.utf8.filter { $0 == 0x0A }.count == 1)
        return line
    }

    @Test(arguments: 1...200) func `every event comes back as it was`(seed: UInt64) throws {
        var values = RandomValues(seed: seed)
        for kind in EventKind.allCases {
            let (event, now) = (values.event(kind), values.instant())
            #expect(event.kind == kind)
            var writer = TranscriptWriter()
            writer.write(event, at: now)
            #expect(try reread(writer) == .event(event, at: now), "\(writer.text)")
        }
    }

    @Test(arguments: 1...200) func `every effect comes back as it was`(seed: UInt64) throws {
        var values = RandomValues(seed: seed)
        var effects = EffectKind.allCases.map { values.effect($0) }
        #expect(effects.map(\.kind) == EffectKind.allCases)
        let announcements = AnnouncementKind.allCases.map { values.announcement($0) }
        #expect(announcements.map(\.kind) == AnnouncementKind.allCases)
        effects += announcements.map { .announce($0) }
        for effect in effects {
            var writer = TranscriptWriter()
            writer.write(effect)
            #expect(try reread(writer) == .effect(effect), "\(writer.text)")
        }
    }

    @Test(arguments: 1...200) func `every state comes back as it was`(seed: UInt64) throws {
        var values = RandomValues(seed: seed)
        for _ in 0..<10 {
            let (call, host) = (values.view(), values.host())
            var writer = TranscriptWriter()
            writer.write(call)
            #expect(try reread(writer) == .call(call), "\(writer.text)")
            writer.removeAll()
            writer.write(host)
            #expect(try reread(writer) == .host(host), "\(writer.text)")
        }
    }

    @Test func `ids of another lineage keep their bits`() throws {
        let lineage: UInt64 = 0xABCD_0000_0000_0123
        let made = CallID(UUIDBits(lineage: lineage, counter: 3))
        for (lineage, word) in [(lineage, "b3"), (1, made.description)] {
            var writer = TranscriptWriter(lineage: lineage)
            writer.write(.screen(made))
            #expect(writer.text == "< screen call=\(word)\n")
            let line = try TranscriptReader(lineage: lineage).line(String(writer.text.dropLast()))
            #expect(line == .effect(.screen(made)))
        }
    }
}

/// The random values above prove little about what they never contain.
struct RandomValuesTests {
    /// Each stored property of the values takes more than one value, so one that is added here and
    /// forgotten in the random values, or in the text, is noticed.
    private func expectVariety<Value>(
        _ make: (inout RandomValues) -> Value, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var seen: [String: Set<String>] = [:]
        for seed in 1...200 {
            var values = RandomValues(seed: UInt64(seed))
            for child in Mirror(reflecting: make(&values)).children {
                seen[child.label ?? "?", default: []].insert("\(child.value)")
            }
        }
        #expect(!seen.isEmpty, sourceLocation: sourceLocation)
        for (label, values) in seen where values.count < 2 {
            Issue.record(
                "\(Value.self).\(label) is always \(values)", sourceLocation: sourceLocation)
        }
    }

    @Test func `the values vary in every property`() {
        expectVariety { $0.registration() }
        expectVariety { $0.configuration() }
        expectVariety { $0.liveCall() }
        expectVariety { $0.update() }
        expectVariety { $0.properties() }
        expectVariety { $0.incomingReport() }
        expectVariety { $0.missedReport() }
        expectVariety { $0.request() }
        expectVariety { $0.requestedAction() }
        expectVariety { $0.options() }
        expectVariety { $0.policy() }
        expectVariety { $0.limits() }
        expectVariety { $0.deadlines() }
        expectVariety { $0.dispatch() }
        expectVariety { $0.entry() }
        expectVariety { $0.report() }
        expectVariety { $0.refusal() }
        expectVariety { $0.cause() }
        expectVariety { $0.facts() }
        expectVariety { $0.host() }
        expectVariety { $0.historyEntry() }
        expectVariety { $0.decision() }
        expectVariety { $0.view() }
    }

    /// The values of the member `name` in many random lines.
    private static let words: [String: Set<String>] = {
        var words: [String: Set<String>] = [:]
        for seed in 1...1_000 {
            var values = RandomValues(seed: UInt64(seed))
            var writer = TranscriptWriter()
            for kind in EventKind.allCases { writer.write(values.event(kind), at: .zero) }
            for kind in EffectKind.allCases { writer.write(values.effect(kind)) }
            writer.write(values.view())
            for part in writer.text.split(whereSeparator: { " \n()".contains($0) }) {
                let pair = part.split(separator: "=", maxSplits: 1)
                guard pair.count == 2 else { continue }
                let list = pair[1].split(whereSeparator: { "[,]".contains($0) })
                words[String(pair[0]), default: []].formUnion(list.map { String($0) })
            }
        }
        return words
    }()

    private func expectAll<Word: TranscriptWord>(
        _: Word.Type, in name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let missing = Set(Word.allCases.map(\.rawValue)).subtracting(Self.words[name] ?? [])
        #expect(missing == [], "\(name)", sourceLocation: sourceLocation)
    }

    @Test func `the values hit every word of every vocabulary`() {
        expectAll(ActionKind.self, in: "kind")
        expectAll(ActionState.self, in: "state")
        expectAll(CallState.self, in: "state")
        expectAll(TransactionState.self, in: "state")
        expectAll(Anomaly.self, in: "id")
        expectAll(AnnouncementKind.self, in: "news")
        expectAll(Direction.self, in: "direction")
        expectAll(EndReason.self, in: "end_reason")
        expectAll(Origin.self, in: "origin")
        expectAll(PendingAction.self, in: "pending_action")
        expectAll(RefusalReason.self, in: "reason")
        expectAll(RemovalReason.self, in: "reason")
        expectAll(Rule.self, in: "rule")
        expectAll(Verb.self, in: "allowed")
        expectAll(Verdict.self, in: "verdict")
        expectAll(ButtonPress.self, in: "press")
        let missed = Set(MissedReasons(rawValue: .max).names)
        #expect(Self.words["missed_reasons"] == missed)
        #expect(Self.words["changed"] == Set(ChangedProperties(rawValue: .max).names))
        let timers = Set((Self.words["timer"] ?? []).map { $0.prefix { $0 != ":" } })
        #expect(timers.isSuperset(of: TimerKind.allCases.map { $0.rawValue[...] }))
    }

    /// Of these the default is left out.
    @Test func `the values hit every word that is no default`() {
        #expect(
            Self.words["priority"]?.isSuperset(of: ["background", "emergency_callback"]) == true)
        #expect(Self.words["style"] == ["soft_pause", "hard_pause"])
        #expect(
            Self.words["choice"]
                == ["hold_and_answer", "end_and_answer", "end_held_and_answer"])
        #expect(Self.words["on_conflict"] == ["end"] && Self.words["wait"] == ["completed"])
        #expect(Self.words["on_hold_failure"] == ["end"])
        #expect(Self.words["on_cannot_hold"] == ["end"] && Self.words["button_active"] == ["mute"])
        #expect(Self.words["app_process"] == ["separate"])
    }
}
