internal import CallClient
internal import Synchronization

/// The log of a provider's connection: one line when there is no broker, one when there is again,
/// however often it tries meanwhile.
final class OutageLog: Sendable {
    private let identity: String
    private let isLogged = Mutex(false)

    init(_ identity: String) {
        self.identity = identity
    }

    func unavailable(_ error: CallError) {
        guard begins() else { return }
        NSLog(
            "CXProvider %@ is not registered: %@. %@", identity, error.message,
            error.hint ?? "Retrying in the background; start a broker with: callbroker serve")
    }

    func lost() {
        guard begins() else { return }
        NSLog("CXProvider %@ has lost the broker. Its calls continue; it connects again.", identity)
    }

    func registered() {
        let wasLogged = isLogged.withLock { isLogged in
            defer { isLogged = false }
            return isLogged
        }
        if wasLogged { NSLog("CXProvider %@ is registered: there is a broker.", identity) }
    }

    private func begins() -> Bool {
        isLogged.withLock { isLogged in
            defer { isLogged = true }
            return !isLogged
        }
    }
}
