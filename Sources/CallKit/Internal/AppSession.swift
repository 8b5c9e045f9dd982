internal import CallClient
internal import CallModel

/// The session of the app with the broker, which its push registry and its provider share. Whichever
/// is there first opens it: an app that a push has started has no provider yet, and is registered
/// with the name of its process until it makes one.
///
/// Further providers of the process have identities, and sessions, of their own.
package final class AppSession: @unchecked Sendable {
    /// What happens to pushes.
    package enum PushEvent: Sendable {
        /// A push with its payload as JSON, to be completed once.
        case received([UInt8], type: String, complete: @Sendable () -> Void)
        /// The address at which the app's server can push to the app; nil: no longer valid.
        case tokenChanged(String?, type: String)
        /// The app has completed a VoIP push without having reported a call.
        case unreported(isStopped: Bool)
    }

    package static let shared = AppSession()

    private final class Key: Sendable {}

    // The lock guards all mutable state. It is also held while a link is made, whose events wait.
    private let lock = NSLock()
    private var link: ProviderLink?
    /// Identifies the link whose events count: a former one may still send some.
    private var key: Key?
    private var pushTypes: [String] = []
    private var onPush: (@Sendable (PushEvent) -> Void)?
    /// The provider, and what it registers.
    private var provider: (@Sendable (ProviderEvent) -> Void)?
    private var configuration: ProviderConfiguration?
    /// Events that wait for a provider.
    private var waiting: [ProviderEvent] = []
    private var hasLogged = false
    /// True if the broker has ended the session for good: only a new provider begins another.
    private var isOver = false

    private static let waitingMax = 64

    // MARK: - The push registries

    /// Sets the types of push that the app takes. With none, and without a provider, the session ends.
    package func setPushTypes(
        _ types: [String], onPush: @escaping @Sendable (PushEvent) -> Void
    ) {
        let over = lock.withLock {
            self.onPush = onPush
            guard types != pushTypes else { return nil as ProviderLink? }
            pushTypes = types
            guard let link else {
                if !types.isEmpty, !isOver { openAlone() }
                return nil
            }
            if types.isEmpty, provider == nil {
                (self.link, key) = (nil, nil)
                return link
            }
            link.update(completed(configuration), dropsPushes: types.isEmpty)
            return nil
        }
        over?.unregister()
    }

    // MARK: - The provider

    /// Returns the session of a provider, which is registered with it. Its events come as if it were
    /// the provider's own.
    func open(
        identity: String, _ configuration: ProviderConfiguration,
        onEvent: @escaping @Sendable (ProviderEvent) -> Void
    ) throws(CallError) -> ProviderLink {
        let registry = ProviderRegistry.shared
        guard identity == registry.appIdentity else {
            return try ProviderLink(
                registry.options, identity: identity, configuration, onEvent: onEvent)
        }
        lock.lock()
        defer { lock.unlock() }
        (provider, self.configuration, isOver) = (onEvent, configuration, false)
        guard let link else { return try connect() }
        link.update(completed(configuration)) { [self] result in
            switch result {
            case .success: join(onEvent)
            case .failure(let error): onEvent(.unavailable(error))
            }
        }
        return link
    }

    /// Begins the events of a provider that has joined the session.
    private func join(_ onEvent: (ProviderEvent) -> Void) {
        let events = lock.withLock {
            defer { waiting = [] }
            return waiting
        }
        onEvent(.registered(dropped: []))
        for event in events { onEvent(event) }
    }

    /// Sends another configuration of a provider.
    func update(_ link: ProviderLink, _ configuration: ProviderConfiguration) {
        let sent = lock.withLock {
            guard link === self.link else { return configuration }
            self.configuration = configuration
            return completed(configuration)
        }
        link.update(sent)
    }

    // MARK: - The session

    /// Returns what is registered: the configuration of the provider, or that of an app without one,
    /// with the types of push, and how the app is started.
    private func completed(_ configuration: ProviderConfiguration?) -> ProviderConfiguration {
        var completed =
            configuration
            ?? CXProviderConfiguration().registration(of: ProviderRegistry.shared.appIdentity)
        completed.pushTypes = pushTypes
        completed.startBy = Self.startBy
        return completed
    }

    /// How the broker starts the app, if the environment says so.
    private static var startBy: StartBy? {
        guard let name = ProcessInfo.processInfo.environment["CALLBROKER_START_BY"] else {
            return nil
        }
        return name.hasSuffix(".desktop") ? .desktop(name) : .dbus(name)
    }

    /// Opens the session. Call it with the lock held.
    private func connect() throws(CallError) -> ProviderLink {
        let registry = ProviderRegistry.shared
        let key = Key()
        let link = try ProviderLink(
            registry.options, identity: registry.appIdentity, completed(configuration)
        ) { [self] in receive($0, key) }
        (self.link, self.key) = (link, key)
        return link
    }

    /// Opens the session for pushes only. Call it with the lock held.
    private func openAlone() {
        do throws(CallError) {
            _ = try connect()
        } catch {
            NSLog("PKPushRegistry: no pushes: %@", error.message)
        }
    }

    // MARK: - Events, on the link's thread

    private func receive(_ event: ProviderEvent, _ key: Key) {
        guard let (link, onPush) = lock.withLock({ key === self.key ? (link, onPush) : nil }) else {
            return
        }
        switch event {
        case .requestedOfApp(let request):
            guard case .receivePush(let payload, let type) = request.work else {
                return pass(event)
            }
            onPush?(
                .received(payload, type: type) {
                    link?.settle(request: request.number, .fulfilled(atMS: nil))
                })
        case .pushTokenChanged(let type, let token): onPush?(.tokenChanged(token, type: type))
        case .pushUnreported(let isStopped): onPush?(.unreported(isStopped: isStopped))
        case .ended(let error): ended(error)
        default: pass(event)
        }
    }

    /// Passes an event to the provider, or has it wait for one.
    private func pass(_ event: ProviderEvent) {
        let provider = lock.withLock {
            if self.provider == nil, event.concernsCalls, waiting.count < Self.waitingMax {
                waiting.append(event)
            }
            return self.provider
        }
        guard let provider else { return report(event) }
        provider(event)
    }

    /// Logs once that there is no broker, as a provider does.
    private func report(_ event: ProviderEvent) {
        guard case .unavailable(let error) = event, lock.withLock({ !hasLogged }) else { return }
        lock.withLock { hasLogged = true }
        NSLog(
            "PKPushRegistry: not registered: %@. %@", error.message,
            error.hint ?? "Retrying in the background; start a broker with: callbroker serve")
    }

    /// Ends the provider's session. One that still takes pushes goes on without it.
    private func ended(_ error: CallError?) {
        let provider = lock.withLock {
            defer {
                (self.provider, configuration, waiting) = (nil, nil, [])
                (link, key) = (nil, nil)
                isOver = error != nil
                if error == nil, !pushTypes.isEmpty { openAlone() }
            }
            return self.provider
        }
        provider?(.ended(error))
    }
}

extension ProviderEvent {
    /// True for what a provider that comes later has to know.
    fileprivate var concernsCalls: Bool {
        switch self {
        case .offered, .requested, .withdrawn, .timedOut, .audioActivated, .audioDeactivated: true
        default: false
        }
    }
}
