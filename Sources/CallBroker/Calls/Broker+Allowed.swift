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
extension Broker {
    /// With more calls nobody shows them all, and to work out what is allowed would take too long.
    private static let callsMax = 32

    /// At the end of a turn: tells of each call with which the user may do something else now.
    package func tellAllowed() {
        guard allowed.isOld else { return }
        allowed.isOld = false
        let subscriptions = subscribers[.allowedChanged]
        guard !subscriptions.isEmpty, calls.count <= Self.callsMax else { return allowed.end() }
        allowed.begin()
        for view in calls.open.compactMap({ arbiter.view(of: $0) }) where allowed.isNews(view) {
            allowed.note(view)
            for subscription in subscriptions { tellAllowed(view, to: subscription) }
        }
    }

    private func tellAllowed(_ view: CallView, to subscription: Subscription) {
        guard !subscription.isBehind, mayTell(), !isOverSoftBound(subscription.connection) else {
            subscription.hasMissedAllowed = true
            subscription.isBehind = true
            return noteLagging(subscription.peer)
        }
        tellUnnumbered(.allowedChanged, view.call, to: subscription) { writer in
            writer.member("call", view.call)
            writer.member("allowed", words: view.allowed)
            if !view.mergeWith.isEmpty { writer.member("merge_with", view.mergeWith) }
            writer.member("can_hold_now", view.canHoldNow)
        }
    }

    /// Somebody subscribes: anew, and can know how it is; or goes on where it was, and is told at the end of
    /// that.
    func beginAllowed(of subscription: Subscription, goesOn: Bool) {
        guard subscription.topics.contains(TopicSet(.allowedChanged)) else { return }
        subscription.hasMissedAllowed = goesOn
        guard !allowed.isKept, calls.count <= Self.callsMax else { return }
        allowed.begin()
        for call in calls.open {
            if let view = arbiter.view(of: call) { allowed.note(view) }
        }
    }

    /// Tells somebody who has missed some of it how it is with every call.
    func catchUpWithAllowed(_ subscription: Subscription) {
        guard subscription.hasMissedAllowed else { return }
        subscription.hasMissedAllowed = false
        guard calls.count <= Self.callsMax else { return }
        for call in calls.open {
            if let view = arbiter.view(of: call) { tellAllowed(view, to: subscription) }
        }
    }
}
