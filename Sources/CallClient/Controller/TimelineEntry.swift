internal import BrokerJSON
public import CallModel
internal import CallProtocol

/// A decision about a call, or an event of it, as `CallController.timeline` returns them.
public struct TimelineEntry: Hashable, Sendable {
    /// The number of the latest published event.
    public let seq: Int64
    /// The time: Unix time in milliseconds.
    public let atMS: Int64
    /// What has happened.
    public let event: Event

    /// What has happened to a call.
    public enum Event: Hashable, Sendable {
        /// The broker decided something about the call.
        case decision(DecisionStep)
        /// The call was added, or has changed, to a state: a word such as `ringing`, with the changed
        /// members.
        case change(state: String, changed: [String], Cause?)
        /// An action was sent to the app, or settled.
        case action(Action)
        /// The call was given microphone and speaker, or has lost them.
        case audio(isActive: Bool)
        /// The app has reported the quality of the call.
        case quality(CallQuality)
        /// An event that should not happen: a word such as `provider_silent`.
        case anomaly(String)
        /// An event that is unknown to this release, by its name.
        case other(String)
    }

    /// An action for a call.
    public struct Action: Hashable, Sendable {
        /// The id of the action.
        public let action: ActionID
        /// The kind: a word such as `answer`.
        public let kind: String
        /// The transaction that the action is a part of.
        public let transaction: TransactionID
        /// The state since then: a word such as `dispatched` or `fulfilled`; `late` if a reply came
        /// after the end of its time.
        public let state: String
        /// The number of the attempt, from 1.
        public let attempt: Int
        /// The app's error, if it failed.
        public let failure: ReportedFailure?
    }
}

extension CallController {
    /// Returns everything that has happened to a call, oldest first, also to one that has ended. The
    /// broker keeps a limited number of decisions and events.
    ///
    /// - Throws: `CallError`; `CallError.Code.notFound` with the reason `unknown_call` or
    ///   `call_ended`.
    public func timeline(of call: CallID) async throws(CallError) -> [TimelineEntry] {
        try await all(.timeline, "entries", { $0.member("call", call) }) { TimelineEntry($0) }
    }
}

extension TimelineEntry {
    fileprivate init?(_ value: JSONValue) {
        guard let seq = value["seq"]?.integer, let atMS = value["at_ms"]?.integer,
            let name = value["event"]?.string,
            let event = TimelineEntry.Event(name, value[named: name], seq: seq, atMS: atMS)
        else { return nil }
        (self.seq, self.atMS, self.event) = (seq, atMS, event)
    }
}

extension TimelineEntry.Event {
    fileprivate init?(_ name: String, _ value: JSONValue?, seq: Int64, atMS: Int64) {
        switch name {
        case "decision":
            guard let value, let step = DecisionStep(value, seq: seq, atMS: atMS) else {
                return nil
            }
            self = .decision(step)
        case "change":
            guard let state = value?["state"]?.string else { return nil }
            let changed = value?["changed"]?.elements.compactMap(\.string) ?? []
            self = .change(state: state, changed: changed, Cause(value?["cause"]))
        case "action":
            guard let value, let action = TimelineEntry.Action(value) else { return nil }
            self = .action(action)
        case "audio":
            guard let isActive = value?["active"]?.boolean else { return nil }
            self = .audio(isActive: isActive)
        case "quality": self = .quality(CallQuality(value))
        case "anomaly":
            guard let anomaly = value?["anomaly"]?.string else { return nil }
            self = .anomaly(anomaly)
        default: self = .other(name)
        }
    }
}

extension TimelineEntry.Action {
    fileprivate init?(_ value: JSONValue) {
        guard let action = ActionID(value["action"]), let kind = value["kind"]?.string,
            let transaction = TransactionID(value["transaction"]),
            let state = value["state"]?.string
        else { return nil }
        (self.action, self.kind, self.transaction) = (action, kind, transaction)
        self.state = state
        attempt = value["attempt"]?.integer.map(Int.init) ?? 1
        failure = ReportedFailure(value["failure"])
    }
}
