/// A telephone number: the country's code and the digits, without the plus.
public typealias CXCallDirectoryPhoneNumber = Int64

// swift-format-ignore: AlwaysUseLowerCamelCase
public let CXCallDirectoryPhoneNumberMax: CXCallDirectoryPhoneNumber = .max - 1

/// Looks after the lists of callers that apps provide. This release of the broker has no such lists:
/// everything here answers with an error that says so.
open class CXCallDirectoryManager: NSObject, @unchecked Sendable {
    public enum EnabledStatus: Int, Sendable {
        case unknown = 0
        case disabled = 1
        case enabled = 2
    }

    private static let shared = CXCallDirectoryManager()

    open class var sharedInstance: CXCallDirectoryManager { shared }

    open func reloadExtension(
        withIdentifier identifier: String,
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        DispatchQueue.global().async { completionHandler?(Self.noDirectory) }
    }

    open func reloadExtension(withIdentifier identifier: String) async throws {
        throw Self.noDirectory
    }

    open func getEnabledStatusForExtension(
        withIdentifier identifier: String,
        completionHandler: @escaping @Sendable (EnabledStatus, (any Error)?) -> Void
    ) {
        DispatchQueue.global().async { completionHandler(.unknown, Self.noDirectory) }
    }

    open func enabledStatusForExtension(
        withIdentifier identifier: String
    ) async throws -> EnabledStatus {
        throw Self.noDirectory
    }

    open func openSettings(completionHandler: (@Sendable ((any Error)?) -> Void)? = nil) {
        DispatchQueue.global().async { completionHandler?(Self.noDirectory) }
    }

    open func openSettings() async throws {
        throw Self.noDirectory
    }

    static var noDirectory: any Error {
        CXErrorCodeCallDirectoryManagerError(
            .noExtensionFound,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "this release of the broker has no directory of callers, so no extension can be "
                    + "loaded; give the caller's name in CXCallUpdate.localizedCallerName instead"
            ])
    }
}

/// What an extension is run in. This Foundation has none: only what CallKit's own needs.
open class NSExtensionContext: NSObject {
    open func cancelRequest(withError error: any Error) {}
}

/// Whoever takes the requests of an extension.
public protocol NSExtensionRequestHandling: NSObjectProtocol {
    func beginRequest(with context: NSExtensionContext)
}

/// The main class of an extension that lists callers. Override `beginRequest(with:)`; this release
/// of the broker never calls it.
open class CXCallDirectoryProvider: NSObject, NSExtensionRequestHandling {
    public override init() {}

    open func beginRequest(with context: CXCallDirectoryExtensionContext) {}

    open func beginRequest(with context: NSExtensionContext) {
        if let context = context as? CXCallDirectoryExtensionContext { beginRequest(with: context) }
    }
}

/// Hears that a list was not loaded.
public protocol CXCallDirectoryExtensionContextDelegate: NSObjectProtocol {
    func requestFailed(
        for extensionContext: CXCallDirectoryExtensionContext, withError error: any Error)
}

/// What an extension adds its callers to. Only the host makes one, and this release of the broker
/// does not; its entries would go nowhere, and completing says so.
open class CXCallDirectoryExtensionContext: NSExtensionContext {
    open weak var delegate: (any CXCallDirectoryExtensionContextDelegate)?

    /// Whether only changes are wanted.
    open var isIncremental: Bool { false }

    override init() {}

    open func addBlockingEntry(
        withNextSequentialPhoneNumber phoneNumber: CXCallDirectoryPhoneNumber
    ) {}

    open func addIdentificationEntry(
        withNextSequentialPhoneNumber phoneNumber: CXCallDirectoryPhoneNumber, label: String
    ) {}

    open func removeBlockingEntry(withPhoneNumber phoneNumber: CXCallDirectoryPhoneNumber) {}
    open func removeAllBlockingEntries() {}
    open func removeIdentificationEntry(withPhoneNumber phoneNumber: CXCallDirectoryPhoneNumber) {}
    open func removeAllIdentificationEntries() {}

    open override func cancelRequest(withError error: any Error) {
        delegate?.requestFailed(for: self, withError: error)
    }

    /// Tells the delegate that nothing was loaded; `true` is CallKit's word for "not in time".
    open func completeRequest(completionHandler: ((Bool) -> Void)? = nil) {
        delegate?.requestFailed(for: self, withError: CXCallDirectoryManager.noDirectory)
        completionHandler?(true)
    }
}
