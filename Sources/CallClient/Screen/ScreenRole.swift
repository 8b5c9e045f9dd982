internal import BrokerJSON
internal import BrokerSocket
internal import CallModel
internal import CallProtocol

/// The reply to a request of the broker to a screen.
enum ScreenReply: Sendable {
    case presented(Bool)
    case answer(AppQuestion.Answer)
}

/// An event of a screen, in the order in which the broker sent them.
enum ScreenEvent: Sendable {
    case present(BrokerRequest, Call)
    case ask(BrokerRequest, AppQuestion)
    /// The broker does not wait for the reply any more.
    case withdrawn(BrokerRequest)
    case dismiss(CallID)
    /// The last event.
    case ended
}

/// The role of a screen: it claims the presentation of calls in each session.
final class ScreenRole: LinkRole {
    private let opening: Opening
    private let priority: Int
    private let playsSound: Bool
    private let onEvent: @Sendable (ScreenEvent) -> Void
    private var requests = OpenRequests()

    /// - Parameters:
    ///   - opening: settled by the first attempt to open a session.
    ///   - priority: that of the claim.
    ///   - playsSound: true if the screen rings for the calls that it presents.
    ///   - onEvent: receives events in order, on the link's thread.
    init(
        _ opening: Opening, priority: Int, playsSound: Bool,
        onEvent: @escaping @Sendable (ScreenEvent) -> Void
    ) {
        self.opening = opening
        self.priority = priority
        self.playsSound = playsSound
        self.onEvent = onEvent
    }

    func open(_ loop: LinkLoop) {
        requests.reconnect()
        loop.request(.claimScreen, isOpening: true) { writer in
            writer.member("priority", priority)
            writer.member("sound", playsSound)
        } then: { result in
            switch result {
            case .failure(let error): loop.cannotOpen(error)
            case .success: loop.opened()
            }
        }
    }

    func opened(_ loop: LinkLoop) {
        opening.settle(.success(()))
    }

    func failedToOpen(_ error: CallError, _ loop: LinkLoop) {
        opening.settle(.failure(error))
    }

    func lost(_ loop: LinkLoop) {
        withdrawAll()
    }

    func ended(_ error: CallError?) {
        withdrawAll()
        opening.settle(.failure(error ?? .closed))
        onEvent(.ended)
    }

    private func withdrawAll() {
        for request in requests.removeAll() { onEvent(.withdrawn(request)) }
    }

    func receive(_ method: String, id: Int64, _ params: JSONValue?, _ loop: LinkLoop) {
        if method == MethodName.present.rawValue, let call = params.flatMap({ Call($0) }) {
            onEvent(.present(requests.begin(id), call))
        } else if method == MethodName.ask.rawValue,
            let question = params.flatMap({ AppQuestion($0) })
        {
            onEvent(.ask(requests.begin(id), question))
        } else {
            loop.answer(
                id, error: .methodNotFound, reason: "not_supported",
                "this screen does not support the method")
        }
    }

    func receive(notification method: String, _ params: JSONValue?, _ loop: LinkLoop) {
        switch method {
        case MethodName.dismissCall.rawValue:
            if let call = CallID(params?["call"]) { onEvent(.dismiss(call)) }
        case MethodName.cancel.rawValue:
            if let request = requests.cancel(params, loop) { onEvent(.withdrawn(request)) }
        default: break
        }
    }

    /// Sends a reply, unless the request was withdrawn, or came on a lost connection.
    func reply(to request: BrokerRequest, _ reply: ScreenReply, _ loop: LinkLoop) {
        guard requests.end(request) else { return }
        loop.answer(request.id) { writer in
            switch reply {
            case .presented(let isPresented): writer.member("presented", isPresented)
            case .answer(let answer): writer.member("answer", answer.rawValue)
            }
        }
    }
}
