internal import CallClient
internal import CallModel

/// The providers of the process with their identities. Controllers look up here which provider has
/// a call.
final class ProviderRegistry: @unchecked Sendable {
    static let shared = ProviderRegistry()

    // The lock guards all mutable state.
    private let lock = NSLock()
    private var identities: Set<String> = []
    private var providers: [WeakProvider] = []
    private var names = CallNames()
    private var storedOptions = ClientOptions()
    private var storedPatience = 5.0

    /// The options of every connection of the process. Only tests change them, each with its own
    /// broker.
    var options: ClientOptions {
        get { lock.withLock { storedOptions } }
        set { lock.withLock { storedOptions = newValue } }
    }

    /// The time, in seconds, for which `init`, `invalidate` and the first read of the calls wait
    /// for the broker. Only tests change it, which must not depend on the speed of the machine.
    var patience: Double {
        get { lock.withLock { storedPatience } }
        set { lock.withLock { storedPatience = newValue } }
    }

    /// Reserves an identity that no other provider of the process has.
    func reserveIdentity() -> String {
        lock.withLock {
            let first = Self.identity
            var (name, number) = (first, 1)
            while identities.contains(name) {
                number += 1
                name = "\(first).\(number)"
            }
            identities.insert(name)
            return name
        }
    }

    func releaseIdentity(_ identity: String) {
        lock.withLock { _ = identities.remove(identity) }
    }

    func add(_ provider: CXProvider) {
        let entry = WeakProvider(provider)
        lock.withLock { providers.append(entry) }
    }

    func remove(_ provider: CXProvider) {
        lock.withLock {
            providers.removeAll { $0.provider == nil || $0.provider === provider }
        }
    }

    /// Records the app's id of a call that has another id for the broker.
    func name(_ call: CallID, _ uuid: UUID) {
        let (old, live) = lock.withLock {
            names.name(call, uuid)
            return (names.old, providers.compactMap(\.provider))
        }
        // Without the lock, because a provider that holds its own lock looks up names.
        let over = old.filter { uuid in !live.contains { $0.hasCall(uuid) } }
        lock.withLock { names.forget(Set(over)) }
    }

    func id(of uuid: UUID) -> CallID? {
        lock.withLock { names.id(of: uuid) }
    }

    func uuid(of call: CallID) -> UUID? {
        lock.withLock { names.uuid(of: call) }
    }

    /// Returns whether a call belongs to a provider of this process that has not received it yet.
    func isUnknownToApp(_ call: CallID, of provider: ProviderID) -> Bool {
        let own = lock.withLock { providers.compactMap(\.provider) }
            .first { $0.identity == provider.name }
        return own.map { !$0.hasCall(call.uuid) } ?? false
    }

    /// The provider that has one of the calls, otherwise the newest provider.
    func provider(for calls: [UUID]) -> CXProvider? {
        let live = lock.withLock { providers.compactMap(\.provider) }
        return live.last { provider in calls.contains(where: provider.hasCall) } ?? live.last
    }

    /// The identity of the app: from the environment, from the bundle, or from the name of the
    /// process.
    private static var identity: String {
        let environment = ProcessInfo.processInfo.environment["CALLBROKER_IDENTITY"]
        let chosen = [environment, Bundle.main.bundleIdentifier].compactMap { $0 }
            .first { isIdentity($0) }
        return chosen ?? "local." + label(ProcessInfo.processInfo.processName)
    }

    private static func isIdentity(_ name: String) -> Bool {
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2 && name.utf8.count <= 120
            && labels.allSatisfy { !$0.isEmpty && label(String($0)) == $0 }
    }

    private static func label(_ name: String) -> String {
        let bytes = name.utf8.prefix(100).map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                byte
            default: UInt8(ascii: "-")
            }
        }
        return bytes.isEmpty ? "app" : String(decoding: bytes, as: UTF8.self)
    }
}

/// A weak reference to a provider.
final class WeakProvider: @unchecked Sendable {
    // Set once; the runtime makes weak references safe to read.
    private(set) weak var provider: CXProvider?

    init(_ provider: CXProvider) {
        self.provider = provider
    }
}

/// A value that is transferred to another queue: the sender does not use it any more, or the value
/// has a lock of its own.
package struct Transferred<Value>: @unchecked Sendable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }
}

/// A gate that blocks threads until it is opened, once and for all.
final class Gate: Sendable {
    private let group = DispatchGroup()
    private let lock = NSLock()

    init() {
        group.enter()
    }

    // A group must not be deallocated before it is left.
    deinit {
        open()
    }

    /// Opens the gate. A second call has no effect.
    func open() {
        lock.withLock { if group.wait(timeout: .now()) == .timedOut { group.leave() } }
    }

    /// Blocks until the gate is open, and returns false if it did not open in time.
    @discardableResult
    func wait(seconds: Double) -> Bool {
        group.wait(timeout: .now() + seconds) == .success
    }
}
