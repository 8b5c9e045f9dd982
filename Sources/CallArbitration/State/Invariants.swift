internal import CallModel

/// Invariants that hold after every event.
extension Arbiter {
    /// Returns a sentence for each invariant that does not hold; none if the state is sound.
    public func brokenInvariants() -> [String] {
        liveness() + audioIsLive() + membership() + holding() + actionsUnderWay() + plansUnderWay()
            + incomingCalls() + emergencyCalls()
    }

    private func liveness() -> [String] {
        var broken: [String] = []
        for call in calls.inOrder {
            let record = calls[call]
            let speaks = [.dialing, .alerting, .connecting, .active].contains(record.state)
            if speaks, live != record.group {
                broken.append("I1: \(record.id) speaks and is not live")
            }
            if record.state == .ended { broken.append("I6: \(record.id) has ended and is listed") }
        }
        if let live, !groups.contains(live) { broken.append("I1: the live group is gone") }
        return broken
    }

    private func audioIsLive() -> [String] {
        guard let audio else { return [] }
        return audio.group == live ? [] : ["I2: the audio belongs to a group that is not live"]
    }

    private func membership() -> [String] {
        var broken: [String] = []
        var perProvider: [Int32: Int] = [:]
        for call in calls.inOrder {
            let record = calls[call]
            if calls.slot(of: record.id) != call {
                broken.append("\(record.id) is not found by its id")
            }
            if !members(of: record.group).contains(call) {
                broken.append("\(record.id) is no member of its group")
            }
            if groups[record.group].members.first == call {
                perProvider[record.provider.number, default: 0] += 1
            }
            if groups[record.group].provider != record.provider {
                broken.append("\(record.id) is in a group of another provider")
            }
        }
        if calls.list.count != calls.count || !calls.hasUniqueIDs {
            broken.append("calls and their ids differ in number")
        }
        if calls.externals != calls.all.count(where: { calls[$0].state == .external })
            || calls.externals != providers.all.reduce(0, { $0 + providers[$1].externals })
        {
            broken.append("rule 47: calls on other devices are counted wrongly")
        }
        for provider in providers.all
        where providers[provider].groupCount != perProvider[provider.number, default: 0] {
            broken.append("\(providers[provider].id) counts its groups wrongly")
        }
        return broken
    }

    /// Checks the list of held groups, and the calls that they are held for.
    private func holding() -> [String] {
        var broken: [String] = []
        let listed = Set(groups.heldInOrder)
        for group in groups.all {
            let hasHeld = members(of: group).contains { calls[$0].state == .held }
            if listed.contains(group) != (group != live && hasHeld) {
                broken.append("the list of held groups is wrong about \(describe(group))")
            }
            if let reason = groups[group].heldFor,
                !groups.debts(calls[reason].heldGroups).contains(group)
            {
                broken.append("\(describe(group)) is held for a call that does not know of it")
            }
        }
        let owed = groups.heldInOrder.filter { groups[$0].heldBecauseOf != nil }
        if Array(groups.owedInOrder) != owed { broken.append("the list of owed groups is wrong") }
        for group in listed where groups[group].isResumeOffered != isOwedOffer(group) {
            broken.append("rule 17: \(describe(group)) is forgotten, or offered at the wrong time")
        }
        for call in calls.inOrder {
            let debts = groups.debts(calls[call].heldGroups)
            if debts.contains(where: { !groups.contains($0) || groups[$0].heldFor != call }) {
                broken.append("\(calls[call].id) owes a resume to a group that does not know of it")
            }
        }
        return broken
    }

    private func describe(_ group: Slot<GroupRecord>) -> String {
        name(of: group)?.description ?? "an empty group"
    }

    private func actionsUnderWay() -> [String] {
        var broken: [String] = []
        var performing: [Int32: Int] = [:]
        var ordinary: [Int32: Int] = [:]
        for action in actions.all {
            let record = actions[action]
            if actions.slot(of: record.id) != action {
                broken.append("\(record.id) is not found by its id")
            }
            guard record.state == .dispatched else { continue }
            performing[record.provider.number, default: 0] += 1
            if !mayBeUrgent(action) { ordinary[record.provider.number, default: 0] += 1 }
            if record.deadline == nil { broken.append("I12: \(record.id) has no deadline") }
        }
        if !actions.hasUniqueIDs { broken.append("actions and their ids differ in number") }
        for provider in providers.all {
            let record = providers[provider]
            if record.performing != performing[provider.number, default: 0] {
                broken.append("\(record.id) counts its actions wrongly")
            }
            if ordinary[provider.number, default: 0] > Self.performsPerProvider {
                broken.append("O4: \(record.id) performs too much at once")
            }
            if record.queue.contains(where: { actions[$0].state != .queued }) {
                broken.append("\(record.id) has something in its queue that does not wait")
            }
        }
        return broken + actionsOfCalls()
    }

    private func actionsOfCalls() -> [String] {
        calls.inOrder.compactMap { call in
            let record = calls[call]
            if let current = record.current, actions[current].state != .dispatched {
                return "\(record.id) waits for an action that is settled"
            }
            if record.state == .ending, record.ending == nil {
                return "\(record.id) is ending, and nobody ends it"
            }
            return nil
        }
    }

    /// Checks the plans. A plan that waits for nothing would never end.
    private func plansUnderWay() -> [String] {
        var broken: [String] = []
        for plan in plans.all {
            let record = plans[plan]
            let step =
                record.steps.indices.contains(record.cursor) ? record.steps[record.cursor] : nil
            let isMoved = step.map { record.actions(of: $0) }?.contains {
                actions[$0].state == .dispatched || actions[$0].state == .queued
            }
            if record.isDone { broken.append("\(record.id) is over and kept") }
            if isMoved != true, !record.awaitsEnding, !record.awaitsHold || reservation != plan {
                broken.append("\(record.id) waits for nothing")
            }
            let isMisplaced = record.steps.contains { step in
                record.actions(of: step).contains { actions[$0].role != step.role }
            }
            if isMisplaced {
                broken.append("an action of \(record.id) has the role of another step")
            }
            if record.awaitsEnding != plans.waitingForEnd.contains(plan) {
                broken.append("\(record.id) waits for an end and is not listed, or is and does not")
            }
        }
        if let reservation, !plans.contains(reservation) {
            broken.append("the reservation belongs to a plan that is over")
        }
        return broken
    }

    private func incomingCalls() -> [String] {
        let waiting = Array(incoming.inOrder)
        var broken = waiting.filter { !calls[$0].state.isUnanswered }
            .map { "\(calls[$0].id) rings no more and is in the list" }
        let ringing = waiting.filter { calls[$0].state == .ringing }
        let looked = calls.inOrder.reduce(0) {
            $0 + (calls[$1].screeningToken == nil ? 0 : 1)
        }
        if looked != incoming.screenedCount {
            broken.append("calls under a filter are counted wrongly")
        }
        if ringing.first != incoming.ringing { broken.append("rule 3: another call rings") }
        if ringing.count > 1 { broken.append("rule 3: several calls ring") }
        if live != nil, !ringing.isEmpty { broken.append("rule 3: a call rings behind a live one") }
        if live == nil, ringing.isEmpty, !waiting.isEmpty {
            broken.append("rule 3: calls wait, and none of them rings")
        }
        return broken
    }

    private func emergencyCalls() -> [String] {
        // An emergency that only rings does not count yet.
        let marked = calls.inOrder.filter {
            isMarked($0) && calls[$0].state != .ending
                && (!calls[$0].state.isUnanswered || isBeingTakenUp($0))
        }
        let isRight =
            marked.allSatisfy { emergencies.contains($0) }
            && marked.count == emergencies.calls.count
        return isRight || !policy.allowsEmergency
            ? [] : ["rule 20: emergencies are counted wrongly"]
    }
}
