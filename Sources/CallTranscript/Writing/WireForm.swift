/// The frames by which an event arrives or an effect is sent: the table between the vocabularies of
/// the arbiter and of the protocol.
public enum WireForm: Hashable, Sendable {
    /// One of these frames, or several of them.
    case frames([Frame])
    /// No frame.
    case none(Absence)

    /// A kind of frame.
    public struct Frame: Hashable, Sendable {
        /// Forms of frames.
        public enum Form: String, CaseIterable, Sendable {
            case request, result, error, notification
            /// A notification `event`, named by its topic.
            case event
        }

        /// Directions of frames.
        public enum Direction: String, CaseIterable, Sendable {
            case toBroker = "to_broker"
            case toClient = "to_client"
        }

        /// The form.
        public let form: Form
        /// The direction.
        public let direction: Direction
        /// The method; for a result or an error, the method of the request.
        public let name: String

        /// Creates a kind of frame.
        public init(form: Form, direction: Direction, name: String) {
            self.form = form
            self.direction = direction
            self.name = name
        }
    }

    /// Reasons why there is no frame.
    public enum Absence: String, CaseIterable, Sendable {
        /// A timer is started, stopped or due.
        case clock
        /// The kernel reports the end of a connection or a process.
        case system
        /// The broker starts.
        case start
        /// The information is stored, and returned by `history.list`.
        case history
        /// The information is stored, and returned by `call.explain`.
        case decisions
    }
}

// MARK: - Events

extension WireForm {
    /// Creates the form of an event.
    public init(_ kind: EventKind) {
        switch kind {
        case .providerRegistered: self = .requests("provider.register")
        case .providerUpdated: self = .requests("provider.update")
        case .providerUnregistered: self = .requests("provider.unregister")
        case .providerRevoked: self = .requests("policy.set")
        case .providerStarting, .providerLost, .providerExited: self = .none(.system)
        case .incomingReported: self = .requests("call.report_incoming")
        case .missedReported: self = .requests("call.report_missed")
        case .callReported: self = .frames(Self.requests(Self.reports))
        case .screeningSettled, .callerPrioritized:
            self = .frames(Self.answers(["screener.check", "directory.lookup"]))
        case .callerIdentified: self = .frames(Self.answers(["directory.lookup"]))
        case .transactionRequested: self = .frames(Self.requests(Self.transactions))
        case .swapRequested: self = .requests("call.swap")
        case .mergeRequested: self = .requests("call.merge")
        case .splitRequested: self = .requests("call.split")
        case .buttonPressed: self = .requests("call.press_button")
        case .silenceRequested: self = .requests("call.silence")
        case .prioritizeRequested: self = .requests("call.prioritize")
        case .cancelRequested:
            self = .frames([.init(form: .notification, direction: .toBroker, name: "broker.cancel")]
            )
        case .actionFulfilled:
            self = .frames([
                Frame(form: .result, direction: .toBroker, name: "provider.perform"),
                Frame(form: .request, direction: .toBroker, name: "action.settle"),
            ])
        case .actionFailed:
            self = .frames([
                Frame(form: .error, direction: .toBroker, name: "provider.perform"),
                Frame(form: .request, direction: .toBroker, name: "action.settle"),
            ])
        case .actionExtended:
            let name = "broker.progress"
            self = .frames([Frame(form: .notification, direction: .toBroker, name: name)])
        case .offerSettled: self = .frames(Self.answers(["provider.execute"]))
        case .timerFired: self = .none(.clock)
        case .policyChanged: self = .requests("policy.set")
        case .brokerRestarted: self = .none(.start)
        }
    }

    private static let reports = [
        "call.report_alerting", "call.report_connecting", "call.report_connected",
        "call.report_held", "call.report_muted", "call.report_group", "call.report_update",
        "call.report_ended",
    ]

    /// The methods that request actions.
    private static let transactions = [
        "transaction.request", "call.start", "call.answer", "call.end", "call.set_held",
        "call.set_muted", "call.set_group", "call.play_dtmf", "call.dial",
    ]

    /// The methods that reply with a transaction.
    private static let plans =
        transactions + ["call.swap", "call.merge", "call.split", "call.press_button"]

    private static func requests(_ names: [String]) -> [Frame] {
        names.map { Frame(form: .request, direction: .toBroker, name: $0) }
    }

    private static func requests(_ name: String) -> WireForm {
        .frames(requests([name]))
    }

    /// Returns the replies of a client to requests of the broker.
    private static func answers(_ names: [String]) -> [Frame] {
        names.flatMap { name in
            [Frame.Form.result, .error].map {
                Frame(form: $0, direction: .toBroker, name: name)
            }
        }
    }
}

// MARK: - Effects

extension WireForm {
    /// Creates the form of an effect.
    public init(_ kind: EffectKind) {
        switch kind {
        case .acknowledge: self = .replies(.result, Self.acknowledged)
        case .refuse:
            self = .replies(
                .error,
                Self.acknowledged + Self.plans + ["call.report_incoming", "provider.register"])
        case .confirmIncoming: self = .replies(.result, ["call.report_incoming"])
        case .confirmRegistration: self = .replies(.result, ["provider.register"])
        case .accept: self = .replies(.result, Self.plans)
        case .complete:
            self = .frames(
                [Frame.Form.result, .error].flatMap { form in
                    Self.plans.map { Frame(form: form, direction: .toClient, name: $0) }
                } + [Frame(form: .event, direction: .toClient, name: "transaction.completed")])
        case .offer: self = .clientRequests(["provider.execute"])
        case .perform: self = .clientRequests(["provider.perform"])
        case .cancelPerform: self = .notification("broker.cancel")
        case .tellTimedOut: self = .notification("provider.timed_out")
        case .activateAudio: self = .notification("audio.activated")
        case .deactivateAudio: self = .notification("audio.deactivated")
        case .resetProvider: self = .notification("provider.reset")
        case .startTimer, .stopTimer: self = .none(.clock)
        case .announce: self = .frames(AnnouncementKind.allCases.flatMap { Self.events($0) })
        case .screen: self = .clientRequests(["screener.check", "directory.lookup"])
        case .record: self = .none(.history)
        case .note: self = .none(.decisions)
        }
    }

    /// Creates the form of an announcement.
    public init(_ kind: AnnouncementKind) {
        self = .frames(Self.events(kind))
    }

    /// The methods whose reply has no contents.
    private static let acknowledged =
        reports + ["call.report_missed", "call.silence", "call.prioritize", "call.press_button"]

    private static func replies(_ form: Frame.Form, _ names: [String]) -> WireForm {
        .frames(names.map { Frame(form: form, direction: .toClient, name: $0) })
    }

    private static func clientRequests(_ names: [String]) -> WireForm {
        .frames(names.map { Frame(form: .request, direction: .toClient, name: $0) })
    }

    private static func notification(_ name: String) -> WireForm {
        .frames([Frame(form: .notification, direction: .toClient, name: name)])
    }

    private static func events(_ kind: AnnouncementKind) -> [Frame] {
        topics(of: kind).map { Frame(form: .event, direction: .toClient, name: $0) }
    }

    private static func topics(of kind: AnnouncementKind) -> [String] {
        switch kind {
        case .callAdded: ["call.added"]
        case .callChanged: ["call.changed"]
        case .callRemoved: ["call.removed"]
        case .callRefused: ["call.refused"]
        case .resumeOffered: ["call.resume_offered"]
        case .hostChanged: ["host.changed"]
        case .transactionAccepted: ["transaction.accepted"]
        case .transactionCompleted: ["transaction.completed"]
        case .actionChanged:
            ["action.dispatched", "action.fulfilled", "action.failed", "action.timed_out"]
        case .actionLate: ["action.late"]
        case .providerAdded: ["provider.added"]
        case .providerChanged: ["provider.changed"]
        case .providerResumed: ["provider.resumed"]
        case .providerLost: ["provider.lost"]
        case .providerRemoved: ["provider.removed"]
        case .audioChanged: ["audio.changed"]
        case .anomaly: ["broker.anomaly"]
        }
    }
}
