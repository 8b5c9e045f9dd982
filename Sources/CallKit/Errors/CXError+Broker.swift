internal import CallClient
internal import CallModel

extension CallError {
    /// The CallKit error for a refused incoming call: Apple's number where there is one and, unlike
    /// Apple's, a text that states what happened, why, and what to do.
    var incomingCall: any Error {
        let number = callKit.flatMap { $0.domain == .incomingCall ? $0.number : nil }
        return CXErrorCodeIncomingCallError(
            .init(rawValue: number ?? 0) ?? .unknown, userInfo: userInfo)
    }

    /// The CallKit error for a refused transaction.
    var requestTransaction: any Error {
        let number = callKit.flatMap { $0.domain == .requestTransaction ? $0.number : nil }
        let fallback: CXErrorCodeRequestTransactionError.Code =
            code == .disconnected || code == .closed ? .unknownCallProvider : .unknown
        return CXErrorCodeRequestTransactionError(
            number.flatMap { .init(rawValue: $0) } ?? fallback, userInfo: userInfo)
    }

    var userInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: message]
        if let failureReason { info[NSLocalizedFailureReasonErrorKey] = failureReason }
        if let hint { info[NSLocalizedRecoverySuggestionErrorKey] = hint }
        info["reason"] = reason
        if let rule { info["rule"] = rule.rawValue }
        if !blocking.isEmpty { info["blocking"] = blocking.map(\.call.description) }
        return info
    }

    /// The text of the rule, the limit and the blocking calls.
    private var failureReason: String? {
        var parts: [String] = []
        if let rule { parts.append("rule \(rule.rawValue) of arbitration") }
        if let limit { parts.append("the limit \(limit.name) is \(limit.value)") }
        if !blocking.isEmpty {
            let calls = blocking.map { "\($0.call) of \($0.provider)" }
            parts.append("in the way: " + calls.joined(separator: ", "))
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}

extension CXErrorCodeRequestTransactionError {
    /// A refusal that needs no broker.
    static func refused(_ code: Code, _ message: String) -> any Error {
        CXErrorCodeRequestTransactionError(code, userInfo: [NSLocalizedDescriptionKey: message])
    }
}
