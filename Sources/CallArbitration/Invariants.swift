internal import CallModel

/// What must hold after every event. Each broken one is a sentence; an empty list is health.
extension Arbiter {
    public func brokenInvariants() -> [String] {
        liveness() + audioGrant() + membership() + actionsUnderWay() + incomingCalls()
    }

    private func liveness() -> [String] {
        var broken: [String] = []
        for call in allLinks.elements(of: allCalls) {
            let record = calls[call]
            let speaks = [.dialing, .connecting, .active].contains(record.state)
            if speaks, live != record.group {
                broken.append("I1: \(record.id) speaks and is not live")
            }
            if record.state == .ended { broken.append("I6: \(record.id) has ended and is listed") }
        }
        if let live, !groups.contains(live) { broken.append("I1: the live group is gone") }
        return broken
    }

    private func audioGrant() -> [String] {
        guard let audio else { return [] }
        return audio == live ? [] : ["I2: the audio belongs to a group that is not live"]
    }

    private func membership() -> [String] {
        var broken: [String] = []
        var perProvider: [Int32: Int] = [:]
        for call in allLinks.elements(of: allCalls) {
            let record = calls[call]
            if callsByID[record.id] != call { broken.append("\(record.id) is not found by its id") }
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
        if allCalls.count != callsByID.count {
            broken.append("calls and their ids differ in number")
        }
        for provider in providersByID.values.sorted(by: { $0.number < $1.number })
        where providers[provider].groupCount != perProvider[provider.number, default: 0] {
            broken.append("\(providers[provider].id) counts its groups wrongly")
        }
        for group in heldLinks.elements(of: held) {
            let hasHeld = members(of: group).contains { calls[$0].state == .held }
            if group == live || !hasHeld {
                broken.append("a group is in the held list and not held")
            }
        }
        return broken
    }

    private func actionsUnderWay() -> [String] {
        var broken: [String] = []
        var performing: [Int32: Int] = [:]
        for action in actionsByID.values.sorted(by: { $0.number < $1.number }) {
            let record = actions[action]
            guard record.state == .dispatched else { continue }
            performing[record.provider.number, default: 0] += 1
            if record.deadline == nil { broken.append("I12: \(record.id) has no deadline") }
        }
        for provider in providersByID.values.sorted(by: { $0.number < $1.number })
        where providers[provider].performing != performing[provider.number, default: 0] {
            broken.append("\(providers[provider].id) counts its actions wrongly")
        }
        if let reservation, !plans.contains(reservation) || plans[reservation].isDone {
            broken.append("the reservation belongs to a plan that is over")
        }
        return broken
    }

    private func incomingCalls() -> [String] {
        let waiting = incomingLinks.elements(of: incoming)
        var broken = waiting.filter { !calls[$0].isIncomingUnanswered }
            .map { "\(calls[$0].id) rings no more and is in the list" }
        let ringing = waiting.filter { calls[$0].state == .ringing }
        let looked = allLinks.elements(of: allCalls).count { calls[$0].screeningToken != nil }
        if looked != screened { broken.append("calls under a filter are counted wrongly") }
        if ringing.count > 1 { broken.append("rule 3: several calls ring") }
        if live != nil, !ringing.isEmpty { broken.append("rule 3: a call rings behind a live one") }
        return broken
    }
}
