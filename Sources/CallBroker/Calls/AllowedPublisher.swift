internal import BrokerJSON
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// The actions that are allowed with each call, as they were published last. They are computed when
/// a call is written, and may change with any other call.
private struct AllowedLedger {
    private struct Entry: Equatable {
        let verbs: [Verb]
        let mergeWith: [CallID]
        let canHoldNow: Bool
        let tones: PausedTones?

        init(_ view: CallView, _ tones: PausedTones?) {
            (verbs, mergeWith, canHoldNow) = (view.allowed, view.mergeWith, view.canHoldNow)
            self.tones = tones
        }
    }

    /// The published entries; nil while there are no subscribers.
    private var published: [CallID: Entry]?
    /// True if the arbiter has decided something since the calls were compared.
    var isStale = false

    var isActive: Bool {
        published != nil
    }

    mutating func start() {
        published = published ?? [:]
    }

    mutating func stop() {
        published = nil
    }

    mutating func record(_ view: CallView, _ tones: PausedTones?) {
        guard published != nil else { return }
        published?[view.call] = Entry(view, tones)
    }

    /// Returns true if the allowed actions of a call differ from the published ones.
    func hasChanged(_ view: CallView, _ tones: PausedTones?) -> Bool {
        published?[view.call] != Entry(view, tones)
    }

    mutating func remove(_ call: CallID) {
        published?[call] = nil
    }
}

/// The publisher of `call.allowed_changed`. The event has no number: nothing has happened to the
/// call, and a subscriber that has missed some is sent the current state.
final class AllowedPublisher: BrokerPart {
    private let events: EventPublisher
    private var ledger = AllowedLedger()

    init(_ events: EventPublisher) {
        self.events = events
    }

    /// Marks the published state as stale: a decision may have changed what is allowed.
    func markChanged() {
        ledger.isStale = true
    }

    /// Records what was published as part of a call.
    func record(_ view: CallView) {
        ledger.record(view, broker.tones[view.call])
    }

    /// Removes a call that has ended.
    func remove(_ call: CallID) {
        ledger.remove(call)
    }

    /// The number of calls beyond which nothing is published: no client shows that many, and
    /// computing what is allowed with each would take too long.
    private static let callsMax = 32

    /// Publishes, at the end of a turn, each call whose allowed actions have changed.
    func publishChanges() {
        guard ledger.isStale else { return }
        ledger.isStale = false
        let subscriptions = events.subscriptions(to: .allowedChanged)
        guard !subscriptions.isEmpty, broker.calls.count <= Self.callsMax else {
            return ledger.stop()
        }
        ledger.start()
        for view in broker.calls.open.compactMap({ broker.view(of: $0) })
        where ledger.hasChanged(view, broker.tones[view.call]) {
            record(view)
            for subscription in subscriptions { publish(view, to: subscription) }
        }
    }

    private func publish(_ view: CallView, to subscription: Subscription) {
        guard subscription.peer.sees(callsOf: view.provider),
            subscription.peer.sees(callIn: view.state)
        else { return }
        guard !subscription.isBehind, broker.turn.maySendEvent(),
            !broker.peers.isOverSoftBound(subscription.connection)
        else {
            subscription.hasMissedAllowed = true
            subscription.isBehind = true
            return events.markLagging(subscription.peer)
        }
        events.publishUnnumbered(.allowedChanged, view.call, to: subscription) { writer in
            writer.member("call", view.call)
            writer.member("allowed", words: view.allowed)
            if !view.mergeWith.isEmpty { writer.member("merge_with", view.mergeWith) }
            writer.member("can_hold_now", view.canHoldNow)
            if let tones = broker.tones[view.call] { writer.member("paused_tones", tones) }
        }
    }

    /// Adds a subscription. A new one knows the current state from its snapshot; one that resumes
    /// from a cursor is sent it when it has caught up.
    func add(_ subscription: Subscription, isResumed: Bool) {
        guard subscription.topics.contains(TopicSet(.allowedChanged)) else { return }
        subscription.hasMissedAllowed = isResumed
        guard !ledger.isActive, broker.calls.count <= Self.callsMax else { return }
        ledger.start()
        for call in broker.calls.open {
            if let view = broker.view(of: call) { record(view) }
        }
    }

    /// Sends the allowed actions of every call to a subscription that has missed changes.
    func catchUp(_ subscription: Subscription) {
        guard subscription.hasMissedAllowed else { return }
        subscription.hasMissedAllowed = false
        guard broker.calls.count <= Self.callsMax else { return }
        for call in broker.calls.open {
            if let view = broker.view(of: call) { publish(view, to: subscription) }
        }
    }
}
