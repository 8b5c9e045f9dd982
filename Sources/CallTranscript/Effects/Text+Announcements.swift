public import CallArbitration
internal import CallModel

/// Names of announcements.
public enum AnnouncementKind: String, CaseIterable, Sendable {
    case callAdded = "call_added"
    case callChanged = "call_changed"
    case callRemoved = "call_removed"
    case callRefused = "call_refused"
    case resumeOffered = "resume_offered"
    case hostChanged = "host_changed"
    case transactionAccepted = "transaction_accepted"
    case transactionCompleted = "transaction_completed"
    case actionChanged = "action_changed"
    case actionLate = "action_late"
    case providerAdded = "provider_added"
    case providerChanged = "provider_changed"
    case providerResumed = "provider_resumed"
    case providerLost = "provider_lost"
    case providerRemoved = "provider_removed"
    case audioChanged = "audio_changed"
    case anomaly
}

extension AnnouncementKind: TranscriptWord {}

extension Announcement {
    /// The name of the announcement, without its contents.
    public var kind: AnnouncementKind {
        switch self {
        case .callAdded: .callAdded
        case .callChanged: .callChanged
        case .callRemoved: .callRemoved
        case .callRefused: .callRefused
        case .resumeOffered: .resumeOffered
        case .hostChanged: .hostChanged
        case .transactionAccepted: .transactionAccepted
        case .transactionCompleted: .transactionCompleted
        case .actionChanged: .actionChanged
        case .actionLate: .actionLate
        case .providerAdded: .providerAdded
        case .providerChanged: .providerChanged
        case .providerResumed: .providerResumed
        case .providerLost: .providerLost
        case .providerRemoved: .providerRemoved
        case .audioChanged: .audioChanged
        case .anomaly: .anomaly
        }
    }
}

extension Announcement: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("news", kind)
        switch self {
        case .callAdded(let call, let cause): writer.news(call, cause: cause)
        case .callChanged(let call, let names, let cause):
            writer.news(call, changed: names, cause: cause)
        case .callRemoved(let call, let cause): writer.news(call, cause: cause)
        case .callRefused(let call, let provider, let reason, let rule):
            writer.news(call, provider, reason, rule)
        case .resumeOffered(let call, let other): writer.news(call, because: other)
        case .hostChanged(let facts): facts.writeMembers(to: &writer)
        case .transactionAccepted(let report, let cause),
            .transactionCompleted(let report, let cause):
            report.writeMembers(to: &writer)
            writer.member("cause", cause)
        case .actionChanged(let action, let kind, let call, let state, let failure):
            writer.news(action, kind, call, state, failure)
        case .actionLate(let action, let provider):
            writer.member("action", action)
            writer.member("provider", provider)
        case .providerAdded(let provider): writer.member("provider", provider)
        case .providerChanged(let provider): writer.member("provider", provider)
        case .providerResumed(let provider): writer.member("provider", provider)
        case .providerLost(let provider, let graceMS):
            writer.member("provider", provider)
            writer.member("grace_ms", graceMS)
        case .providerRemoved(let provider, let reason):
            writer.member("provider", provider)
            writer.member("reason", reason)
        case .audioChanged(let from, let to, let cause):
            writer.news(from: from, to: to, cause: cause)
        case .anomaly(let anomaly, let call, let provider):
            writer.news(anomaly, call, provider)
        }
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        let kind: AnnouncementKind = try members.required("news")
        switch kind {
        case .callAdded:
            self = .callAdded(try members.required("call"), try members.required("cause"))
        case .callChanged:
            self = .callChanged(
                try members.required("call"), try members.required("changed"),
                try members.required("cause"))
        case .callRemoved:
            self = .callRemoved(try members.required("call"), try members.required("cause"))
        case .callRefused: self = try members.callRefused()
        case .resumeOffered:
            self = .resumeOffered(
                try members.required("call"), becauseOf: try members.required("because_of"))
        case .hostChanged: self = .hostChanged(try HostFacts(members: &members))
        case .transactionAccepted:
            self = .transactionAccepted(
                try .init(members: &members), try members.required("cause"))
        case .transactionCompleted:
            self = .transactionCompleted(
                try .init(members: &members), try members.required("cause"))
        case .actionChanged: self = try members.actionChanged()
        case .actionLate:
            self = .actionLate(try members.required("action"), try members.required("provider"))
        case .providerAdded: self = .providerAdded(try members.required("provider"))
        case .providerChanged: self = .providerChanged(try members.required("provider"))
        case .providerResumed: self = .providerResumed(try members.required("provider"))
        case .providerLost:
            self = .providerLost(
                try members.required("provider"), graceMS: try members.required("grace_ms"))
        case .providerRemoved:
            self = .providerRemoved(
                try members.required("provider"), try members.required("reason"))
        case .audioChanged: self = try members.audioChanged()
        case .anomaly: self = try members.anomaly()
        }
    }
}

// MARK: - Longer announcements

extension TranscriptWriter {
    fileprivate mutating func news(_ call: CallID, changed: ChangedProperties? = nil, cause: Cause)
    {
        member("call", call)
        member("changed", changed)
        member("cause", cause)
    }

    fileprivate mutating func news(
        _ call: CallID, _ provider: ProviderID, _ reason: RefusalReason, _ rule: Rule
    ) {
        member("call", call)
        member("provider", provider)
        member("reason", reason)
        member("rule", rule)
    }

    fileprivate mutating func news(_ call: CallID, because other: CallID) {
        member("call", call)
        member("because_of", other)
    }

    fileprivate mutating func news(
        _ action: ActionID, _ kind: ActionKind, _ call: CallID, _ state: ActionState,
        _ failure: ActionFailure?
    ) {
        member("action", action)
        member("kind", kind)
        member("call", call)
        member("state", state)
        member("failure", failure)
    }

    fileprivate mutating func news(from: CallID?, to: CallID?, cause: Cause) {
        member("from", from)
        member("to", to)
        member("cause", cause)
    }

    fileprivate mutating func news(_ anomaly: Anomaly, _ call: CallID?, _ provider: ProviderID?) {
        member("id", anomaly)
        member("call", call)
        member("provider", provider)
    }
}

extension TranscriptMembers {
    fileprivate mutating func callRefused() throws(TranscriptError) -> Announcement {
        .callRefused(
            try required("call"), try required("provider"), try required("reason"),
            try required("rule"))
    }

    fileprivate mutating func actionChanged() throws(TranscriptError) -> Announcement {
        .actionChanged(
            try required("action"), try required("kind"), try required("call"),
            try required("state"), try optional("failure"))
    }

    fileprivate mutating func audioChanged() throws(TranscriptError) -> Announcement {
        .audioChanged(from: try optional("from"), to: try optional("to"), try required("cause"))
    }

    fileprivate mutating func anomaly() throws(TranscriptError) -> Announcement {
        .anomaly(try required("id"), try optional("call"), try optional("provider"))
    }
}
