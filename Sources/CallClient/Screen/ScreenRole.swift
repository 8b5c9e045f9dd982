internal import BrokerJSON
internal import CallModel
internal import CallProtocol

/// A request of the broker to a screen, on one of its connections.
struct ScreenRequest: Hashable, Sendable {
    let connection: Int
    let id: Int64
}

/// The reply to such a request.
enum ScreenReply: Sendable {
    case presented(Bool)
    case answer(AppQuestion.Answer)
}

/// An event of a screen, in the order in which the broker sent them.
enum ScreenEvent: Sendable {
    case opened
    /// A session could not be opened. Another attempt follows.
    case unavailable(CallError)
    case present(ScreenRequest, Call)
    case ask(ScreenRequest, AppQuestion)
    /// The broker does not wait for the reply any more.
    case withdrawn(ScreenRequest)
    case dismiss(CallID)
    /// The last event.
    case ended(CallError?)
}

/// The role of a screen: it claims the presentation of calls in each session.
final class ScreenRole: LinkRole {
    private let priority: Int
    private let playsSound: Bool
    private let onEvent: @Sendable (ScreenEvent) -> Void
    private var connection = 0
    /// The requests without a reply, on this connection.
    private var open: Set<Int64> = []

    init(
        priority: Int, playsSound: Bool, onEvent: @escaping @Sendable (ScreenEvent) -> Void
    ) {
        self.priority = priority
        self.playsSound = playsSound
        self.onEvent = onEvent
    }

    func open(_ loop: LinkLoop) {
        connection += 1
        loop.request(.claimScreen, isOpening: true) { writer in
            writer.member("priority", priority)
            writer.member("sound", playsSound)
        } then: { [self] result in
            switch result {
            case .failure(let error): loop.cannotOpen(error)
            case .success:
                loop.opened()
                onEvent(.opened)
            }
        }
    }

    func opened(_ loop: LinkLoop) {}

    func failedToOpen(_ error: CallError, _ loop: LinkLoop) {
        onEvent(.unavailable(error))
    }

    func lost(_ loop: LinkLoop) {
        for id in open.sorted() { withdraw(id) }
    }

    func ended(_ error: CallError?) {
        for id in open.sorted() { withdraw(id) }
        onEvent(.ended(error))
    }

    private func withdraw(_ id: Int64) {
        open.remove(id)
        onEvent(.withdrawn(ScreenRequest(connection: connection, id: id)))
    }

    func receive(_ method: String, id: Int64, _ params: JSONValue?, _ loop: LinkLoop) {
        let request = ScreenRequest(connection: connection, id: id)
        if method == MethodName.present.rawValue, let call = params.flatMap({ Call($0) }) {
            open.insert(id)
            onEvent(.present(request, call))
        } else if method == MethodName.ask.rawValue,
            let question = params.flatMap({ AppQuestion($0) })
        {
            open.insert(id)
            onEvent(.ask(request, question))
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
            guard let id = params?["request"]?.integer, open.contains(id) else { return }
            withdraw(id)
            loop.answer(id, error: .cancelled, reason: "cancelled", "the request was cancelled")
        default: break
        }
    }

    /// Sends a reply, unless the request was withdrawn, or came on a lost connection.
    func reply(to request: ScreenRequest, _ reply: ScreenReply, _ loop: LinkLoop) {
        guard request.connection == connection, open.remove(request.id) != nil else { return }
        loop.answer(request.id) { writer in
            switch reply {
            case .presented(let isPresented): writer.member("presented", isPresented)
            case .answer(let answer): writer.member("answer", answer.rawValue)
            }
        }
    }
}
