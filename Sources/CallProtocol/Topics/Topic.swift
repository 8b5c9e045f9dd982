/// The topics of events, by their words on the wire.
package enum Topic: String, CaseIterable, Sendable {
    case callAdded = "call.added"
    case callChanged = "call.changed"
    case allowedChanged = "call.allowed_changed"
    case callRemoved = "call.removed"
    case hostChanged = "host.changed"
    case hostPresence = "host.presence"
    case callRefused = "call.refused"
    case dialRefused = "call.dial_refused"
    case resumeOffered = "call.resume_offered"
    case callQuality = "call.quality"
    case participantsChanged = "call.participants"
    case callText = "call.text"
    case transactionAccepted = "transaction.accepted"
    case transactionCompleted = "transaction.completed"
    case actionDispatched = "action.dispatched"
    case actionFulfilled = "action.fulfilled"
    case actionFailed = "action.failed"
    case actionTimedOut = "action.timed_out"
    case actionLate = "action.late"
    case providerAdded = "provider.added"
    case providerChanged = "provider.changed"
    case providerResumed = "provider.resumed"
    case providerLost = "provider.lost"
    case providerRemoved = "provider.removed"
    case audioChanged = "audio.changed"
    case endpointsChanged = "audio.endpoints_changed"
    case screenChanged = "screen.changed"
    case policyChanged = "policy.changed"
    case historyChanged = "history.changed"
    case anomaly = "broker.anomaly"
    case bookmark = "broker.bookmark"
    case stopping = "broker.stopping"
    case pluginState = "plugin.state"
    case pluginLog = "plugin.log"

    /// True if only admins may subscribe, and only by the exact name, because the content is
    /// unknown and may be private.
    package var isConfidential: Bool {
        self == .pluginLog
    }

    /// True if events of the topic have sequence numbers of their own; others repeat the latest
    /// number.
    package var isNumbered: Bool {
        ![Self.bookmark, .pluginLog, .allowedChanged, .callQuality, .hostPresence].contains(self)
    }

    /// The roles that may subscribe.
    package var roles: RoleSet {
        isConfidential ? .admin : .watching
    }
}

extension Topic: WireWord {
    package var word: StaticString {
        switch self {
        case .callAdded: "call.added"
        case .callChanged: "call.changed"
        case .allowedChanged: "call.allowed_changed"
        case .callRemoved: "call.removed"
        case .hostChanged: "host.changed"
        case .hostPresence: "host.presence"
        case .callRefused: "call.refused"
        case .dialRefused: "call.dial_refused"
        case .resumeOffered: "call.resume_offered"
        case .callQuality: "call.quality"
        case .participantsChanged: "call.participants"
        case .callText: "call.text"
        case .transactionAccepted: "transaction.accepted"
        case .transactionCompleted: "transaction.completed"
        case .actionDispatched: "action.dispatched"
        case .actionFulfilled: "action.fulfilled"
        case .actionFailed: "action.failed"
        case .actionTimedOut: "action.timed_out"
        case .actionLate: "action.late"
        case .providerAdded: "provider.added"
        case .providerChanged: "provider.changed"
        case .providerResumed: "provider.resumed"
        case .providerLost: "provider.lost"
        case .providerRemoved: "provider.removed"
        case .audioChanged: "audio.changed"
        case .endpointsChanged: "audio.endpoints_changed"
        case .screenChanged: "screen.changed"
        case .policyChanged: "policy.changed"
        case .historyChanged: "history.changed"
        case .anomaly: "broker.anomaly"
        case .bookmark: "broker.bookmark"
        case .stopping: "broker.stopping"
        case .pluginState: "plugin.state"
        case .pluginLog: "plugin.log"
        }
    }
}

/// A set of topics.
package struct TopicSet: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    package init(_ topic: Topic) {
        switch topic {
        case .callAdded: self.init(rawValue: 1)
        case .callChanged: self.init(rawValue: 1 << 1)
        case .callRemoved: self.init(rawValue: 1 << 2)
        case .hostChanged: self.init(rawValue: 1 << 3)
        case .callRefused: self.init(rawValue: 1 << 4)
        case .resumeOffered: self.init(rawValue: 1 << 5)
        case .transactionAccepted: self.init(rawValue: 1 << 6)
        case .transactionCompleted: self.init(rawValue: 1 << 7)
        case .actionDispatched: self.init(rawValue: 1 << 8)
        case .actionFulfilled: self.init(rawValue: 1 << 9)
        case .actionFailed: self.init(rawValue: 1 << 10)
        case .actionTimedOut: self.init(rawValue: 1 << 11)
        case .actionLate: self.init(rawValue: 1 << 12)
        case .providerAdded: self.init(rawValue: 1 << 13)
        case .providerChanged: self.init(rawValue: 1 << 14)
        case .providerResumed: self.init(rawValue: 1 << 15)
        case .providerLost: self.init(rawValue: 1 << 16)
        case .providerRemoved: self.init(rawValue: 1 << 17)
        case .audioChanged: self.init(rawValue: 1 << 18)
        case .policyChanged: self.init(rawValue: 1 << 19)
        case .anomaly: self.init(rawValue: 1 << 20)
        case .bookmark: self.init(rawValue: 1 << 21)
        case .stopping: self.init(rawValue: 1 << 22)
        case .historyChanged: self.init(rawValue: 1 << 23)
        case .pluginState: self.init(rawValue: 1 << 24)
        case .pluginLog: self.init(rawValue: 1 << 25)
        case .dialRefused: self.init(rawValue: 1 << 26)
        case .allowedChanged: self.init(rawValue: 1 << 27)
        case .callQuality: self.init(rawValue: 1 << 28)
        case .participantsChanged: self.init(rawValue: 1 << 29)
        case .endpointsChanged: self.init(rawValue: 1 << 30)
        case .callText: self.init(rawValue: 1 << 31)
        case .screenChanged: self.init(rawValue: 1 << 32)
        case .hostPresence: self.init(rawValue: 1 << 33)
        }
    }

    package static let all = TopicSet(Topic.allCases.map { TopicSet($0) })

    /// Parses a pattern: an exact name, `noun.*` for every topic of a noun, or `*`. Only exact
    /// names match confidential topics. Nil for a pattern that matches nothing.
    package init?(pattern: String) {
        var topics: TopicSet = []
        for topic in Topic.allCases where Self.names(pattern, topic) {
            topics.insert(TopicSet(topic))
        }
        guard !topics.isEmpty else { return nil }
        self = topics
    }

    private static func names(_ pattern: String, _ topic: Topic) -> Bool {
        guard pattern != "*" else { return !topic.isConfidential }
        guard pattern.hasSuffix(".*") else { return pattern == topic.rawValue }
        guard !topic.isConfidential else { return false }
        let noun = pattern.dropLast()
        return !noun.dropLast().contains(".") && topic.rawValue.hasPrefix(noun)
    }

    /// The topics in the set, in the order of their declaration.
    package var topics: [Topic] {
        Topic.allCases.filter { contains(TopicSet($0)) }
    }
}
