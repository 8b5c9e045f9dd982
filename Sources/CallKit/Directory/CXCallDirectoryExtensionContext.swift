internal import CallClient

/// A request to an extension for its list of callers. The extension adds numbers in ascending
/// order, those to block and those with a label each in an order of their own; a number may have
/// several labels. Nothing takes effect before `completeRequest`: until then the previous list is
/// used.
///
/// A whole list is sent to the broker while it grows, 500 entries at a time. Adding waits while the
/// broker is busy, so memory does not grow with the list. Changes are kept until the request is
/// complete. The context must not be used from several threads at once.
open class CXCallDirectoryExtensionContext: NSExtensionContext {
    /// The kind of data that the extension provides.
    private enum Mode {
        case whole
        /// The extension has read that `isIncremental` is true.
        case changes
    }

    /// The receiver of failures. It is called on the thread that ends the request.
    open weak var delegate: (any CXCallDirectoryExtensionContextDelegate)?

    /// True if the extension provides only changes to its previous list, false if it provides a
    /// whole list. It is true if the broker has a previous list and this property is read before
    /// anything is added or removed; the first read asks the broker. An extension that does not
    /// read it provides a whole list.
    open var isIncremental: Bool {
        if mode == nil { mode = !isOver && load.hasList() ? .changes : .whole }
        return mode == .changes
    }

    private let identifier: String
    private let completion: @Sendable ((any Error)?) -> Void
    private let load: DirectoryLoad
    private var isOver = false
    /// The extension, retained until its request is over.
    private var provider: CXCallDirectoryProvider?
    private var blocked = OrderedEntries()
    private var labeled = OrderedEntries()
    private var removals: [DirectoryChange] = []
    private var isEmpty = true
    /// The mode; nil until `isIncremental` is read or the first entry is added.
    private var mode: Mode?

    /// - Parameter completion: called once, with the outcome of the request.
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
                "the extension \(identifier) released its request without completing it: "
                    + "call completeRequest(completionHandler:)"))
    }

    /// Opens the session, and starts the extension.
    func run(_ provider: CXCallDirectoryProvider) {
        guard load.open() else { return finish(load.failure) }
        self.provider = provider
        provider.beginRequest(with: self as NSExtensionContext)
    }

    // MARK: - The list

    /// Adds a number whose calls do not ring. A number below the one before fails the request with
    /// `entriesOutOfOrder`, the same one again with `duplicateEntries`.
    ///
    /// - Parameter phoneNumber: country code and digits, from 1 to `CXCallDirectoryPhoneNumberMax`.
    open func addBlockingEntry(
        withNextSequentialPhoneNumber phoneNumber: CXCallDirectoryPhoneNumber
    ) {
        add(DirectoryEntry(phoneNumber, isBlocked: true), to: \.blocked)
    }

    /// Adds a label for a number. A number below the one before fails the request with
    /// `entriesOutOfOrder`, the same label for the same number again with `duplicateEntries`.
    ///
    /// - Parameters:
    ///   - phoneNumber: country code and digits, from 1 to `CXCallDirectoryPhoneNumberMax`.
    ///   - label: the text that the host shows for calls from that number.
    open func addIdentificationEntry(
        withNextSequentialPhoneNumber phoneNumber: CXCallDirectoryPhoneNumber, label: String
    ) {
        add(DirectoryEntry(phoneNumber, label: label), to: \.labeled)
    }

    /// Unblocks a number of the previous list. A number that is not blocked is ignored; a request
    /// that is not incremental fails with `unexpectedIncrementalRemoval`. Removals take effect
    /// before additions.
    open func removeBlockingEntry(withPhoneNumber phoneNumber: CXCallDirectoryPhoneNumber) {
        remove(.removeBlock(phoneNumber), phoneNumber, from: \.blocked)
    }

    /// Unblocks all numbers of the previous list. A request that is not incremental fails with
    /// `unexpectedIncrementalRemoval`.
    open func removeAllBlockingEntries() {
        remove(.removeAllBlocks, nil, from: \.blocked)
    }

    /// Removes all labels of a number of the previous list. A number without one is ignored; a
    /// request that is not incremental fails with `unexpectedIncrementalRemoval`. Removals take
    /// effect before additions.
    open func removeIdentificationEntry(withPhoneNumber phoneNumber: CXCallDirectoryPhoneNumber) {
        remove(.removeLabels(phoneNumber), phoneNumber, from: \.labeled)
    }

    /// Removes all labels of the previous list. A request that is not incremental fails with
    /// `unexpectedIncrementalRemoval`.
    open func removeAllIdentificationEntries() {
        remove(.removeAllLabels, nil, from: \.labeled)
    }

    /// Records a removal, and drops matching additions of this request: the broker applies removals
    /// first.
    private func remove(
        _ change: DirectoryChange, _ number: CXCallDirectoryPhoneNumber?,
        from entries: ReferenceWritableKeyPath<CXCallDirectoryExtensionContext, OrderedEntries>
    ) {
        guard !isOver, load.failure == nil else { return }
        guard mode == .changes else {
            mode = .whole
            return load.fail(
                .refused(
                    .unexpectedIncrementalRemoval,
                    "entries cannot be removed from a list that is provided as a whole: read "
                        + "isIncremental first, and remove entries only if it is true"))
        }
        self[keyPath: entries].remove(number)
        removals.append(change)
    }

    private func add(
        _ entry: DirectoryEntry,
        to entries: ReferenceWritableKeyPath<CXCallDirectoryExtensionContext, OrderedEntries>
    ) {
        guard !isOver, load.failure == nil else { return }
        (isEmpty, mode) = (false, mode ?? .whole)
        if let error = self[keyPath: entries].add(entry) { return load.fail(error) }
        if mode == .whole, self[keyPath: entries].isFull { load.put(self[keyPath: entries].take()) }
    }

    // MARK: - The end

    /// Gives the request up: the previous list stays in use, and the reload fails with
    /// `loadingInterrupted`, with `error` as the underlying error.
    open override func cancelRequest(withError error: any Error) {
        finish(
            DirectoryFailure(
                .loadingInterrupted,
                userInfo: [
                    NSLocalizedDescriptionKey: "the extension \(identifier) cancelled its request",
                    NSUnderlyingErrorKey: error as NSError,
                ]))
    }

    /// Completes the list or the changes, and waits until the broker has stored them. A failure is
    /// reported to the delegate and to the completion of the reload.
    ///
    /// - Parameter completionHandler: called before the method returns, always with false. True
    ///   would mean that the host had ended the request for taking too long, which it never does.
    open func completeRequest(completionHandler: ((Bool) -> Void)? = nil) {
        if !isOver {
            let (blocks, labels) = (blocked.take(), labeled.take())
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

    /// Closes the session, and reports the outcome, once.
    private func finish(_ error: DirectoryFailure?) {
        guard !isOver else { return }
        isOver = true
        load.close()
        if let error { delegate?.requestFailed(for: self, withError: error) }
        provider = nil
        completion(error)
    }
}
