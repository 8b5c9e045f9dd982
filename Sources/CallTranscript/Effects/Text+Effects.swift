public import CallArbitration
internal import CallModel

/// Names of effects.
public enum EffectKind: String, CaseIterable, Sendable {
    case acknowledge, refuse
    case confirmIncoming = "confirm_incoming"
    case confirmRegistration = "confirm_registration"
    case accept, complete, offer, perform
    case cancelPerform = "cancel_perform"
    case tellTimedOut = "tell_timed_out"
    case activateAudio = "activate_audio"
    case deactivateAudio = "deactivate_audio"
    case resetProvider = "reset_provider"
    case startTimer = "start_timer"
    case stopTimer = "stop_timer"
    case announce, screen, record, note
}

extension EffectKind: TranscriptWord {}

extension ArbiterEffect {
    /// The name of the effect, without its contents.
    public var kind: EffectKind {
        switch self {
        case .acknowledge: .acknowledge
        case .refuse: .refuse
        case .confirmIncoming: .confirmIncoming
        case .confirmRegistration: .confirmRegistration
        case .accept: .accept
        case .complete: .complete
        case .offer: .offer
        case .perform: .perform
        case .cancelPerform: .cancelPerform
        case .tellTimedOut: .tellTimedOut
        case .activateAudio: .activateAudio
        case .deactivateAudio: .deactivateAudio
        case .resetProvider: .resetProvider
        case .startTimer: .startTimer
        case .stopTimer: .stopTimer
        case .announce: .announce
        case .screen: .screen
        case .record: .record
        case .note: .note
        }
    }

    func writeMembers(to writer: inout TranscriptWriter) {
        switch self {
        case .acknowledge(let token): writer.member("token", token)
        case .refuse(let token, let refusal): writer.reply(token, refusal)
        case .confirmIncoming(let token, let call, let state, let presentation):
            writer.reply(
                token, IncomingConfirmation(call: call, state: state, presentation: presentation))
        case .confirmRegistration(let token, let provider, let calls, let dropped):
            writer.reply(
                token,
                RegistrationConfirmation(provider: provider, calls: calls, dropped: dropped))
        case .accept(let token, let report): writer.reply(token, report)
        case .complete(let token, let report, let cause):
            writer.reply(token, report)
            writer.member("cause", cause)
        case .offer(let transaction, let provider, let actions):
            writer.members(ofOffer: transaction, provider, actions)
        case .perform(let dispatch): dispatch.writeMembers(to: &writer)
        case .cancelPerform(let action, let provider):
            writer.member("action", action)
            writer.member("provider", provider)
        case .tellTimedOut(let action, let kind, let call, let provider):
            writer.member("action", action)
            writer.member("kind", kind)
            writer.member("call", call)
            writer.member("provider", provider)
        case .activateAudio(let provider, let group, let calls),
            .deactivateAudio(let provider, let group, let calls):
            AudioGrant(provider: provider, group: group, calls: calls).writeMembers(to: &writer)
        case .resetProvider(let provider, let reason):
            writer.member("provider", provider)
            writer.member("reason", reason, default: .brokerReset)
        case .startTimer(let timer, let instant):
            writer.member("timer", timer)
            writer.member("at_ms", instant)
        case .stopTimer(let timer): writer.member("timer", timer)
        case .announce(let announcement): announcement.writeMembers(to: &writer)
        case .screen(let call): writer.member("call", call)
        case .record(let entry): entry.writeMembers(to: &writer)
        case .note(let decision): decision.writeMembers(to: &writer)
        }
    }

    init(_ kind: EffectKind, members: inout TranscriptMembers) throws(TranscriptError) {
        switch kind {
        case .acknowledge: self = .acknowledge(try members.required("token"))
        case .refuse: self = .refuse(try members.required("token"), try .init(members: &members))
        case .confirmIncoming: self = try members.incomingConfirmed()
        case .confirmRegistration: self = try members.registrationConfirmed()
        case .accept: self = .accept(try members.required("token"), try .init(members: &members))
        case .complete:
            self = .complete(
                try members.required("token"), try .init(members: &members),
                try members.required("cause"))
        case .offer:
            self = .offer(
                try members.required("transaction"), try members.required("provider"),
                try members.required("actions"))
        case .perform: self = .perform(try .init(members: &members))
        case .cancelPerform:
            self = .cancelPerform(try members.required("action"), try members.required("provider"))
        case .tellTimedOut:
            self = .tellTimedOut(
                try members.required("action"), try members.required("kind"),
                try members.required("call"), try members.required("provider"))
        case .activateAudio:
            let grant = try AudioGrant(members: &members)
            self = .activateAudio(grant.provider, group: grant.group, calls: grant.calls)
        case .deactivateAudio:
            let grant = try AudioGrant(members: &members)
            self = .deactivateAudio(grant.provider, group: grant.group, calls: grant.calls)
        case .resetProvider:
            self = .resetProvider(
                try members.required("provider"),
                try members.optional("reason", default: .brokerReset))
        case .startTimer:
            self = .startTimer(try members.required("timer"), at: try members.required("at_ms"))
        case .stopTimer: self = .stopTimer(try members.required("timer"))
        case .announce: self = .announce(try .init(members: &members))
        case .screen: self = .screen(try members.required("call"))
        case .record: self = .record(try .init(members: &members))
        case .note: self = .note(try .init(members: &members))
        }
    }
}

extension TranscriptWriter {
    fileprivate mutating func members(
        ofOffer transaction: TransactionID, _ provider: ProviderID, _ actions: [Dispatch]
    ) {
        member("transaction", transaction)
        member("provider", provider)
        member("actions", actions)
    }
}
