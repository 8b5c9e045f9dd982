internal import BrokerJSON
internal import BrokerSocket
internal import CallModel
internal import CallProtocol

/// An event of the owner of the host's audio endpoints, in the order in which the broker sent them.
enum AudioEvent: Sendable {
    case use(String, BrokerRequest)
    case prepare(AudioHandover, BrokerRequest)
    /// The broker does not wait for the reply any more.
    case withdrawn(BrokerRequest)
    /// The last event.
    case ended
}

/// The role of the owner of the host's audio endpoints: it reports the endpoints in each session.
final class AudioRole: LinkRole {
    private let opening: Opening
    private let onChoice: @Sendable (String?) -> Void
    private let onEvent: @Sendable (AudioEvent) -> Void
    /// The latest list; nil before the first.
    private var endpoints: [AudioEndpoint]?
    private var requests = OpenRequests()

    /// - Parameters:
    ///   - opening: settled by the first attempt to open a session.
    ///   - onChoice: receives the user's choice, before the reply that follows from it.
    ///   - onEvent: receives events in order, on the link's thread.
    init(
        _ opening: Opening, onChoice: @escaping @Sendable (String?) -> Void,
        onEvent: @escaping @Sendable (AudioEvent) -> Void
    ) {
        self.opening = opening
        self.onChoice = onChoice
        self.onEvent = onEvent
    }

    func open(_ loop: LinkLoop) {
        requests.reconnect()
        guard let endpoints else { return loop.opened() }
        send(endpoints, loop, isOpening: true) { result in
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
        withdrawAll()
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

    // MARK: - Reports

    /// Reports a list, which replaces the former one also in later sessions, unless the broker refuses
    /// it.
    func report(
        _ list: [AudioEndpoint], _ loop: LinkLoop,
        then: @escaping (Result<String?, CallError>) -> Void
    ) {
        let former = endpoints
        endpoints = list
        send(list, loop) { [self] result in
            if case .failure(let error) = result, ![.disconnected, .closed].contains(error.code),
                endpoints == list
            {
                endpoints = former
            }
            then(result)
        }
    }

    private func send(
        _ list: [AudioEndpoint], _ loop: LinkLoop, isOpening: Bool = false,
        then: @escaping (Result<String?, CallError>) -> Void
    ) {
        loop.request(.reportEndpoints, isOpening: isOpening) { writer in
            writer.member("endpoints", endpoints: list)
        } then: { [self] result in
            let choice = result.map { $0["chosen"]?.string }
            if case .success(let choice) = choice { onChoice(choice) }
            then(choice)
        }
    }

    // MARK: - Requests

    func receive(_ method: String, id: Int64, _ params: JSONValue?, _ loop: LinkLoop) {
        if method == MethodName.useEndpoint.rawValue, let endpoint = params?["endpoint"]?.string {
            onEvent(.use(endpoint, requests.begin(id)))
        } else if method == MethodName.handover.rawValue,
            let handover = params.flatMap({ AudioHandover($0) })
        {
            onEvent(.prepare(handover, requests.begin(id)))
        } else {
            loop.answer(
                id, error: .methodNotFound, reason: "not_supported",
                "this client does not support the method")
        }
    }

    func receive(notification method: String, _ params: JSONValue?, _ loop: LinkLoop) {
        guard method == MethodName.cancel.rawValue,
            let request = requests.cancel(params, loop)
        else { return }
        onEvent(.withdrawn(request))
    }

    /// Answers a request to use an endpoint, unless it was withdrawn, or came on a lost connection.
    func complete(
        _ request: BrokerRequest, using endpoint: String, _ outcome: ActionOutcome, _ loop: LinkLoop
    ) {
        guard requests.end(request) else { return }
        if outcome.isFulfilled {
            onChoice(endpoint)
            loop.answer(request.id) { _ in }
        } else {
            loop.answer(request.id, outcome)
        }
    }

    /// Answers a request to be ready for the audio of a call.
    func complete(_ request: BrokerRequest, _ loop: LinkLoop) {
        if requests.end(request) { loop.answer(request.id) { _ in } }
    }
}
