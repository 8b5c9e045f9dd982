internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// Tones with pauses (rule 35).
extension TransactionMethods {
    /// `call.continue_tones`.
    func continueTones(_ params: ContinueTonesParams, _ target: ReplyTarget) throws(RPCError) {
        guard broker.requester(target.peer) == .user else {
            throw RPCError(Refusal(.notYourCall, rule: .rights), .requestTransaction)
        }
        guard let tones = broker.tones[params.call] else { throw Self.noTones }
        guard params.isWanted else {
            broker.tones.drop(params.call)
            return broker.outbox.reply(target) { writer in
                writer.member("actions", [] as [TransactionReport.Entry])
                writer.member("seq", broker.events.seq)
            }
        }
        let (action, rest) = Self.action(tones, of: params.call)
        let key = TransactionRequest(
            token: Broker.noToken, requester: .user, actions: [action], options: CallOptions())
        try checkRoom(for: [action])
        broker.tones.drop(params.call)
        try request([action], key, target, before: rest)
    }

    /// Sends the tones after a pause that has lasted its time.
    func send(_ tones: PausedTones, of call: CallID) {
        let (action, rest) = Self.action(tones, of: call)
        broker.requests.ask(before: rest) { token in
            .transactionRequested(
                TransactionRequest(
                    token: token, requester: .user, actions: [action], options: CallOptions()))
        }
    }

    /// Returns the action for the tones up to the next pause, and what follows that one.
    private static func action(
        _ tones: PausedTones, of call: CallID
    ) -> (RequestedAction, [CallID: PausedTones]) {
        let string = ToneString(tones.digits)
        let action = RequestedAction(
            call: call, action: .playDTMF(digits: string.first, tones.style))
        return (action, string.rest.map { [call: $0] } ?? [:])
    }

    private static let noTones = RPCError(
        .invalidState, reason: .invalidState, "no tones of the call wait behind a pause"
    ).with {
        $0.field = "/call"
        $0.hint = "paused_tones in call.get has them, while the call is active"
    }
}

extension RequestedAction {
    /// Takes the tones after the first pause out of an action of the user, and returns them: from the
    /// string of a `play_dtmf`, and from a telephone number that is dialed.
    mutating func cutTones(of requester: Requester) throws(RPCError) -> PausedTones? {
        guard requester == .user else { return nil }
        switch action {
        case .playDTMF(let digits, let style):
            let tones = ToneString(digits)
            if tones.first.isEmpty, !digits.isEmpty { throw Self.beginsWithPause }
            action = .playDTMF(digits: tones.first, style)
            return tones.rest
        case .start(var start):
            guard start.remote.kind == .phone, let tones = ToneString(after: start.remote.value)
            else { return nil }
            start.remote = Handle(kind: .phone, value: tones.first)
            action = .start(start)
            return tones.rest
        default:
            return nil
        }
    }

    private static let beginsWithPause = RPCError(
        .invalidParams, reason: .wrongForm, "params.digits begins with a pause"
    ).with {
        $0.field = "/digits"
        $0.hint = "leave the pause out: no tones come before it"
    }
}
