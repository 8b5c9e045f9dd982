/// An error as CallKit numbers it (CXError.h of the iOS SDK).
public struct CallKitCode: Hashable, Sendable {
    /// Error domains of CallKit, by their `NSError` names.
    public enum Domain: String, Sendable {
        /// `CXErrorDomainIncomingCall`.
        case incomingCall = "com.apple.CallKit.error.incomingcall"
        /// `CXErrorDomainRequestTransaction`.
        case requestTransaction = "com.apple.CallKit.error.requesttransaction"
        /// `CXErrorDomainCallDirectoryManager`.
        case directoryManager = "com.apple.CallKit.error.calldirectorymanager"
    }

    /// The error domain.
    public let domain: Domain
    /// The error code within its domain.
    public let number: Int
    /// The name of the code in Swift, such as `callUUIDAlreadyExists`.
    public let name: String

    private init(_ domain: Domain, _ number: Int, _ name: String) {
        self.domain = domain
        self.number = number
        self.name = name
    }

    /// Creates a code from the members of an error reply; nil if the domain is unknown.
    package init?(domain: String, number: Int, name: String) {
        guard let domain = Domain(rawValue: domain) else { return nil }
        self.init(domain, number, name)
    }

    /// The error for a caller directory that cannot be loaded or changed.
    package static func directoryManager(_ number: Int, _ name: String) -> CallKitCode {
        CallKitCode(.directoryManager, number, name)
    }

    /// The error for a refused incoming call (`CXErrorCodeIncomingCallError`).
    public static func incomingCall(_ reason: RefusalReason) -> CallKitCode {
        switch reason {
        case .unentitled: CallKitCode(.incomingCall, 1, "unentitled")
        case .callUUID: CallKitCode(.incomingCall, 2, "callUUIDAlreadyExists")
        case .doNotDisturb, .inCall: CallKitCode(.incomingCall, 3, "filteredByDoNotDisturb")
        case .blockList, .screener: CallKitCode(.incomingCall, 4, "filteredByBlockList")
        case .restrictedSharing:
            CallKitCode(.incomingCall, 5, "filteredDuringRestrictedSharingMode")
        case .callIsProtected: CallKitCode(.incomingCall, 6, "callIsProtected")
        case .sensitiveParticipants:
            CallKitCode(.incomingCall, 7, "filteredBySensitiveParticipants")
        default: CallKitCode(.incomingCall, 0, "unknown")
        }
    }

    /// The error for a refused transaction (`CXErrorCodeRequestTransactionError`).
    public static func requestTransaction(_ reason: RefusalReason) -> CallKitCode {
        switch reason {
        case .unentitled, .notYourCall: CallKitCode(.requestTransaction, 1, "unentitled")
        case .unknownProvider, .providerGone:
            CallKitCode(.requestTransaction, 2, "unknownCallProvider")
        case .emptyTransaction: CallKitCode(.requestTransaction, 3, "emptyTransaction")
        case .unknownCall, .callEnded: CallKitCode(.requestTransaction, 4, "unknownCallUUID")
        case .callUUID: CallKitCode(.requestTransaction, 5, "callUUIDAlreadyExists")
        case .invalidAction, .invalidState, .cannotHold, .holdFailed, .notSupported,
            .alreadyDialing, .callRinging, .busy, .emergency, .maxCallsPerGroup:
            CallKitCode(.requestTransaction, 6, "invalidAction")
        case .maxCallGroups, .maxHeld, .maxCalls:
            CallKitCode(.requestTransaction, 7, "maximumCallGroupsReached")
        case .callIsProtected: CallKitCode(.requestTransaction, 8, "callIsProtected")
        default: CallKitCode(.requestTransaction, 0, "unknown")
        }
    }
}
