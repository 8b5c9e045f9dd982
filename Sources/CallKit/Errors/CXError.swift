/// What the five errors have in common: each is an `NSError` with its domain, and is caught as
/// itself, as one of its codes, and as `NSError`, like on the platform that apps come from. Without
/// Objective-C that takes the bridge, spelt out.
public protocol _CXError: _BridgedStoredNSError, _ObjectiveCBridgeable
where _ObjectiveCType == NSError {
    init(_nsError: NSError)
}

extension _CXError {
    public static var _nsErrorDomain: String { errorDomain }

    /// Errors with the same number are the same, whatever they say.
    public static func == (left: Self, right: Self) -> Bool {
        left._nsError.code == right._nsError.code
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(_nsError.code)
    }

    public func _bridgeToObjectiveC() -> NSError { _nsError }

    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout Self?) {
        result = Self(_nsError: source)
    }

    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSError, result: inout Self?
    ) -> Bool {
        guard source.domain == errorDomain else { return false }
        result = Self(_nsError: source)
        return true
    }

    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> Self {
        Self(_nsError: source ?? NSError(domain: errorDomain, code: 0))
    }
}

/// An error of CallKit in general.
public struct CXError: _CXError, Hashable, Sendable {
    public let _nsError: NSError
    public static var errorDomain: String { CXErrorDomain }

    public init(_nsError: NSError) {
        self._nsError = _nsError
    }

    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        public typealias _ErrorType = CXError
        case unknownError = 0
        case unentitled = 1
        case invalidArgument = 2
        case missingVoIPBackgroundMode = 3
    }

    public static var unknownError: Code { .unknownError }
    public static var unentitled: Code { .unentitled }
    public static var invalidArgument: Code { .invalidArgument }
    public static var missingVoIPBackgroundMode: Code { .missingVoIPBackgroundMode }
}

/// Why an incoming call must not ring.
public struct CXErrorCodeIncomingCallError: _CXError, Hashable, Sendable {
    public let _nsError: NSError
    public static var errorDomain: String { CXErrorDomainIncomingCall }

    public init(_nsError: NSError) {
        self._nsError = _nsError
    }

    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        public typealias _ErrorType = CXErrorCodeIncomingCallError
        case unknown = 0
        case unentitled = 1
        case callUUIDAlreadyExists = 2
        case filteredByDoNotDisturb = 3
        case filteredByBlockList = 4
        case filteredDuringRestrictedSharingMode = 5
        case callIsProtected = 6
        case filteredBySensitiveParticipants = 7
    }

    public static var unknown: Code { .unknown }
    public static var unentitled: Code { .unentitled }
    public static var callUUIDAlreadyExists: Code { .callUUIDAlreadyExists }
    public static var filteredByDoNotDisturb: Code { .filteredByDoNotDisturb }
    public static var filteredByBlockList: Code { .filteredByBlockList }
    public static var filteredDuringRestrictedSharingMode: Code {
        .filteredDuringRestrictedSharingMode
    }
    public static var callIsProtected: Code { .callIsProtected }
    public static var filteredBySensitiveParticipants: Code { .filteredBySensitiveParticipants }
}

/// Why a transaction is refused.
public struct CXErrorCodeRequestTransactionError: _CXError, Hashable, Sendable {
    public let _nsError: NSError
    public static var errorDomain: String { CXErrorDomainRequestTransaction }

    public init(_nsError: NSError) {
        self._nsError = _nsError
    }

    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        public typealias _ErrorType = CXErrorCodeRequestTransactionError
        case unknown = 0
        case unentitled = 1
        case unknownCallProvider = 2
        case emptyTransaction = 3
        case unknownCallUUID = 4
        case callUUIDAlreadyExists = 5
        case invalidAction = 6
        case maximumCallGroupsReached = 7
        case callIsProtected = 8
    }

    public static var unknown: Code { .unknown }
    public static var unentitled: Code { .unentitled }
    public static var unknownCallProvider: Code { .unknownCallProvider }
    public static var emptyTransaction: Code { .emptyTransaction }
    public static var unknownCallUUID: Code { .unknownCallUUID }
    public static var callUUIDAlreadyExists: Code { .callUUIDAlreadyExists }
    public static var invalidAction: Code { .invalidAction }
    public static var maximumCallGroupsReached: Code { .maximumCallGroupsReached }
    public static var callIsProtected: Code { .callIsProtected }
}

/// Why a list of callers is not loaded.
public struct CXErrorCodeCallDirectoryManagerError: _CXError, Hashable, Sendable {
    public let _nsError: NSError
    public static var errorDomain: String { CXErrorDomainCallDirectoryManager }

    public init(_nsError: NSError) {
        self._nsError = _nsError
    }

    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        public typealias _ErrorType = CXErrorCodeCallDirectoryManagerError
        case unknown = 0
        case noExtensionFound = 1
        case loadingInterrupted = 2
        case entriesOutOfOrder = 3
        case duplicateEntries = 4
        case maximumEntriesExceeded = 5
        case extensionDisabled = 6
        case currentlyLoading = 7
        case unexpectedIncrementalRemoval = 8
    }

    public static var unknown: Code { .unknown }
    public static var noExtensionFound: Code { .noExtensionFound }
    public static var loadingInterrupted: Code { .loadingInterrupted }
    public static var entriesOutOfOrder: Code { .entriesOutOfOrder }
    public static var duplicateEntries: Code { .duplicateEntries }
    public static var maximumEntriesExceeded: Code { .maximumEntriesExceeded }
    public static var extensionDisabled: Code { .extensionDisabled }
    public static var currentlyLoading: Code { .currentlyLoading }
    public static var unexpectedIncrementalRemoval: Code { .unexpectedIncrementalRemoval }
}

/// Why a notification service extension may not report a call.
public struct CXErrorCodeNotificationServiceExtensionError: _CXError, Hashable, Sendable {
    public let _nsError: NSError
    public static var errorDomain: String { CXErrorDomainNotificationServiceExtension }

    public init(_nsError: NSError) {
        self._nsError = _nsError
    }

    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        public typealias _ErrorType = CXErrorCodeNotificationServiceExtensionError
        case unknown = 0
        case invalidClientProcess = 1
        case missingNotificationFilteringEntitlement = 2
    }

    public static var unknown: Code { .unknown }
    public static var invalidClientProcess: Code { .invalidClientProcess }
    public static var missingNotificationFilteringEntitlement: Code {
        .missingNotificationFilteringEntitlement
    }
}
