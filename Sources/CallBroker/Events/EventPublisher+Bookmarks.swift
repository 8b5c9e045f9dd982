internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// Bookmarks, which move the cursors of silent subscriptions on.
extension EventPublisher {
    /// The silence after which a subscription is sent a bookmark.
    private static let bookmarkMS = 30_000
    /// The minimum pause between two searches for silent subscriptions, which may have begun at any
    /// time.
    private static let bookmarkPauseMS = 1_000

    /// Starts the timer of the next bookmarks.
    ///
    /// - Parameter quietSinceMS: the time since which the most silent subscription has been sent
    ///   nothing.
    func startBookmarks(quietSinceMS: Int64) {
        guard bookmarkTimer == nil, subscriptionCount > 0 else { return }
        let restMS = Self.bookmarkMS - Int(broker.clock.now.milliseconds - quietSinceMS)
        bookmarkTimer = broker.timers.start(afterMS: max(restMS, Self.bookmarkPauseMS), .bookmark)
    }

    /// Sends the current number to subscriptions that have been silent for a while, so that one
    /// with few topics need not go back far when it resumes.
    func sendBookmarks() {
        bookmarkTimer = nil
        var quietSinceMS = broker.clock.now.milliseconds
        for peer in broker.peers.all {
            for subscription in peer.subscriptions.all where !subscription.isBehind {
                let quietMS = broker.clock.now.milliseconds - subscription.lastSentAtMS
                if quietMS >= Int64(Self.bookmarkMS) { sendBookmark(subscription) }
                quietSinceMS = min(quietSinceMS, subscription.lastSentAtMS)
            }
        }
        startBookmarks(quietSinceMS: quietSinceMS)
    }

    /// Sends a bookmark, unless earlier frames are still queued: such a subscription is not silent,
    /// and its queue must not grow.
    private func sendBookmark(_ subscription: Subscription) {
        guard subscription.connection.queuedFrames == 0 else {
            subscription.lastSentAtMS = broker.clock.now.milliseconds
            return
        }
        publishUnnumbered(.bookmark, to: subscription) { $0.member("seq", feed.seq) }
    }
}
