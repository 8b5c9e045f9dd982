internal import BrokerJSON
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// What the user may do with each call, as it was told last. It is worked out when a call is written, and
/// may change with any other call.
struct AllowedLedger {
    private struct Entry: Equatable {
        let verbs: [Verb]
        let mergeWith: [CallID]
        let canHoldNow: Bool

        init(_ view: CallView) {
            (verbs, mergeWith, canHoldNow) = (view.allowed, view.mergeWith, view.canHoldNow)
        }
    }

    /// Nil if nobody wants to know.
    private var told: [CallID: Entry]?
    /// Something was decided since the calls were looked at.
    var isOld = false

    var isKept: Bool {
        told != nil
    }

    mutating func begin() {
        told = told ?? [:]
    }

    mutating func end() {
        told = nil
    }

    mutating func note(_ view: CallView) {
        guard told != nil else { return }
        told?[view.call] = Entry(view)
    }

    /// Whether that was not told yet.
    func isNews(_ view: CallView) -> Bool {
        told?[view.call] != Entry(view)
    }

    mutating func forget(_ call: CallID) {
        told?[call] = nil
    }
}

/// `call.allowed_changed`. It has no number: nothing has happened to the call, and who has missed some is
/// told how it is now.
final class AllowedPublisher {
    private unowned let broker: Broker

    private var ledger = AllowedLedger()

    init(_ broker: Broker) {
        self.broker = broker
    }

    /// Notes that something was decided: what is allowed may have changed with it.
    func markChanged() {
        ledger.isOld = true
    }

    /// Notes what was published with a call.
    func note(_ view: CallView) {
        ledger.note(view)
    }

    func forget(_ call: CallID) {
        ledger.forget(call)
    }

    /// With more calls nobody shows them all, and to work out what is allowed would take too long.
    private static let callsMax = 32

    /// At the end of a turn: tells of each call with which the user may do something else now.
    func publishChanges() {
        guard ledger.isOld else { return }
        ledger.isOld = false
        let subscriptions = broker.events.subscriptions(to: .allowedChanged)
        guard !subscriptions.isEmpty, broker.calls.count <= Self.callsMax else {
            return ledger.end()
        }
        ledger.begin()
        for view in broker.calls.open.compactMap({ broker.arbiter.view(of: $0) })
        where ledger.isNews(view) {
            ledger.note(view)
            for subscription in subscriptions { publish(view, to: subscription) }
        }
    }

    private func publish(_ view: CallView, to subscription: Subscription) {
        guard !subscription.isBehind, broker.turn.maySendEvent(),
            !broker.peers.isOverSoftBound(subscription.connection)
        else {
            subscription.hasMissedAllowed = true
            subscription.isBehind = true
            return broker.events.markLagging(subscription.peer)
        }
        broker.events.publishUnnumbered(.allowedChanged, view.call, to: subscription) { writer in
            writer.member("call", view.call)
            writer.member("allowed", words: view.allowed)
            if !view.mergeWith.isEmpty { writer.member("merge_with", view.mergeWith) }
            writer.member("can_hold_now", view.canHoldNow)
        }
    }

    /// Somebody subscribes: anew, and can know how it is; or goes on where it was, and is told at the end of
    /// that.
    func begin(_ subscription: Subscription, goesOn: Bool) {
        guard subscription.topics.contains(TopicSet(.allowedChanged)) else { return }
        subscription.hasMissedAllowed = goesOn
        guard !ledger.isKept, broker.calls.count <= Self.callsMax else { return }
        ledger.begin()
        for call in broker.calls.open {
            if let view = broker.arbiter.view(of: call) { ledger.note(view) }
        }
    }

    /// Tells somebody who has missed some of it how it is with every call.
    func catchUp(_ subscription: Subscription) {
        guard subscription.hasMissedAllowed else { return }
        subscription.hasMissedAllowed = false
        guard broker.calls.count <= Self.callsMax else { return }
        for call in broker.calls.open {
            if let view = broker.arbiter.view(of: call) { publish(view, to: subscription) }
        }
    }
}
