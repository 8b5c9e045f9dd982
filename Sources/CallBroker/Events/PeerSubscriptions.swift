/// The subscriptions of one connection.
struct PeerSubscriptions {
    private(set) var all: [Subscription] = []
    private var lastNumber = 0
    /// True if the peer is queued to be sent what it has missed.
    var isLagging = false

    /// Returns the number of a new subscription, from 1; numbers are not used twice.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func append(_ subscription: Subscription) {
        all.append(subscription)
    }

    mutating func remove(_ subscription: Subscription) {
        all.removeAll { $0 === subscription }
    }

    /// True if a subscription is behind the feed.
    var areBehind: Bool {
        all.contains(where: \.isBehind)
    }
}
