internal import CallArbitration
internal import CallModel

/// Replies of the arbiter, and grants of the audio.

extension TranscriptWriter {
    mutating func reply(_ token: RequestToken, _ content: some TranscriptRecord) {
        member("token", token)
        content.writeMembers(to: &self)
    }
}

struct IncomingConfirmation: TranscriptRecord {
    let call: CallID
    let state: CallState
    let presentation: Presentation

    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("call", call)
        writer.member("state", state)
        writer.member("presentation", presentation)
    }
}

extension IncomingConfirmation {
    init(members: inout TranscriptMembers) throws(TranscriptError) {
        call = try members.required("call")
        state = try members.required("state")
        presentation = try members.required("presentation")
    }
}

struct RegistrationConfirmation: TranscriptRecord {
    let provider: ProviderID
    let calls: [CallID]
    let dropped: [CallID]

    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("provider", provider)
        writer.member("calls", calls, default: [])
        writer.member("dropped", dropped, default: [])
    }
}

extension RegistrationConfirmation {
    init(members: inout TranscriptMembers) throws(TranscriptError) {
        provider = try members.required("provider")
        calls = try members.optional("calls", default: [])
        dropped = try members.optional("dropped", default: [])
    }
}

struct AudioGrant: TranscriptRecord {
    let provider: ProviderID
    let group: CallID
    let calls: [CallID]

    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("provider", provider)
        writer.member("group", group)
        writer.member("calls", calls)
    }
}

extension AudioGrant {
    init(members: inout TranscriptMembers) throws(TranscriptError) {
        provider = try members.required("provider")
        group = try members.required("group")
        calls = try members.required("calls")
    }
}

extension TranscriptMembers {
    mutating func incomingConfirmed() throws(TranscriptError) -> ArbiterEffect {
        let token: RequestToken = try required("token")
        let reply = try IncomingConfirmation(members: &self)
        return .confirmIncoming(token, reply.call, reply.state, reply.presentation)
    }

    mutating func registrationConfirmed() throws(TranscriptError) -> ArbiterEffect {
        let token: RequestToken = try required("token")
        let reply = try RegistrationConfirmation(members: &self)
        return .confirmRegistration(
            token, reply.provider, calls: reply.calls, dropped: reply.dropped)
    }
}
