internal import CallClient

/// A telephone number: the country's code and the digits, without the plus.
public typealias CXCallDirectoryPhoneNumber = Int64

// swift-format-ignore: AlwaysUseLowerCamelCase
public let CXCallDirectoryPhoneNumberMax: CXCallDirectoryPhoneNumber = .max - 1

/// Looks after the lists of callers that apps provide: they are kept by the broker, and looked at
/// when somebody calls. The provider of a list never learns who called.
open class CXCallDirectoryManager: NSObject, @unchecked Sendable {
    public enum EnabledStatus: Int, Sendable {
        case unknown = 0
        case disabled = 1
        case enabled = 2
    }

    private static let shared = CXCallDirectoryManager()

    open class var sharedInstance: CXCallDirectoryManager { shared }

    // The lock guards both.
    private let lock = NSLock()
    private var extensions: [String: @Sendable () -> CXCallDirectoryProvider] = [:]
    private var loads: Set<String> = []

    /// Beyond CallKit: what makes the extension with this identifier. There are no bundles here that
    /// would say so; call it before the first `reloadExtension`.
    open func registerExtension(
        withIdentifier identifier: String, _ make: @escaping @Sendable () -> CXCallDirectoryProvider
    ) {
        lock.withLock { extensions[identifier] = make }
    }

    /// Runs the extension, in this process, and hears when the broker has its list.
    open func reloadExtension(
        withIdentifier identifier: String,
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        guard let make = lock.withLock({ extensions[identifier] }) else {
            return answer { completionHandler?(Self.noExtension(identifier)) }
        }
        guard lock.withLock({ loads.insert(identifier).inserted }) else {
            return answer { completionHandler?(Self.busy(identifier)) }
        }
        let context = CXCallDirectoryExtensionContext(identifier) { [self] error in
            lock.withLock { _ = loads.remove(identifier) }
            answer { completionHandler?(error) }
        }
        let handed = Handed(context)
        DispatchQueue.global().async { handed.value.run(make()) }
    }

    /// - Throws: `CXErrorCodeCallDirectoryManagerError`.
    open func reloadExtension(withIdentifier identifier: String) async throws {
        try await waitForCompletion { done in
            reloadExtension(withIdentifier: identifier, completionHandler: done)
        }
    }

    /// Whether the broker lets the extension fill the directory.
    open func getEnabledStatusForExtension(
        withIdentifier identifier: String,
        completionHandler: @escaping @Sendable (EnabledStatus, (any Error)?) -> Void
    ) {
        guard lock.withLock({ extensions[identifier] }) != nil else {
            return answer { completionHandler(.unknown, Self.noExtension(identifier)) }
        }
        Self.ask(identifier) { [self] error in
            let refusal = error?.callDirectory
            switch refusal?.code {
            case nil: answer { completionHandler(.enabled, nil) }
            case .extensionDisabled: answer { completionHandler(.disabled, nil) }
            default: answer { completionHandler(.unknown, refusal) }
            }
        }
    }

    open func enabledStatusForExtension(
        withIdentifier identifier: String
    ) async throws -> EnabledStatus {
        try await outcome { done in
            getEnabledStatusForExtension(withIdentifier: identifier) { status, error in
                done(error.map { .failure($0) } ?? .success(status))
            }
        }
    }

    /// There is no screen with settings: always refused.
    open func openSettings(completionHandler: (@Sendable ((any Error)?) -> Void)? = nil) {
        answer { completionHandler?(Self.noSettings) }
    }

    open func openSettings() async throws {
        throw Self.noSettings
    }

    private func answer(_ completion: @escaping @Sendable () -> Void) {
        DispatchQueue.global().async(execute: completion)
    }

    /// Opens a session as this source, and closes it again: there is one of a name, so nobody hears
    /// before it is gone.
    private static func ask(_ identifier: String, _ then: @escaping @Sendable (CallError?) -> Void)
    {
        let kept = Kept<DirectoryLink>()
        do throws(CallError) {
            let options = ProviderRegistry.shared.options
            let link = try DirectoryLink(options, identity: identifier) { error in
                kept.drop()?.close()
                if let error { then(error) }
            } lost: { _ in
                then(nil)
            }
            kept.keep(link)
        } catch {
            then(error)
        }
    }

    // MARK: - What it says

    private static func noExtension(_ identifier: String) -> any Error {
        DirectoryFailure.refused(
            .noExtensionFound,
            "there is no extension \(identifier) in this program: name it with "
                + "CXCallDirectoryManager.sharedInstance.registerExtension(withIdentifier:_:)")
    }

    private static func busy(_ identifier: String) -> any Error {
        DirectoryFailure.refused(
            .currentlyLoading,
            "the list of \(identifier) is being loaded: wait for the completion of that reload")
    }

    private static var noSettings: any Error {
        DirectoryFailure.refused(
            .unknown,
            "there is no screen with settings on this host: its administrator grants the role "
                + "directory to an extension in the manifest of that name")
    }
}

/// Keeps something until it is dropped, once, from whichever thread; also if that came first.
private final class Kept<Value: Sendable>: @unchecked Sendable {
    // The lock guards both.
    private let lock = NSLock()
    private var value: Value?
    private var isDropped = false

    func keep(_ value: Value) {
        lock.withLock { if !isDropped { self.value = value } }
    }

    func drop() -> Value? {
        lock.withLock {
            isDropped = true
            defer { value = nil }
            return value
        }
    }
}
