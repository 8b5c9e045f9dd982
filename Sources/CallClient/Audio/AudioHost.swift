internal import BrokerJSON
internal import BrokerSocket
public import CallModel
internal import CallProtocol
internal import Synchronization

/// The owner of the host's audio endpoints: it reports them, and moves the sound of calls to the one
/// that the user chooses. One client at a time has this role.
///
/// The endpoints are those of calls whose apps have none of their own. They are reported again after
/// a lost connection.
public final class AudioHost: Sendable {
    private let link: Link
    /// Returns the delegate, which is held weakly.
    private let delegate: @Sendable () -> (any AudioHostDelegate)?
    private let choice: Choice
    private let tasks = RequestTasks()

    /// The endpoint that the user has chosen last, even if it is not in the reported list; nil before
    /// the first report, or without a choice.
    public var chosenEndpoint: String? {
        choice.endpoint.withLock { $0 }
    }

    /// Opens a session in which endpoints can be reported.
    ///
    /// - Parameters:
    ///   - identity: a stable reverse-domain name such as `org.example.sound`.
    ///   - delegate: moves the sound; held weakly.
    ///   - options: the broker's socket, and how lost sessions are opened again.
    /// - Throws: `CallError` if no broker answers or the broker refuses the session, for example
    ///   because another client has the role.
    public init(
        identity: String, delegate: any AudioHostDelegate,
        _ options: ClientOptions = ClientOptions()
    ) async throws(CallError) {
        let opening = Opening()
        let choice = Choice()
        let (events, queue) = AsyncStream.makeStream(of: AudioEvent.self)
        self.choice = choice
        self.delegate = { [weak delegate] in delegate }
        link = try Link(options, roles: [.audio, .observer], identity: identity) {
            AudioRole(opening) {
                choice.change(to: $0)
            } onEvent: { event in
                queue.yield(event)
                if case .ended = event { queue.finish() }
            }
        }
        events.handle { [weak self] in self?.receive($0) }
        try await opening.value().get()
    }

    deinit {
        link.close()
    }

    /// Ends the session. The host has no endpoints then, until another client reports some.
    public func close() {
        link.close()
    }

    /// Reports all endpoints: at the start, and whenever one comes, goes or is used.
    ///
    /// - Returns: the endpoint that the user has chosen last, even if it is not in the list: use it,
    ///   if it is there.
    /// - Throws: `CallError`: `invalidParams` (more than 16 endpoints), or `disconnected`, in which
    ///   case the list is reported in the next session.
    @discardableResult
    public func reportEndpoints(_ endpoints: [AudioEndpoint]) async throws(CallError) -> String? {
        let reply = Promise<Result<String?, CallError>>()
        let isOpen = link.post { loop in
            (loop.role as? AudioRole)?.report(endpoints, loop) { reply.settle($0) }
        }
        guard isOpen else { throw .closed }
        return try await reply.value().get()
    }

    // MARK: - Requests

    private func receive(_ event: AudioEvent) {
        switch event {
        case .use(let endpoint, let request):
            tasks.begin(request) { [self] in await use(endpoint, request) }
        case .prepare(let handover, let request):
            tasks.begin(request) { [self] in await prepare(handover, request) }
        case .withdrawn(let request): tasks.cancel(request)
        case .ended: break
        }
    }

    private func use(_ endpoint: String, _ request: BrokerRequest) async {
        let outcome = await ActionOutcome {
            guard let delegate = delegate() else { throw ActionFailure.unsupported }
            try await delegate.host(self, use: endpoint)
        }
        link.post { loop in
            (loop.role as? AudioRole)?.complete(request, using: endpoint, outcome, loop)
        }
    }

    private func prepare(_ handover: AudioHandover, _ request: BrokerRequest) async {
        await delegate()?.host(self, prepareFor: handover)
        link.post { loop in (loop.role as? AudioRole)?.complete(request, loop) }
    }
}

/// The user's choice, which the link's thread changes.
private final class Choice: Sendable {
    let endpoint = Mutex<String?>(nil)

    func change(to endpoint: String?) {
        self.endpoint.withLock { $0 = endpoint }
    }
}

/// The sound of the host. A task is cancelled when the broker does not wait for it any more.
public protocol AudioHostDelegate: AnyObject, Sendable {
    /// Moves the sound of the live call, if there is one, to an endpoint, and lets the next calls come
    /// out there. Returning means that it is done, throwing that the sound is where it was, with an
    /// `ActionFailure` for the reason. The broker waits for 10 s.
    func host(_ host: AudioHost, use endpoint: String) async throws
    /// Prepares for the audio of a call, whose app gets it when this method returns, after 2 s at the
    /// latest. Called if the policy names this client in `handover.observers`.
    func host(_ host: AudioHost, prepareFor handover: AudioHandover) async
}

extension AudioHostDelegate {
    /// Returns at once.
    public func host(_ host: AudioHost, prepareFor handover: AudioHandover) async {}
}
