/// Why a provider has to drop all its calls, as `provider.reset` says it.
enum ResetReason: String {
    /// The broker has none of them: it was started without what it knew, or was told of none.
    case brokerReset = "broker_reset"
    /// It came back when its calls were over.
    case graceExpired = "grace_expired"
}

/// The latest sessions of providers that are over: somebody may want to go on with one.
struct FormerSessions {
    private static let countMax = 256

    private var hadCalls: [String: Bool] = [:]
    private var ids: [String] = []

    /// - Parameter hadCalls: It had calls when it was over, of which its provider has not heard.
    mutating func add(_ id: String, hadCalls: Bool) {
        ids.append(id)
        self.hadCalls[id] = hadCalls
        if ids.count > Self.countMax { self.hadCalls[ids.removeFirst()] = nil }
    }

    /// What becomes of the calls of somebody who wants to go on with a session that there is not; nil
    /// if it had none. Of a session that nobody knows it may have some.
    func reset(_ id: String) -> ResetReason? {
        switch hadCalls[id] {
        case true?: .graceExpired
        case false?: nil
        case nil: .brokerReset
        }
    }
}
