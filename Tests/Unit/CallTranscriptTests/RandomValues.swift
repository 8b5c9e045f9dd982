import CallArbitration
import CallModel
import TestSupport

@testable import CallTranscript

/// Any value of any type that a transcript can hold; small and odd ones more often than others.
struct RandomValues {
    var random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    // MARK: - Basics

    mutating func bool() -> Bool {
        random.chance(50)
    }

    mutating func optional<Value>(_ make: (inout RandomValues) -> Value) -> Value? {
        bool() ? make(&self) : nil
    }

    mutating func list<Value>(_ make: (inout RandomValues) -> Value) -> [Value] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in make(&self) }
    }

    mutating func word<Word: CaseIterable>(_: Word.Type = Word.self) -> Word {
        random.pick(Array(Word.allCases))
    }

    mutating func int() -> Int {
        random.pick([0, 1, 9, 10, 5_000, -1, -32_601, .max, .min])
    }

    mutating func string() -> String {
        let odd = [
            "", "null", "a", "org.example.a", "true", "12", "two words", "a:b", "%3A", "%:%", "(",
            "]",
            "a,b", "\"", "\\", "\\u0041", "=", "\n", "\r\n", "\u{0}", "\u{1F}", "\u{7F}", "\u{85}",
            "é", "e\u{301}", "日本", "👩‍👩‍👧", "\u{2028}", "\u{FFFD}", "\u{10FFFF}", "#", ">", " ", "a ",
        ]
        return bool() ? random.pick(odd) : list { $0.random.pick(odd) }.joined()
    }

    mutating func bits() -> UUIDBits {
        let low = random.pick([0, 1, 2, 3, 1 << 62, .max, random.next()])
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return UUIDBits(high: 0, low: low)
        case 1: return UUIDBits(lineage: 1, counter: low)
        case 2: return UUIDBits(lineage: 2, counter: low)
        case 3: return UUIDBits(high: UUIDBits(lineage: 1, counter: 0).high, low: low)
        default: return UUIDBits(high: random.next(), low: low)
        }
    }

    mutating func call() -> CallID { CallID(bits()) }
    mutating func action() -> ActionID { ActionID(bits()) }
    mutating func transaction() -> TransactionID { TransactionID(bits()) }
    mutating func provider() -> ProviderID { ProviderID(string()) }
    mutating func token() -> RequestToken { RequestToken(random.pick([0, 1, 10, .max])) }

    mutating func instant() -> Instant {
        Instant(
            nanoseconds: random.pick([
                0, 1, -1, 1_000_000, 1_500_000_250, 999_999, -999_999, 60_000_000_000, .max, .min,
            ]))
    }

    // MARK: - The model

    mutating func handleKind() -> Handle.Kind {
        random.pick([.phone, .email, .generic, .other("x-" + string())])
    }

    mutating func handle() -> Handle {
        Handle(kind: handleKind(), value: string())
    }

    mutating func change<Value>(_ make: (inout RandomValues) -> Value) -> Change<Value> {
        random.pick([.unchanged, .unchanged, .set(make(&self)), .cleared])
    }

    mutating func update() -> CallUpdate {
        var update = CallUpdate()
        update.remote = change { $0.handle() }
        update.displayName = change { $0.string() }
        update.hasVideo = change { $0.bool() }
        update.supportsHolding = change { $0.bool() }
        update.supportsGrouping = change { $0.bool() }
        update.supportsUngrouping = change { $0.bool() }
        update.supportsDTMF = change { $0.bool() }
        update.supportsTransfer = change { $0.bool() }
        update.supportsAttendedTransfer = change { $0.bool() }
        update.supportsDeflect = change { $0.bool() }
        update.isRemoteHeld = change { $0.bool() }
        update.hasEarlyMedia = change { $0.bool() }
        update.priority = change { $0.word() }
        update.line = change { $0.string() }
        update.forwardedFrom = change { $0.handle() }
        update.verification = change { $0.word() }
        update.externalID = change { $0.string() }
        update.endpoints = change { $0.endpoints() }
        update.elsewhere = change { $0.string() }
        update.supportsPull = change { $0.bool() }
        update.video = change { $0.word() }
        update.supportsSetVideo = change { $0.bool() }
        update.videoRequest = change { $0.word() }
        update.hasText = change { $0.bool() }
        update.supportsSetText = change { $0.bool() }
        update.textRequest = change { $0.bool() }
        return update
    }

    mutating func properties() -> CallProperties {
        var properties = CallProperties()
        properties.remote = optional { $0.handle() }
        properties.displayName = optional { $0.string() }
        properties.hasVideo = bool()
        properties.supportsHolding = bool()
        properties.supportsGrouping = bool()
        properties.supportsUngrouping = bool()
        properties.supportsDTMF = bool()
        properties.supportsTransfer = bool()
        properties.supportsAttendedTransfer = bool()
        properties.supportsDeflect = bool()
        properties.isRemoteHeld = bool()
        properties.hasEarlyMedia = bool()
        properties.priority = word()
        properties.line = optional { $0.string() }
        properties.forwardedFrom = optional { $0.handle() }
        properties.verification = word()
        properties.externalID = optional { $0.string() }
        properties.endpoints = endpoints()
        properties.elsewhere = optional { $0.string() }
        properties.supportsPull = bool()
        properties.video = word()
        properties.supportsSetVideo = bool()
        properties.videoRequest = optional { $0.word() }
        properties.hasText = bool()
        properties.supportsSetText = bool()
        properties.textRequest = bool()
        return properties
    }

    mutating func endpoints() -> [AudioEndpoint] {
        (0..<Int.random(in: 0...2, using: &random)).map { _ in
            AudioEndpoint(
                id: string(), kind: AudioEndpoint.Kind(rawValue: string()),
                name: optional { $0.string() }, state: word())
        }
    }

    mutating func cause() -> Cause {
        Cause(
            word(), rule: optional { $0.word() }, transaction: optional { $0.transaction() },
            becauseOf: optional { $0.call() })
    }

    mutating func callAction() -> CallAction {
        let kind: ActionKind = word()
        switch kind {
        case .start:
            return .start(
                StartArguments(
                    remote: handle(), hasVideo: bool(), hasText: bool(),
                    contact: optional { $0.string() },
                    line: optional { $0.string() }, isEmergency: bool(), isBackground: bool()))
        case .answer: return .answer
        case .end: return .end
        case .setHeld: return .setHeld(bool())
        case .setMuted: return .setMuted(bool())
        case .setGroup: return .setGroup(with: optional { $0.call() })
        case .playDTMF: return .playDTMF(digits: string(), word())
        case .setEndpoint: return .setEndpoint(string())
        case .setVideo: return .setVideo(word())
        case .setText: return .setText(bool())
        case .transfer: return .transfer(to: handle())
        case .attendedTransfer: return .attendedTransfer(with: call())
        case .deflect: return .deflect(to: handle())
        }
    }

    mutating func missedReasons() -> MissedReasons {
        MissedReasons(rawValue: UInt16.random(in: 0..<2_048, using: &random))
    }

    mutating func blocker() -> Refusal.Blocker {
        Refusal.Blocker(call: call(), provider: provider())
    }

    mutating func refusal() -> Refusal {
        var refusal = Refusal(
            word(), rule: optional { $0.word() },
            limit: optional { Refusal.Limit(name: $0.string(), value: $0.int()) },
            blocking: list { $0.blocker() })
        refusal.actionIndex = optional { $0.int() }
        return refusal
    }

    mutating func configuration() -> ProviderConfiguration {
        var configuration = ProviderConfiguration(
            displayName: string(), handleKinds: list { $0.handleKind() })
        configuration.urlSchemes = list { $0.string() }
        configuration.supportsVideo = bool()
        configuration.supportsText = bool()
        configuration.maxCallGroups = int()
        configuration.maxCallsPerGroup = int()
        configuration.includesInRecents = bool()
        configuration.ringtone = optional { $0.string() }
        configuration.icon = optional { $0.string() }
        for kind in ActionKind.allCases {
            configuration.actionDeadlinesMS[kind] = optional { $0.int() }
        }
        if bool() { configuration.actionDeadlinesMS = [:] }
        configuration.ringTimeoutMS = optional { $0.int() }
        configuration.graceMS = optional { $0.int() }
        configuration.resumesWhenFreed = bool()
        configuration.takesTransactions = bool()
        configuration.appIsSeparate = bool()
        configuration.kind = word()
        configuration.lines = list { $0.line() }
        configuration.pushTypes = list { $0.string() }
        configuration.startBy = optional {
            $0.bool() ? .dbus($0.string()) : .desktop($0.string())
        }
        return configuration
    }

    mutating func line() -> Line {
        var line = Line(id: string(), label: string())
        line.handle = optional { $0.handle() }
        line.urlSchemes = list { $0.string() }
        line.isDefault = bool()
        line.state = word()
        line.reason = optional { $0.string() }
        line.maxCalls = optional { $0.int() }
        line.messagesWaiting = optional { $0.int() }
        line.voicemail = optional { $0.handle() }
        line.settings = list { $0.lineSetting() }
        return line
    }

    mutating func lineSetting() -> LineSetting {
        LineSetting(
            word(), isOn: bool(), to: optional { $0.handle() }, afterMS: optional { $0.int() })
    }
}
