internal import BrokerJSON
package import BrokerRPC
package import CallModel

extension RPCError {
    /// The error for a refusal. `callkit` has CallKit's code, for apps written for CallKit.
    package init(_ refusal: Refusal, _ domain: CallKitCode.Domain) {
        let reason = refusal.reason
        self.init(
            ErrorCode(rawValue: reason.code) ?? .brokerError, reason: ErrorReason(reason),
            refusal.message)
        retryable = reason.isRetryable
        limit = refusal.limit.map { Limit(name: $0.name, value: $0.value) }
        hint = refusal.hint
        extra = Self.members(of: refusal, domain)
    }

    private static func members(of refusal: Refusal, _ domain: CallKitCode.Domain) -> [UInt8] {
        var writer = JSONWriter()
        if let rule = refusal.rule { writer.member("rule", rule.word) }
        writer.member("action_index", ifSet: refusal.actionIndex)
        if !refusal.blocking.isEmpty { writer.member("blocking", blocking: refusal.blocking) }
        writer.member("callkit", CallKitCode(refusal.reason, domain))
        return writer.bytes
    }
}

extension ErrorReason {
    /// The reason with the same word as a refusal's.
    package init(_ refusal: RefusalReason) {
        self = ErrorReason(rawValue: refusal.rawValue) ?? .unknown
    }
}

extension CallKitCode {
    fileprivate init(_ reason: RefusalReason, _ domain: Domain) {
        switch domain {
        case .incomingCall: self = .incomingCall(reason)
        case .requestTransaction: self = .requestTransaction(reason)
        // Refusals do not concern directories.
        case .directoryManager: self = .directoryManager(0, "unknown")
        }
    }
}
