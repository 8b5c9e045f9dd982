internal import CallModel

/// A plan before it is carried out. Calls are named by id, since the call of a start does not exist
/// yet.
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
        /// The rule by which the step is part of the plan, if it differs from the rule of the plan.
        var rule: Rule?

        init(_ role: PlanRecord.Step.Role, _ actions: [Action]) {
            self.role = role
            self.actions = actions
        }
    }

    /// A decision that was made while planning, reported once the plan is carried out.
    struct Note: Equatable, Sendable {
        let rule: Rule
        let verdict: Verdict
        var blocking: [Refusal.Blocker] = []
    }

    var steps: [Step] = []
    /// The steps that are sent in front of an emergency, in transactions of their own (rule 20).
    var ahead: [Step] = []
    /// The call that becomes live by the plan.
    var target: CallID?
    /// The plan that does the same already (rule 30).
    var joins: Slot<PlanRecord>?
    /// True if the plan that has the reservation gives way to this one (rule 15).
    var takesReservation = false
    var choice: AnswerChoice?
    /// Ringing calls that an emergency ends.
    var missed: [CallID] = []
    /// The calls that make way for an emergency when it begins: these are held, and those in
    /// `ended` end (rule 20).
    var putAside: [CallID] = []
    var ended: [CallID] = []
    /// Silent starts that make way without a wait for their ends (rule 10).
    var dropped: [CallID] = []
    /// The decisions; the first has the rule that the plan's actions follow.
    var notes: [Note] = []

    var rule: Rule? {
        notes.first?.rule
    }

    /// Makes the draft follow another rule.
    mutating func follow(_ rule: Rule) {
        notes.insert(Note(rule: rule, verdict: .passed), at: 0)
        for index in steps.indices { steps[index].rule = rule }
    }

    var wouldHold: [CallID] {
        ahead(.setHeld(true))
            + calls { role, action in role == .holdForRoom && action == .setHeld(true) } + putAside
    }

    var wouldEnd: [CallID] {
        ahead(.end)
            + calls { role, action in role == .endForRoom && action == .end } + dropped + ended
            + missed
    }

    private func ahead(_ action: CallAction) -> [CallID] {
        ahead.flatMap(\.actions).filter { $0.action == action }.map(\.call)
    }

    private func calls(_ matches: (PlanRecord.Step.Role, CallAction) -> Bool) -> [CallID] {
        steps.flatMap { step in
            step.actions.filter { matches(step.role, $0.action) }.map(\.call)
        }
    }
}

/// A request that asks for what is so already, or is being done (rule 30).
enum RepeatedRequest {
    /// The result is reached already.
    case isDone
    /// A plan does the same already.
    case joins(Slot<PlanRecord>)
}

extension PlanDraft {
    /// Creates the draft of a repeated request.
    init(_ repeated: RepeatedRequest) {
        switch repeated {
        case .isDone: notes = [Note(rule: .repeated, verdict: .nothingToDo)]
        case .joins(let plan): joins = plan
        }
    }
}
