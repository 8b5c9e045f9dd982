internal import CallClient

/// What an extension adds its callers to. Numbers come in ascending order, those to block and those
/// with a label each for themselves; a number may have several labels. Nothing counts before
/// `completeRequest`, and until then the list that was loaded before does.
///
/// The list goes to the broker as it grows, 500 entries at a time: adding waits while the broker is
/// busy, so a list may be longer than the memory is large. Not for several threads at once.
open class CXCallDirectoryExtensionContext: NSExtensionContext {
    open weak var delegate: (any CXCallDirectoryExtensionContextDelegate)?

    /// Whether only changes are wanted. The broker always takes a whole list.
    open var isIncremental: Bool { false }

    private let identifier: String
    private let completion: @Sendable ((any Error)?) -> Void
    private let load: DirectoryLoad
    private var isOver = false
    /// The extension, until its request is over.
    private var provider: CXCallDirectoryProvider?
    private var blocked = DirectorySequel()
    private var labelled = DirectorySequel()
    private var isEmpty = true

    /// - Parameter completion: hears once what came of the request.
    init(_ identifier: String, completion: @escaping @Sendable ((any Error)?) -> Void) {
        self.identifier = identifier
        self.completion = completion
        load = DirectoryLoad(identifier)
    }

    deinit {
        guard !isOver else { return }
        completion(
            DirectoryFailure.refused(
                .loadingInterrupted,
                "the extension \(identifier) let go of its request without completing it"))
    }

    /// Opens the session, and lets the extension add.
    func run(_ provider: CXCallDirectoryProvider) {
        guard load.open() else { return finish(load.failure) }
        self.provider = provider
        provider.beginRequest(with: self as NSExtensionContext)
    }

    // MARK: - The list

    open func addBlockingEntry(
        withNextSequentialPhoneNumber phoneNumber: CXCallDirectoryPhoneNumber
    ) {
        add(DirectoryEntry(phoneNumber, isBlocked: true), to: \.blocked)
    }

    open func addIdentificationEntry(
        withNextSequentialPhoneNumber phoneNumber: CXCallDirectoryPhoneNumber, label: String
    ) {
        add(DirectoryEntry(phoneNumber, label: label), to: \.labelled)
    }

    open func removeBlockingEntry(withPhoneNumber phoneNumber: CXCallDirectoryPhoneNumber) {
        refuseRemoval()
    }

    open func removeAllBlockingEntries() {
        refuseRemoval()
    }

    open func removeIdentificationEntry(withPhoneNumber phoneNumber: CXCallDirectoryPhoneNumber) {
        refuseRemoval()
    }

    open func removeAllIdentificationEntries() {
        refuseRemoval()
    }

    private func refuseRemoval() {
        load.fail(
            .refused(
                .unexpectedIncrementalRemoval,
                "isIncremental is false, so there is nothing to remove: add the whole list"))
    }

    private func add(
        _ entry: DirectoryEntry,
        to sequel: ReferenceWritableKeyPath<CXCallDirectoryExtensionContext, DirectorySequel>
    ) {
        guard !isOver, load.failure == nil else { return }
        isEmpty = false
        if let error = self[keyPath: sequel].add(entry) { return load.fail(error) }
        if self[keyPath: sequel].entries.count == DirectoryLink.entriesMax {
            load.put(self[keyPath: sequel].take())
        }
    }

    // MARK: - The end

    /// Gives up: what was loaded before stays.
    open override func cancelRequest(withError error: any Error) {
        finish(
            DirectoryFailure(
                .loadingInterrupted,
                userInfo: [
                    NSLocalizedDescriptionKey: "the extension \(identifier) gave up",
                    NSUnderlyingErrorKey: error as NSError,
                ]))
    }

    /// The list is complete. Waits until the broker has it. The handler's `true` would mean that the
    /// host had waited too long, which it never does; what went wrong the delegate hears.
    open func completeRequest(completionHandler: ((Bool) -> Void)? = nil) {
        if !isOver {
            let (blocks, labels) = (blocked.take(), labelled.take())
            if !labels.isEmpty { load.put(blocks) }
            load.complete(labels.isEmpty ? blocks : labels, isEmpty: isEmpty)
        }
        finish(load.failure)
        completionHandler?(false)
    }

    /// Once: the session ends, and whoever waits hears.
    private func finish(_ error: DirectoryFailure?) {
        guard !isOver else { return }
        isOver = true
        load.close()
        if let error { delegate?.requestFailed(for: self, withError: error) }
        provider = nil
        completion(error)
    }
}
