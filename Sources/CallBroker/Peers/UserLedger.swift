internal import BrokerSocket

/// The resources that each user of the host uses. The broker's own user and root have no limits but
/// that of memory; any other user gets a share that cannot harm them.
struct UserLedger {
    private struct Account {
        var connections = 0
        /// Bytes queued for peers that do not read.
        var heldBytes = 0
        var connects: TokenBucket
        var requests: TokenBucket
    }

    private let limits: BrokerLimits
    private let ownUID: UInt32
    private var accounts: [UInt32: Account] = [:]
    private(set) var connections = 0

    init(limits: BrokerLimits, ownUID: UInt32) {
        self.limits = limits
        self.ownUID = ownUID
    }

    /// Returns true for the owner of this broker and for root.
    func isTrusted(_ uid: UInt32) -> Bool {
        uid == ownUID || uid == 0
    }

    /// Counts a connection until `leave`. Returns false if it has to be rejected.
    mutating func enter(_ uid: UInt32, at now: MonotonicTime) -> Bool {
        var account = accounts[uid] ?? newAccount(at: now)
        account.connections += 1
        connections += 1
        defer { accounts[uid] = account }
        if connections > limits.connections { return false }
        if isTrusted(uid) { return true }
        return account.connections <= limits.otherUserConnections && account.connects.take(at: now)
    }

    mutating func leave(_ uid: UInt32) {
        connections -= 1
        accounts[uid]?.connections -= 1
        if accounts[uid]?.connections == 0, isTrusted(uid) { accounts[uid] = nil }
    }

    private func newAccount(at now: MonotonicTime) -> Account {
        Account(
            connects: TokenBucket(perSecond: limits.otherUserConnectsPerSecond, at: now),
            requests: TokenBucket(perSecond: limits.otherUserRequestsPerSecond, at: now))
    }

    /// Counts a request; false if the rate limit of the user is exceeded.
    mutating func admitsRequest(of uid: UInt32, at now: MonotonicTime) -> Bool {
        isTrusted(uid) || accounts[uid]?.requests.take(at: now) ?? true
    }

    /// Records a change of the bytes that are queued for a user. Returns false if they exceed the
    /// limit.
    mutating func hold(_ change: Int, for uid: UInt32) -> Bool {
        accounts[uid]?.heldBytes += change
        let most = isTrusted(uid) ? limits.userQueueBytes : limits.otherUserQueueBytes
        return (accounts[uid]?.heldBytes ?? 0) <= most
    }

    /// Returns true if at least an eighth of a user's limit of queued bytes is free.
    func hasRoom(_ uid: UInt32) -> Bool {
        let most = isTrusted(uid) ? limits.userQueueBytes : limits.otherUserQueueBytes
        return (accounts[uid]?.heldBytes ?? 0) <= most - most / 8
    }

    /// The user with the most connections; of several, the one with the lowest uid.
    var largestUser: UInt32? {
        accounts.keys.sorted().max {
            (accounts[$0]?.connections ?? 0) < (accounts[$1]?.connections ?? 0)
        }
    }
}
