internal import CallClient

/// What an extension adds its callers to. Numbers come in ascending order, those to block and those
/// with a label each for themselves; a number may have several labels. Nothing counts before
/// `completeRequest`, and until then the list that was loaded before does.
///
/// A whole list goes to the broker as it grows, 500 entries at a time: adding waits while the
/// broker is busy, so a list may be longer than the memory is large. Changes are kept until the
/// request is complete. Not for several threads at once.
open class CXCallDirectoryExtensionContext: NSExtensionContext {
    /// What the extension gives.
    private enum Mode {
        case whole
        /// It knows that there is a list of before.
        case changes
    }

    open weak var delegate: (any CXCallDirectoryExtensionContextDelegate)?

    /// Whether only changes to the list of before are wanted: there is one, and this is asked for
    /// before anything is added or removed. Who does not ask gives a whole list.
    open var isIncremental: Bool {
        if mode == nil { mode = !isOver && load.hasList() ? .changes : .whole }
        return mode == .changes
    }

    private let identifier: String
    private let completion: @Sendable ((any Error)?) -> Void
    private let load: DirectoryLoad
    private var isOver = false
    /// The extension, until its request is over.
    private var provider: CXCallDirectoryProvider?
    private var blocked = DirectorySequel()
    private var labelled = DirectorySequel()
    private var removals: [DirectoryChange] = []
    private var isEmpty = true
    /// Nil until it is asked for, or the extension begins.
    private var mode: Mode?

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
        remove(.removeBlock(phoneNumber), phoneNumber, from: \.blocked)
    }

    open func removeAllBlockingEntries() {
        remove(.removeAllBlocks, nil, from: \.blocked)
    }

    open func removeIdentificationEntry(withPhoneNumber phoneNumber: CXCallDirectoryPhoneNumber) {
        remove(.removeLabels(phoneNumber), phoneNumber, from: \.labelled)
    }

    open func removeAllIdentificationEntries() {
        remove(.removeAllLabels, nil, from: \.labelled)
    }

    /// What the request itself has added goes, too; the broker takes removals first.
    private func remove(
        _ change: DirectoryChange, _ number: CXCallDirectoryPhoneNumber?,
        from sequel: ReferenceWritableKeyPath<CXCallDirectoryExtensionContext, DirectorySequel>
    ) {
        guard !isOver, load.failure == nil else { return }
        guard mode == .changes else {
            mode = .whole
            return load.fail(
                .refused(
                    .unexpectedIncrementalRemoval,
                    "there is nothing to remove from a list that is given as a whole: ask for "
                        + "isIncremental first, and remove only if it is true"))
        }
        self[keyPath: sequel].remove(number)
        removals.append(change)
    }

    private func add(
        _ entry: DirectoryEntry,
        to sequel: ReferenceWritableKeyPath<CXCallDirectoryExtensionContext, DirectorySequel>
    ) {
        guard !isOver, load.failure == nil else { return }
        (isEmpty, mode) = (false, mode ?? .whole)
        if let error = self[keyPath: sequel].add(entry) { return load.fail(error) }
        if mode == .whole, self[keyPath: sequel].isFull { load.put(self[keyPath: sequel].take()) }
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

    /// The list is complete, or the changes are. Waits until the broker has it. The handler's
    /// `true` would mean that the host had waited too long, which it never does; what went wrong
    /// the delegate hears.
    open func completeRequest(completionHandler: ((Bool) -> Void)? = nil) {
        if !isOver {
            let (blocks, labels) = (blocked.take(), labelled.take())
            if mode == .changes {
                load.change(removals + (blocks + labels).map(DirectoryChange.add))
            } else {
                if !labels.isEmpty { load.put(blocks) }
                load.complete(labels.isEmpty ? blocks : labels, isEmpty: isEmpty)
            }
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
