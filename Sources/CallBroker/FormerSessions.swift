internal import CallArbitration

/// The latest sessions of providers that are over: somebody may want to go on with one.
struct FormerSessions {
    private static let countMax = 256

    private var resets: [String: ResetReason?] = [:]
    private var ids: [String] = []

    /// - Parameter reset: What its provider has not heard yet; nil if it had no calls when it was over.
    mutating func add(_ id: String, _ reset: ResetReason?) {
        ids.append(id)
        resets[id] = .some(reset)
        if ids.count > Self.countMax { resets[ids.removeFirst()] = nil }
    }

    /// What becomes of the calls of somebody who wants to go on with a session that there is not; nil
    /// if it had none. Of a session that nobody knows it may have some.
    func reset(_ id: String) -> ResetReason? {
        guard let known = resets[id] else { return .brokerReset }
        return known
    }
}

extension ResetReason {
    /// What a provider that was removed has to be told when it is back.
    init?(_ removal: RemovalReason) {
        switch removal {
        case .graceExpired: self = .graceExpired
        case .revoked: self = .admin
        case .unregistered, .processExited, .disconnected: return nil
        }
    }
}
