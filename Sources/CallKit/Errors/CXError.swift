/// The common part of the five error types. Each wraps an `NSError` of its domain, and can be
/// caught as itself, by code and as `NSError`, as on Apple's platforms. There the compiler makes
/// these bridges; without Objective-C they are written out.
public protocol _CXError: _BridgedStoredNSError, _ObjectiveCBridgeable
where _ObjectiveCType == NSError {
    /// Wraps an `NSError`.
    init(_nsError: NSError)
}

extension _CXError {
    /// The domain, for Foundation's bridge.
    public static var _nsErrorDomain: String { errorDomain }

    /// Returns whether both have the same code, whatever their `userInfo`.
    public static func == (left: Self, right: Self) -> Bool {
        left._nsError.code == right._nsError.code
    }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(_nsError.code)
    }

    /// Returns the wrapped `NSError`, for `error as NSError`.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Wraps an `NSError` of any domain, for a forced cast.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout Self?) {
        result = Self(_nsError: source)
    }

    /// Wraps an `NSError` of this domain, for `as?` and `catch let`; fails for others.
    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSError, result: inout Self?
    ) -> Bool {
        guard source.domain == errorDomain else { return false }
        result = Self(_nsError: source)
        return true
    }

    /// Wraps an `NSError`; nil becomes code 0.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> Self {
        Self(_nsError: source ?? NSError(domain: errorDomain, code: 0))
    }
}

/// An error that is not about a call, a transaction or a list. This module throws none; it is
/// declared for apps that catch it.
public struct CXError: _CXError, Hashable, Sendable {
    /// The `NSError` with code and `userInfo`.
    public let _nsError: NSError
    /// The error domain: `CXErrorDomain`.
    public static var errorDomain: String { CXErrorDomain }

    /// Wraps an `NSError`, whose domain is not checked.
    public init(_nsError: NSError) {
        self._nsError = _nsError
    }

    /// The error codes, with Apple's numbers. A code is also what `catch` matches.
    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        /// The error that has this code.
        public typealias _ErrorType = CXError
        /// Any other error.
        case unknownError = 0
        /// The app lacks a permission.
        case unentitled = 1
        /// An argument is invalid.
        case invalidArgument = 2
        /// The app lacks a background mode; programs on Linux have none.
        case missingVoIPBackgroundMode = 3
    }

    /// The code `unknownError`, for `catch CXError.unknownError`.
    public static var unknownError: Code { .unknownError }
    /// The code `unentitled`, for `catch CXError.unentitled`.
    public static var unentitled: Code { .unentitled }
    /// The code `invalidArgument`, for `catch CXError.invalidArgument`.
    public static var invalidArgument: Code { .invalidArgument }
    /// The code `missingVoIPBackgroundMode`, for `catch CXError.missingVoIPBackgroundMode`.
    public static var missingVoIPBackgroundMode: Code { .missingVoIPBackgroundMode }
}

/// The reason why an incoming call must not ring.
public struct CXErrorCodeIncomingCallError: _CXError, Hashable, Sendable {
    /// The `NSError` with code and `userInfo`.
    public let _nsError: NSError
    /// The error domain: `CXErrorDomainIncomingCall`.
    public static var errorDomain: String { CXErrorDomainIncomingCall }

    /// Wraps an `NSError`, whose domain is not checked.
    public init(_nsError: NSError) {
        self._nsError = _nsError
    }

    /// The error codes, with Apple's numbers. A code is also what `catch` matches.
    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        /// The error that has this code.
        public typealias _ErrorType = CXErrorCodeIncomingCallError
        /// No broker answered, or the refusal has no number of Apple's: see `reason` in `userInfo`.
        case unknown = 0
        /// The host does not let the app have calls.
        case unentitled = 1
        /// The id belongs to a call, or belonged to one that ended recently.
        case callUUIDAlreadyExists = 2
        /// Do-not-disturb is on, or the host refuses further calls during a call, and this
        /// caller may not break through.
        case filteredByDoNotDisturb = 3
        /// The caller is blocked: by the user, by a directory or by a screener.
        case filteredByBlockList = 4
        /// Not used by this release: the host has no restricted sharing mode.
        case filteredDuringRestrictedSharingMode = 5
        /// Not used by this release: the broker protects no calls.
        case callIsProtected = 6
        /// Not used by this release: the broker does not know who is sensitive.
        case filteredBySensitiveParticipants = 7
    }

    /// The code `unknown`, for `catch CXErrorCodeIncomingCallError.unknown`.
    public static var unknown: Code { .unknown }
    /// The code `unentitled`, for `catch CXErrorCodeIncomingCallError.unentitled`.
    public static var unentitled: Code { .unentitled }
    /// The code `callUUIDAlreadyExists`, for `catch
    /// CXErrorCodeIncomingCallError.callUUIDAlreadyExists`.
    public static var callUUIDAlreadyExists: Code { .callUUIDAlreadyExists }
    /// The code `filteredByDoNotDisturb`, for `catch
    /// CXErrorCodeIncomingCallError.filteredByDoNotDisturb`.
    public static var filteredByDoNotDisturb: Code { .filteredByDoNotDisturb }
    /// The code `filteredByBlockList`, for `catch
    /// CXErrorCodeIncomingCallError.filteredByBlockList`.
    public static var filteredByBlockList: Code { .filteredByBlockList }
    /// The code `filteredDuringRestrictedSharingMode`, for `catch
    /// CXErrorCodeIncomingCallError.filteredDuringRestrictedSharingMode`.
    public static var filteredDuringRestrictedSharingMode: Code {
        .filteredDuringRestrictedSharingMode
    }
    /// The code `callIsProtected`, for `catch CXErrorCodeIncomingCallError.callIsProtected`.
    public static var callIsProtected: Code { .callIsProtected }
    /// The code `filteredBySensitiveParticipants`, for `catch
    /// CXErrorCodeIncomingCallError.filteredBySensitiveParticipants`.
    public static var filteredBySensitiveParticipants: Code { .filteredBySensitiveParticipants }
}

/// The reason why a transaction is refused.
public struct CXErrorCodeRequestTransactionError: _CXError, Hashable, Sendable {
    /// The `NSError` with code and `userInfo`.
    public let _nsError: NSError
    /// The error domain: `CXErrorDomainRequestTransaction`.
    public static var errorDomain: String { CXErrorDomainRequestTransaction }

    /// Wraps an `NSError`, whose domain is not checked.
    public init(_nsError: NSError) {
        self._nsError = _nsError
    }

    /// The error codes, with Apple's numbers. A code is also what `catch` matches.
    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        /// The error that has this code.
        public typealias _ErrorType = CXErrorCodeRequestTransactionError
        /// Any other refusal: see `reason` in `userInfo`.
        case unknown = 0
        /// The call is another app's, or the host does not let the app do this.
        case unentitled = 1
        /// The app has no provider, or no broker answered.
        case unknownCallProvider = 2
        /// The transaction has no actions.
        case emptyTransaction = 3
        /// There is no such call any more.
        case unknownCallUUID = 4
        /// A start has the id of another call.
        case callUUIDAlreadyExists = 5
        /// The action is not possible in the state of the call, or the broker does not support it.
        case invalidAction = 6
        /// The action would exceed a limit of the app or of the host.
        case maximumCallGroupsReached = 7
        /// Not used by this release: the broker protects no calls.
        case callIsProtected = 8
    }

    /// The code `unknown`, for `catch CXErrorCodeRequestTransactionError.unknown`.
    public static var unknown: Code { .unknown }
    /// The code `unentitled`, for `catch CXErrorCodeRequestTransactionError.unentitled`.
    public static var unentitled: Code { .unentitled }
    /// The code `unknownCallProvider`, for `catch
    /// CXErrorCodeRequestTransactionError.unknownCallProvider`.
    public static var unknownCallProvider: Code { .unknownCallProvider }
    /// The code `emptyTransaction`, for `catch
    /// CXErrorCodeRequestTransactionError.emptyTransaction`.
    public static var emptyTransaction: Code { .emptyTransaction }
    /// The code `unknownCallUUID`, for `catch CXErrorCodeRequestTransactionError.unknownCallUUID`.
    public static var unknownCallUUID: Code { .unknownCallUUID }
    /// The code `callUUIDAlreadyExists`, for `catch
    /// CXErrorCodeRequestTransactionError.callUUIDAlreadyExists`.
    public static var callUUIDAlreadyExists: Code { .callUUIDAlreadyExists }
    /// The code `invalidAction`, for `catch CXErrorCodeRequestTransactionError.invalidAction`.
    public static var invalidAction: Code { .invalidAction }
    /// The code `maximumCallGroupsReached`, for `catch
    /// CXErrorCodeRequestTransactionError.maximumCallGroupsReached`.
    public static var maximumCallGroupsReached: Code { .maximumCallGroupsReached }
    /// The code `callIsProtected`, for `catch CXErrorCodeRequestTransactionError.callIsProtected`.
    public static var callIsProtected: Code { .callIsProtected }
}

/// The reason why a list of callers is not loaded.
public struct CXErrorCodeCallDirectoryManagerError: _CXError, Hashable, Sendable {
    /// The `NSError` with code and `userInfo`.
    public let _nsError: NSError
    /// The error domain: `CXErrorDomainCallDirectoryManager`.
    public static var errorDomain: String { CXErrorDomainCallDirectoryManager }

    /// Wraps an `NSError`, whose domain is not checked.
    public init(_nsError: NSError) {
        self._nsError = _nsError
    }

    /// The error codes, with Apple's numbers. A code is also what `catch` matches.
    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        /// The error that has this code.
        public typealias _ErrorType = CXErrorCodeCallDirectoryManagerError
        /// Any other failure: see `reason` in `userInfo`.
        case unknown = 0
        /// No extension is registered under the identifier.
        case noExtensionFound = 1
        /// The extension gave up, or the connection to the broker was lost.
        case loadingInterrupted = 2
        /// A number was added after a higher one, or is outside the range.
        case entriesOutOfOrder = 3
        /// An entry was added twice.
        case duplicateEntries = 4
        /// The broker's directory has no room for the list.
        case maximumEntriesExceeded = 5
        /// The broker does not grant the extension the role `directory`.
        case extensionDisabled = 6
        /// The list is being loaded already.
        case currentlyLoading = 7
        /// An entry was removed in a request that is not incremental.
        case unexpectedIncrementalRemoval = 8
    }

    /// The code `unknown`, for `catch CXErrorCodeCallDirectoryManagerError.unknown`.
    public static var unknown: Code { .unknown }
    /// The code `noExtensionFound`, for `catch
    /// CXErrorCodeCallDirectoryManagerError.noExtensionFound`.
    public static var noExtensionFound: Code { .noExtensionFound }
    /// The code `loadingInterrupted`, for `catch
    /// CXErrorCodeCallDirectoryManagerError.loadingInterrupted`.
    public static var loadingInterrupted: Code { .loadingInterrupted }
    /// The code `entriesOutOfOrder`, for `catch
    /// CXErrorCodeCallDirectoryManagerError.entriesOutOfOrder`.
    public static var entriesOutOfOrder: Code { .entriesOutOfOrder }
    /// The code `duplicateEntries`, for `catch
    /// CXErrorCodeCallDirectoryManagerError.duplicateEntries`.
    public static var duplicateEntries: Code { .duplicateEntries }
    /// The code `maximumEntriesExceeded`, for `catch
    /// CXErrorCodeCallDirectoryManagerError.maximumEntriesExceeded`.
    public static var maximumEntriesExceeded: Code { .maximumEntriesExceeded }
    /// The code `extensionDisabled`, for `catch
    /// CXErrorCodeCallDirectoryManagerError.extensionDisabled`.
    public static var extensionDisabled: Code { .extensionDisabled }
    /// The code `currentlyLoading`, for `catch
    /// CXErrorCodeCallDirectoryManagerError.currentlyLoading`.
    public static var currentlyLoading: Code { .currentlyLoading }
    /// The code `unexpectedIncrementalRemoval`, for `catch
    /// CXErrorCodeCallDirectoryManagerError.unexpectedIncrementalRemoval`.
    public static var unexpectedIncrementalRemoval: Code { .unexpectedIncrementalRemoval }
}

/// The reason why a notification service extension may not report a call.
public struct CXErrorCodeNotificationServiceExtensionError: _CXError, Hashable, Sendable {
    /// The `NSError` with code and `userInfo`.
    public let _nsError: NSError
    /// The error domain: `CXErrorDomainNotificationServiceExtension`.
    public static var errorDomain: String { CXErrorDomainNotificationServiceExtension }

    /// Wraps an `NSError`, whose domain is not checked.
    public init(_nsError: NSError) {
        self._nsError = _nsError
    }

    /// The error codes, with Apple's numbers. A code is also what `catch` matches.
    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        /// The error that has this code.
        public typealias _ErrorType = CXErrorCodeNotificationServiceExtensionError
        /// Never thrown.
        case unknown = 0
        /// This host has no notification service extensions.
        case invalidClientProcess = 1
        /// Never thrown.
        case missingNotificationFilteringEntitlement = 2
    }

    /// The code `unknown`, for `catch CXErrorCodeNotificationServiceExtensionError.unknown`.
    public static var unknown: Code { .unknown }
    /// The code `invalidClientProcess`, for `catch
    /// CXErrorCodeNotificationServiceExtensionError.invalidClientProcess`.
    public static var invalidClientProcess: Code { .invalidClientProcess }
    /// The code `missingNotificationFilteringEntitlement`, for `catch
    /// CXErrorCodeNotificationServiceExtensionError.missingNotificationFilteringEntitlement`.
    public static var missingNotificationFilteringEntitlement: Code {
        .missingNotificationFilteringEntitlement
    }
}
