/// An error of the store: a sentence without any person's number or name.
package struct StoreError: Error, Hashable, CustomStringConvertible {
    /// Kinds of errors.
    package enum Code: Hashable, Sendable {
        /// No space is left. Nothing was changed; the next write tries again.
        case diskFull
        /// The file or its file system is not writable. The next write tries again.
        case readOnly
        /// The file cannot be opened or read, or a system call failed. The next use tries again.
        case unavailable
        /// The file is not a valid database. It is moved aside.
        case damaged
        /// The request is invalid.
        case invalid
        /// No item has that name.
        case notFound
        /// The generation of a directory is not higher than the current one.
        case staleGeneration
        /// Too many requests are waiting.
        case overloaded
        /// The thread is stopping.
        case stopping
        /// A rule of caller directories was violated.
        case directory(DirectoryFault)
    }

    package let code: Code
    package let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

/// Errors of loading a caller directory, numbered like CallKit's
/// `CXErrorCodeCallDirectoryManagerError`.
package enum DirectoryFault: Int, CaseIterable, Sendable {
    case unknown = 0
    /// There is no such source, or it has not been loaded yet.
    case noExtensionFound = 1
    /// The load that the entries belong to does not exist any more; it has to be begun again.
    case loadingInterrupted = 2
    case entriesOutOfOrder = 3
    case duplicateEntries = 4
    case maximumEntriesExceeded = 5
    /// The user has disabled the source.
    case extensionDisabled = 6
    /// Another generation is being loaded.
    case currentlyLoading = 7
    /// A removal from a source that has not been loaded.
    case unexpectedIncrementalRemoval = 8
}
