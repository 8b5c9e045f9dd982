internal import BrokerJSON
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// The publisher of `host.presence`. The event has no number: it follows from calls, the policy and
/// the time of day, and a subscriber that has missed some is sent the current presence.
final class PresencePublisher: BrokerPart {
    private let events: EventPublisher
    private var presence = HostPresence.free
    /// The Unix time, in milliseconds, since which the presence is the same.
    private var sinceMS: Int64
    /// True if a decision, the policy or the time of day may have changed the presence.
    private var isStale = true
    /// Runs while do-not-disturb may begin or end by itself.
    private var timer: BrokerTimers.Handle?

    init(_ events: EventPublisher, _ clock: TurnClock) {
        self.events = events
        sinceMS = clock.unixMS
    }

    /// Marks the presence as stale, because the calls have changed.
    func markChanged() {
        isStale = true
    }

    /// Handles a new policy, and a time at which do-not-disturb may begin or end by itself.
    func updateDoNotDisturb() {
        isStale = true
        if let timer { broker.timers.cancel(timer) }
        let unixMS = broker.clock.unixMS
        timer = broker.policy.choices.screening.doNotDisturb.nextChangeMS(
            after: unixMS, minuteOfWeek: ClockTime.minuteOfWeek(unixMS: unixMS)
        ).map { broker.timers.start(afterMS: Int($0 - unixMS), .presence) }
    }

    /// Publishes the presence, at the end of a turn or before the host's state is read, if it has
    /// changed.
    func publishChange() {
        guard isStale else { return }
        isStale = false
        let facts = broker.hostFacts
        let current = HostPresence(
            isLive: facts.liveGroup != nil, heldGroups: facts.heldGroups, ringing: facts.ringing,
            isQuiet: broker.screener.isQuiet)
        guard current != presence else { return }
        (presence, sinceMS) = (current, broker.clock.unixMS)
        for subscription in events.subscriptions(to: .hostPresence) { publish(to: subscription) }
    }

    private func publish(to subscription: Subscription) {
        guard !subscription.isBehind, broker.turn.maySendEvent(),
            !broker.peers.isOverSoftBound(subscription.connection)
        else {
            subscription.hasMissedPresence = true
            subscription.isBehind = true
            return events.markLagging(subscription.peer)
        }
        events.publishUnnumbered(.hostPresence, to: subscription) { write(to: &$0) }
    }

    /// Writes the presence and the time since which it is the same.
    func write(to writer: inout JSONWriter) {
        writer.member("state", presence.rawValue)
        writer.member("since_ms", sinceMS)
    }

    /// Adds a subscription: one that resumes from a cursor may have missed changes.
    func add(_ subscription: Subscription, isResumed: Bool) {
        subscription.hasMissedPresence =
            isResumed && subscription.topics.contains(TopicSet(.hostPresence))
    }

    /// Sends the presence to a subscription that has missed changes.
    func catchUp(_ subscription: Subscription) {
        guard subscription.hasMissedPresence else { return }
        subscription.hasMissedPresence = false
        publish(to: subscription)
    }
}
