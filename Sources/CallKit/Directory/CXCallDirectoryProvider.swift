/// What an extension is run in. This Foundation has none: only what CallKit's own needs.
open class NSExtensionContext: NSObject {
    open func cancelRequest(withError error: any Error) {}
}

/// Whoever takes the requests of an extension.
public protocol NSExtensionRequestHandling: NSObjectProtocol {
    func beginRequest(with context: NSExtensionContext)
}

/// The main class of an extension that lists callers. Override `beginRequest(with:)`, and name the
/// extension to `CXCallDirectoryManager`.
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
