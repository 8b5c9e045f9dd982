internal import CallClient
internal import CallModel

/// The providers of this process: who they are, and which of them a controller asks.
final class ProviderRegistry: @unchecked Sendable {
    static let shared = ProviderRegistry()

    // The lock guards all that changes.
    private let lock = NSLock()
    private var taken: Set<String> = []
    private var providers: [WeakProvider] = []
    private var names = CallNames()
    private var chosenOptions = ClientOptions()
    private var chosenPatience = 5.0

    /// How everybody in this process connects. Changed by tests only, which have a broker each.
    var options: ClientOptions {
        get { lock.withLock { chosenOptions } }
        set { lock.withLock { chosenOptions = newValue } }
    }

    /// How long `init`, `invalidate` and the first look at the calls wait for the broker, in
    /// seconds. Changed by tests only, which must not depend on how fast the machine is.
    var patience: Double {
        get { lock.withLock { chosenPatience } }
        set { lock.withLock { chosenPatience = newValue } }
    }

    /// A name that no other provider of this process has.
    func takeIdentity() -> String {
        lock.withLock {
            let first = Self.identity
            var (name, number) = (first, 1)
            while taken.contains(name) {
                number += 1
                name = "\(first).\(number)"
            }
            taken.insert(name)
            return name
        }
    }

    func giveBack(_ identity: String) {
        lock.withLock { _ = taken.remove(identity) }
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

    /// What an app calls a call that it has not named first.
    func name(_ call: CallID, _ uuid: UUID) {
        let (old, live) = lock.withLock {
            names.name(call, uuid)
            return (names.old, providers.compactMap(\.provider))
        }
        // Without the lock: a provider that holds its own asks for names.
        let over = old.filter { uuid in !live.contains { $0.hasCall(uuid) } }
        lock.withLock { names.forget(Set(over)) }
    }

    func id(of uuid: UUID) -> CallID? {
        lock.withLock { names.id(of: uuid) }
    }

    func uuid(of call: CallID) -> UUID? {
        lock.withLock { names.uuid(of: call) }
    }

    /// Whether a provider of this process has not been told of its own call.
    func isUntold(_ call: CallID, of provider: ProviderID) -> Bool {
        let own = lock.withLock { providers.compactMap(\.provider) }
            .first { $0.identity == provider.name }
        return own.map { !$0.hasCall(call.uuid) } ?? false
    }

    /// The one whose calls these are; for a new call the latest.
    func provider(for calls: [UUID]) -> CXProvider? {
        let live = lock.withLock { providers.compactMap(\.provider) }
        return live.last { provider in calls.contains(where: provider.hasCall) } ?? live.last
    }

    /// Who this app is, where the environment does not say.
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

/// A provider, as long as its app keeps it.
final class WeakProvider: @unchecked Sendable {
    // Set once; the runtime makes weak references safe to read.
    private(set) weak var provider: CXProvider?

    init(_ provider: CXProvider) {
        self.provider = provider
    }
}

/// What is handed to another queue: it is not looked at here any more, or guards itself with a lock.
struct Handed<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

/// Holds up whoever waits, until it opens.
final class Gate: Sendable {
    private let group = DispatchGroup()
    private let lock = NSLock()

    init() {
        group.enter()
    }

    // A group must not go away while somebody is in it.
    deinit {
        open()
    }

    /// Opening it again changes nothing.
    func open() {
        lock.withLock { if group.wait(timeout: .now()) == .timedOut { group.leave() } }
    }

    /// False if it has not opened by then.
    @discardableResult
    func wait(seconds: Double) -> Bool {
        group.wait(timeout: .now() + seconds) == .success
    }
}
