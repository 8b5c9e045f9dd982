internal import CallClient

/// A telephone number: country code and digits, without the plus sign.
public typealias CXCallDirectoryPhoneNumber = Int64

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The largest number that an extension may add.
public let CXCallDirectoryPhoneNumberMax: CXCallDirectoryPhoneNumber = .max - 1

/// The manager of the lists of callers that apps provide. The broker stores the lists and looks
/// callers up in them; the provider of a list never learns who called.
///
/// All members may be used from any thread, and all completions are called on a global queue.
open class CXCallDirectoryManager: NSObject, @unchecked Sendable {
    /// The permission of an extension to provide a list. Raw values are Apple's, as in PyObjC.
    public enum EnabledStatus: Int, Sendable {
        /// The broker could not be asked; the error that comes with it states why.
        case unknown = 0
        /// The broker does not grant the extension the role `directory`.
        case disabled = 1
        /// The broker grants the role.
        case enabled = 2
    }

    private static let shared = CXCallDirectoryManager()

    /// The one manager of the process.
    open class var sharedInstance: CXCallDirectoryManager { shared }

    // The lock guards both.
    private let lock = NSLock()
    private var extensions: [String: @Sendable () -> CXCallDirectoryProvider] = [:]
    private var loads: Set<String> = []

    /// Registers the closure that makes an extension; an addition to CallKit, which finds
    /// extensions in bundles. Call it before the first `reloadExtension`.
    ///
    /// - Parameters:
    ///   - identifier: the identity of the list for the broker; a manifest of that name
    ///     must grant it the role `directory`.
    ///   - make: called on a global queue, once for each reload.
    open func registerExtension(
        withIdentifier identifier: String, _ make: @escaping @Sendable () -> CXCallDirectoryProvider
    ) {
        lock.withLock { extensions[identifier] = make }
    }

    /// Runs an extension in this process, on a global queue, to load its list again.
    ///
    /// - Parameters:
    ///   - identifier: the identity of a registered extension.
    ///   - completionHandler: called with nil when the broker has stored the list, otherwise with a
    ///     `CXErrorCodeCallDirectoryManagerError`.
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
        let transferred = Transferred(context)
        DispatchQueue.global().async { transferred.value.run(make()) }
    }

    /// Runs an extension in this process, and returns when the broker has stored its list.
    ///
    /// - Throws: `CXErrorCodeCallDirectoryManagerError`.
    open func reloadExtension(withIdentifier identifier: String) async throws {
        try await waitForCompletion { done in
            reloadExtension(withIdentifier: identifier, completionHandler: done)
        }
    }

    /// Asks the broker whether an extension may provide a list.
    ///
    /// - Parameters:
    ///   - identifier: the identity of a registered extension.
    ///   - completionHandler: called with the status, and with an error if it is `unknown`.
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

    /// Returns whether the broker lets an extension provide a list.
    ///
    /// - Throws: `CXErrorCodeCallDirectoryManagerError` if the status is unknown.
    open func enabledStatusForExtension(
        withIdentifier identifier: String
    ) async throws -> EnabledStatus {
        try await outcome { done in
            getEnabledStatusForExtension(withIdentifier: identifier) { status, error in
                done(error.map { .failure($0) } ?? .success(status))
            }
        }
    }

    /// Always refused, because this host has no settings app.
    ///
    /// - Parameter completionHandler: called with a `CXErrorCodeCallDirectoryManagerError`.
    open func openSettings(completionHandler: (@Sendable ((any Error)?) -> Void)? = nil) {
        answer { completionHandler?(Self.noSettings) }
    }

    /// Always refused, because this host has no settings app.
    ///
    /// - Throws: `CXErrorCodeCallDirectoryManagerError`.
    open func openSettings() async throws {
        throw Self.noSettings
    }

    private func answer(_ completion: @escaping @Sendable () -> Void) {
        DispatchQueue.global().async(execute: completion)
    }

    /// Opens a session as a source, and closes it again. There is one session per source, so the
    /// completion is called only when it has closed.
    private static func ask(_ identifier: String, _ then: @escaping @Sendable (CallError?) -> Void)
    {
        let retained = Retained<DirectoryLink>()
        do throws(CallError) {
            let options = ProviderRegistry.shared.options
            let link = try DirectoryLink(options, identity: identifier) { error in
                retained.release()?.close()
                if let error { then(error) }
            } lost: { _ in
                then(nil)
            }
            retained.store(link)
        } catch {
            then(error)
        }
    }

    // MARK: - Errors

    private static func noExtension(_ identifier: String) -> any Error {
        DirectoryFailure.refused(
            .noExtensionFound,
            "no extension \(identifier) is registered in this program: register it with "
                + "CXCallDirectoryManager.sharedInstance.registerExtension(withIdentifier:_:)")
    }

    private static func busy(_ identifier: String) -> any Error {
        DirectoryFailure.refused(
            .currentlyLoading,
            "the list of \(identifier) is being loaded already: wait for that reload to complete")
    }

    private static var noSettings: any Error {
        DirectoryFailure.refused(
            .unknown,
            "this host has no settings app: an administrator grants an extension the role "
                + "directory in the manifest of that name")
    }
}

/// A value that is retained until it is released, once, from any thread. A value stored after the
/// release is not retained.
private final class Retained<Value: Sendable>: @unchecked Sendable {
    // The lock guards both.
    private let lock = NSLock()
    private var value: Value?
    private var isReleased = false

    func store(_ value: Value) {
        lock.withLock { if !isReleased { self.value = value } }
    }

    func release() -> Value? {
        lock.withLock {
            isReleased = true
            defer { value = nil }
            return value
        }
    }
}
