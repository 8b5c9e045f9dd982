internal import CallModel

/// A plan before it is carried out: calls by id, since a call that it starts does not exist yet.
struct PlanDraft: Equatable, Sendable {
    struct Action: Equatable, Sendable {
        let call: CallID
        let provider: Slot<ProviderRecord>
        let action: CallAction
        let isImplied: Bool
    }

    struct Step: Equatable, Sendable {
        let role: PlanRecord.Step.Role
        let actions: [Action]

        init(_ role: PlanRecord.Step.Role, _ actions: [Action]) {
            self.role = role
            self.actions = actions
        }
    }

    var steps: [Step] = []
    /// The call that becomes live by it.
    var target: CallID?
    /// The plan that does the same already (rule 30).
    var joins: Slot<PlanRecord>?
    /// The plan that has the reservation gives way to this one (rule 15).
    var takesReservation = false
    var rule: Rule?

    var wouldHold: [CallID] {
        calls { role, action in role == .holdForRoom && action == .setHeld(true) }
    }

    var wouldEnd: [CallID] {
        calls { role, action in role == .endForRoom && action == .end }
    }

    private func calls(_ matches: (PlanRecord.Step.Role, CallAction) -> Bool) -> [CallID] {
        steps.flatMap { step in
            step.actions.filter { matches(step.role, $0.action) }.map(\.call)
        }
    }
}
