internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// The real-time text of calls, which passes through: nothing is kept but in the latest events, and
/// the journal has only that there was an event.
final class CallTexts: BrokerPart {
    func perform(_ request: TextRequest, _ target: ReplyTarget) throws(RPCError) {
        switch request {
        case .send(let params): try send(params, target)
        }
    }

    private func send(_ params: CallTextParams, _ target: ReplyTarget) throws(RPCError) {
        let call = params.call
        guard let view = broker.arbiter.view(of: call),
            target.peer.sees(callsOf: view.provider), target.peer.sees(callIn: view.state)
        else { throw broker.notFound(call) }
        guard view.state == .active, view.properties.hasText else { throw Self.noText }
        let app = try broker.forwarded.app(of: view.provider)
        let text = CallText(params.characters, from: .local)
        broker.forwarded.forward(.text(text, call, view.provider), to: app, target) { writer in
            writer.member("call", call)
            writer.member("text", params.characters)
        }
    }

    /// Publishes what the far end of a call has typed.
    func report(_ params: CallTextParams, by provider: ProviderID) throws(RPCError) {
        try broker.checkThat(provider, has: params.call)
        guard broker.arbiter.view(of: params.call)?.properties.hasText == true else {
            throw Self.noText
        }
        publish(CallText(params.characters, from: .remote), of: params.call, provider)
    }

    func publish(_ text: CallText, of call: CallID, _ provider: ProviderID) {
        broker.journal.append(.textPublished)
        broker.events.publish(.callText, call, of: provider, to: .knowing(.text)) { writer in
            writer.member("call", call)
            writer.member("from", text.side.rawValue)
            writer.member("text", text.characters)
        }
    }

    private static let noText = RPCError(
        .invalidState, reason: .invalidState, "the call has no real-time text now"
    ).with {
        $0.field = "/call"
        $0.hint = "text passes while the call has has_text; set_text adds it to an active call"
    }
}
