/// The context in which an extension runs. Foundation on Linux does not declare it; here it has
/// what `CXCallDirectoryExtensionContext` needs and no more.
open class NSExtensionContext: NSObject {
    /// Gives the request up. Subclasses override it; this one has no effect.
    open func cancelRequest(withError error: any Error) {}
}

/// The main object of an extension, which handles its requests.
public protocol NSExtensionRequestHandling: NSObjectProtocol {
    /// Called on a global queue to handle a request.
    func beginRequest(with context: NSExtensionContext)
}

/// The superclass of an extension that provides a list of callers. Override `beginRequest(with:)`,
/// and register the extension with `CXCallDirectoryManager`.
open class CXCallDirectoryProvider: NSObject, NSExtensionRequestHandling {
    /// Makes an extension for one reload.
    public override init() {}

    /// Called on a global queue to provide the list: add entries to the context and complete it, in
    /// this method or later. The default has no effect, and the reload then fails as interrupted.
    open func beginRequest(with context: CXCallDirectoryExtensionContext) {}

    /// Calls the overload for `CXCallDirectoryExtensionContext`.
    open func beginRequest(with context: NSExtensionContext) {
        if let context = context as? CXCallDirectoryExtensionContext { beginRequest(with: context) }
    }
}

/// The receiver of failures of a request.
public protocol CXCallDirectoryExtensionContextDelegate: NSObjectProtocol {
    /// Called once if the list was not loaded, before the completion of the reload.
    func requestFailed(
        for extensionContext: CXCallDirectoryExtensionContext, withError error: any Error)
}
