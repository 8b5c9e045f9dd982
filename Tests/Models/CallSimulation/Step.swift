package import CallArbitration
package import CallModel

/// One thing that the world did to the arbiter. Timers are no steps: they follow from what was done.
package struct Step: Sendable {
    package let at: Instant
    /// Timers that were due later had not fired when this happened.
    package let timersUpTo: Instant
    package let event: ArbiterEvent
    /// Which action the event answers; its id depends on what happened before.
    package let answers: ActionReference?
    /// Which of the run's steps it was.
    package var number = 0
}

/// What happened in a run: enough to play it again.
package struct Script: Sendable {
    package var steps: [Step] = []
    /// When the quiet end begins.
    package var end = Instant.zero
}

/// Names an action by what was performed, in place of the id that the arbiter gave it.
package struct ActionReference: Hashable, Sendable {
    package let call: CallID
    package let kind: ActionKind
    /// The number of the step that its transaction began with; nil if it was a timer.
    package let origin: Int?
    /// Counts those that are the same in all that, from 0.
    package var ordinal: Int
}

/// Which reference leads to which action: the other half of `ActionReference`.
package struct ActionDirectory: Sendable {
    private var references: [ActionID: ActionReference] = [:]
    private var actions: [ActionReference: ActionID] = [:]
    private var offers: [TransactionID: ActionReference] = [:]
    private var transactions: [ActionReference: TransactionID] = [:]
    private var counts: [ActionReference: Int] = [:]
    private var origins: [TransactionID: Int?] = [:]

    package init() {}

    /// - Parameter step: the number of the step that had these effects, or nil for a timer.
    package mutating func take(_ effects: [ArbiterEffect], of step: Int?) {
        for effect in effects {
            switch effect {
            case .announce(.transactionAccepted(let report, _)):
                if let transaction = report.transaction { origins[transaction] = step }
            case .perform(let dispatch): _ = enter(dispatch, step)
            case .offer(let transaction, _, let dispatches):
                for (index, dispatch) in dispatches.enumerated() {
                    let reference = enter(dispatch, step)
                    guard index == 0 else { continue }
                    offers[transaction] = reference
                    transactions[reference] = transaction
                }
            default: break
            }
        }
    }

    private mutating func enter(_ dispatch: Dispatch, _ step: Int?) -> ActionReference {
        if let known = references[dispatch.action] { return known }
        let origin = origins[dispatch.transaction] ?? step
        var reference = ActionReference(
            call: dispatch.call, kind: dispatch.kind.kind, origin: origin, ordinal: 0)
        let ordinal = counts[reference, default: 0]
        counts[reference] = ordinal + 1
        reference.ordinal = ordinal
        references[dispatch.action] = reference
        actions[reference] = dispatch.action
        return reference
    }

    /// What an event answers, if it is the answer to a known action.
    package func reference(of event: ArbiterEvent) -> ActionReference? {
        switch event {
        case .actionFulfilled(let action, _, _), .actionFailed(let action, _, _),
            .actionExtended(let action, _, _):
            references[action]
        case .offerSettled(let transaction, _, _): offers[transaction]
        default: nil
        }
    }

    /// The event with the id that its action has here; nil if there is no such action.
    package func event(of step: Step) -> ArbiterEvent? {
        guard let reference = step.answers else { return step.event }
        switch step.event {
        case .actionFulfilled(_, let provider, let at):
            return actions[reference].map { .actionFulfilled($0, by: provider, at: at) }
        case .actionFailed(_, let provider, let failure):
            return actions[reference].map { .actionFailed($0, by: provider, failure) }
        case .actionExtended(_, let provider, let byMS):
            return actions[reference].map { .actionExtended($0, by: provider, byMS: byMS) }
        case .offerSettled(_, let provider, let isTaken):
            return transactions[reference].map {
                .offerSettled($0, by: provider, isTaken: isTaken)
            }
        default: return step.event
        }
    }
}
