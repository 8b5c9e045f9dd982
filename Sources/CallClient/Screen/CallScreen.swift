internal import BrokerJSON
internal import BrokerSocket
public import CallModel
internal import CallProtocol

/// A screen: it presents calls to the user, and asks the user about apps. What the user does to a call
/// is requested by a `CallController`, and changes of calls are the elements of a `CallObserver`.
///
/// The broker names one screen for each call. The claim is made again after a lost connection.
public final class CallScreen: Sendable {
    private let link: Link
    /// Returns the delegate, which is held weakly.
    private let delegate: @Sendable () -> (any CallScreenDelegate)?
    private let tasks = RequestTasks()

    /// Opens a session and claims the presentation of calls.
    ///
    /// - Parameters:
    ///   - identity: a stable reverse-domain name such as `org.example.screen`.
    ///   - priority: -1,000 to 1,000; the highest of all screens presents calls.
    ///   - playsSound: true if the screen rings for the calls that it presents.
    ///   - delegate: presents calls and asks the user; held weakly.
    ///   - options: the broker's socket, and how lost sessions are opened again.
    /// - Throws: `CallError` if no broker answers or the broker refuses the session.
    public init(
        identity: String, priority: Int = 0, playsSound: Bool = false,
        delegate: any CallScreenDelegate, _ options: ClientOptions = ClientOptions()
    ) async throws(CallError) {
        let opening = Opening()
        let (events, queue) = AsyncStream.makeStream(of: ScreenEvent.self)
        self.delegate = { [weak delegate] in delegate }
        link = try Link(options, roles: .ui, identity: identity) {
            ScreenRole(opening, priority: priority, playsSound: playsSound) { event in
                queue.yield(event)
                if case .ended = event { queue.finish() }
            }
        }
        events.handle { [weak self] in await self?.receive($0) }
        try await opening.value().get()
    }

    deinit {
        link.close()
    }

    /// Releases the claim and ends the session.
    public func close() {
        link.close()
    }

    // MARK: - Events

    private func receive(_ event: ScreenEvent) async {
        switch event {
        case .present(let request, let call):
            begin(request) { [self] in
                let isPresented = await delegate()?.screen(self, present: call) ?? false
                return .presented(isPresented)
            }
        case .ask(let request, let question):
            begin(request) { [self] in
                .answer(await delegate()?.screen(self, ask: question) ?? .later)
            }
        case .withdrawn(let request): tasks.cancel(request)
        case .dismiss(let call): await delegate()?.screen(self, dismiss: call)
        case .ended: break
        }
    }

    private func begin(
        _ request: BrokerRequest, _ answer: @escaping @Sendable () async -> ScreenReply
    ) {
        tasks.begin(request) { [self] in
            let reply = await answer()
            link.post { loop in
                (loop.role as? ScreenRole)?.reply(to: request, reply, loop)
            }
        }
    }
}

/// The user's side of a screen. Methods without an implementation present nothing, and put questions
/// off. A task is cancelled when the broker does not wait for it any more.
public protocol CallScreenDelegate: AnyObject, Sendable {
    /// Presents a call, and returns true if the user can see it here. The broker asks the next
    /// screen after 2 s.
    func screen(_ screen: CallScreen, present call: Call) async -> Bool
    /// Dismisses a call: it has ended, or another screen presents it.
    func screen(_ screen: CallScreen, dismiss call: CallID) async
    /// Asks the user about an app, and returns the answer. After a minute it is put off.
    func screen(_ screen: CallScreen, ask question: AppQuestion) async -> AppQuestion.Answer
}

extension CallScreenDelegate {
    /// Returns false.
    public func screen(_ screen: CallScreen, present call: Call) async -> Bool { false }

    /// Has no effect.
    public func screen(_ screen: CallScreen, dismiss call: CallID) async {}

    /// Returns `later`.
    public func screen(
        _ screen: CallScreen, ask question: AppQuestion
    ) async -> AppQuestion.Answer { .later }
}
