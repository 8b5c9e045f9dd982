internal import CallArbitration
internal import CallModel

/// Defaults for the parts that authors of transcripts may omit: times, tokens, and the ids of
/// actions, which change whenever a rule changes.
struct TranscriptDraft: Sendable {
    /// The time of the previous event.
    var now = Instant.zero
    /// The last token used.
    var lastToken: UInt64 = 0
    /// Actions that were sent to providers, the newest last.
    private(set) var dispatched: [Action] = []
    /// Actions that are queued, the newest last.
    private(set) var queued: [Action] = []

    struct Action: Sendable {
        let id: ActionID
        let kind: ActionKind
        let call: CallID
        /// The action with its arguments, once it was sent.
        let action: CallAction?
        let provider: ProviderID
        let transaction: TransactionID
    }

    /// Records the actions in the effects of an event.
    mutating func observe(_ effects: [ArbiterEffect]) {
        for effect in effects {
            if case .perform(let dispatch) = effect { observe(dispatch) }
            if case .offer(_, _, let dispatches) = effect { dispatches.forEach { observe($0) } }
            if case .accept(_, let report) = effect { observe(report) }
            if case .complete(_, let report, _) = effect { observe(report) }
        }
    }

    private mutating func observe(_ dispatch: Dispatch) {
        queued.removeAll { $0.id == dispatch.action }
        dispatched.append(
            Action(
                id: dispatch.action, kind: dispatch.kind.kind, call: dispatch.call,
                action: dispatch.kind, provider: dispatch.provider,
                transaction: dispatch.transaction))
    }

    private mutating func observe(_ report: TransactionReport) {
        guard let transaction = report.transaction else { return }
        for entry in report.entries {
            guard let id = entry.action else { continue }
            queued.removeAll { $0.id == id }
            guard entry.state == .queued else { continue }
            queued.append(
                Action(
                    id: id, kind: entry.kind, call: entry.call, action: nil,
                    provider: entry.provider, transaction: transaction))
        }
    }

    /// Returns the newest action that was sent, else the newest that is queued.
    func action(_ name: ActionName, on call: CallID) -> Action? {
        dispatched.last { $0.call == call && name.matches($0) }
            ?? queued.last { $0.call == call && name.matches($0) }
    }
}

/// Names of actions for authors: the kinds of the wire, and short words that include the direction.
enum ActionName: String, TranscriptWord {
    case start, answer, end, hold, resume, mute, unmute, group, dtmf
    case setHeld = "set_held"
    case setMuted = "set_muted"
    case setGroup = "set_group"
    case playDTMF = "play_dtmf"
    case setEndpoint = "set_endpoint"
    case setVideo = "set_video"
    case setText = "set_text"
    case transfer, deflect
    case attendedTransfer = "attended_transfer"

    func matches(_ action: TranscriptDraft.Action) -> Bool {
        switch self {
        case .start: action.kind == .start
        case .answer: action.kind == .answer
        case .end: action.kind == .end
        case .hold: matches(action, .setHeld(true))
        case .resume: matches(action, .setHeld(false))
        case .setHeld: action.kind == .setHeld
        case .mute: matches(action, .setMuted(true))
        case .unmute: matches(action, .setMuted(false))
        case .setMuted: action.kind == .setMuted
        case .group, .setGroup: action.kind == .setGroup
        case .dtmf, .playDTMF: action.kind == .playDTMF
        case .setEndpoint: action.kind == .setEndpoint
        case .setVideo: action.kind == .setVideo
        case .setText: action.kind == .setText
        case .transfer: action.kind == .transfer
        case .attendedTransfer: action.kind == .attendedTransfer
        case .deflect: action.kind == .deflect
        }
    }

    /// Compares an action with its arguments; one that was not sent yet has only its kind.
    private func matches(_ action: TranscriptDraft.Action, _ wanted: CallAction) -> Bool {
        action.action.map { $0 == wanted } ?? (action.kind == wanted.kind)
    }
}

extension TranscriptField {
    /// Returns the action that an author refers to as `hold:1`; nil for an id.
    func referredAction() throws(TranscriptError) -> TranscriptDraft.Action? {
        guard let draft = source.draft, isWord,
            source.bytes[start..<end].contains(UInt8(ascii: ":"))
        else { return nil }
        let (name, call) = try parts(expected: "an action, such as b3 or hold:1")
        let kind = try ActionName.read(name)
        guard let action = draft.action(kind, on: try CallID.read(call)) else {
            throw error(expected: "an action that was sent, or waits")
        }
        return action
    }
}

extension TranscriptMembers {
    /// Reads the token of a request, which authors may omit.
    mutating func token() throws(TranscriptError) -> RequestToken {
        guard let draft = source.draft else { return try required("token") }
        return try optional("token", default: RequestToken(draft.lastToken &+ 1))
    }
}
