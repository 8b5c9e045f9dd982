/// An error as CallKit numbers it (the SDK's headers, CXError.h).
public struct CallKitCode: Hashable, Sendable {
    public enum Domain: String, Sendable {
        case incomingCall = "com.apple.CallKit.error.incomingcall"
        case requestTransaction = "com.apple.CallKit.error.requesttransaction"
        case directoryManager = "com.apple.CallKit.error.calldirectorymanager"
    }

    public let domain: Domain
    public let number: Int
    public let name: String

    private init(_ domain: Domain, _ number: Int, _ name: String) {
        self.domain = domain
        self.number = number
        self.name = name
    }

    /// As an error of the broker tells it. Nil for a domain that we do not know.
    package init?(domain: String, number: Int, name: String) {
        guard let domain = Domain(rawValue: domain) else { return nil }
        self.init(domain, number, name)
    }

    /// What CallKit says when a caller directory cannot be loaded or changed.
    package static func directoryManager(_ number: Int, _ name: String) -> CallKitCode {
        CallKitCode(.directoryManager, number, name)
    }

    /// What CallKit says when an incoming call is refused.
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

    /// What CallKit says when a transaction is refused.
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
