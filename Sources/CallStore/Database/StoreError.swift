/// Why the store did not do what it was asked: a sentence without anybody's number or name.
package struct StoreError: Error, Hashable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// No room. Nothing was changed; the next write tries again.
        case diskFull
        /// The file or its file system may not be written. The next write tries again.
        case readOnly
        /// The file cannot be opened or read, or a system call failed. The next use tries again.
        case unavailable
        /// What is in the file is no database, or no longer a whole one. It is moved aside.
        case damaged
        /// What was asked makes no sense.
        case invalid
        /// Nothing has that name.
        case notFound
        /// A generation of a directory that is not higher than the one that serves.
        case staleGeneration
        /// Too much waits already.
        case overloaded
        /// The thread ends.
        case stopping
        /// A caller directory's own rules.
        case directory(DirectoryFault)
    }

    package let code: Code
    package let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

/// What can be wrong with the loading of a caller directory, with the numbers of CallKit's
/// `CXErrorCodeCallDirectoryManagerError`.
package enum DirectoryFault: Int, CaseIterable, Sendable {
    case unknown = 0
    /// There is no such source, or nothing of it was loaded yet.
    case noExtensionFound = 1
    /// The load that the entries belong to is not, or no longer, there: it begins anew.
    case loadingInterrupted = 2
    case entriesOutOfOrder = 3
    case duplicateEntries = 4
    case maximumEntriesExceeded = 5
    /// The user has switched the source off.
    case extensionDisabled = 6
    /// Another generation of it is being loaded.
    case currentlyLoading = 7
    /// Something is to be removed from a source of which nothing was loaded.
    case unexpectedIncrementalRemoval = 8
}
