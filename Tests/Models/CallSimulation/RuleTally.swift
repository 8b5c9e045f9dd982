package import CallArbitration
package import CallModel

/// How many events showed each rule: in a cause, a refusal or a decision. An entry of the history
/// is rule 39 itself.
package struct RuleTally: Equatable, Sendable {
    private static let all = Rule.allCases
    package private(set) var counts = [Int](repeating: 0, count: Rule.allCases.count)
    /// The rules of the present event, a bit each.
    private var seen: UInt64 = 0

    package init() {}

    package mutating func count(_ effects: [ArbiterEffect]) {
        seen = 0
        for effect in effects { take(effect) }
        var rest = seen
        while rest != 0 {
            counts[rest.trailingZeroBitCount] += 1
            rest &= rest - 1
        }
    }

    package mutating func add(_ other: RuleTally) {
        for index in counts.indices { counts[index] += other.counts[index] }
    }

    package func count(of rule: Rule) -> Int {
        counts[Self.index(of: rule)]
    }

    package var missing: [Rule] {
        Self.all.filter { count(of: $0) == 0 }
    }

    /// An enum without payloads is its own index: as fast as it can be, and tested.
    package static func index(of rule: Rule) -> Int {
        withUnsafeBytes(of: rule) { Int($0[0]) }
    }

    private mutating func take(_ effect: ArbiterEffect) {
        switch effect {
        case .refuse(_, let refusal): see(refusal.rule)
        case .accept(_, let report), .complete(_, let report, _): see(report.refusal?.rule)
        case .perform(let dispatch): see(dispatch.cause.rule)
        case .offer(_, _, let dispatches): for dispatch in dispatches { see(dispatch.cause.rule) }
        case .record(let entry):
            see(.history)
            see(entry.cause.rule)
        case .note(let decision):
            see(decision.rule)
            see(decision.cause.rule)
        case .announce(let announcement): take(announcement)
        case .acknowledge, .confirmIncoming, .confirmRegistration, .cancelPerform, .tellTimedOut,
            .activateAudio, .deactivateAudio, .resetProvider, .startTimer, .stopTimer, .screen:
            break
        }
    }

    private mutating func take(_ announcement: Announcement) {
        switch announcement {
        case .callAdded(_, let cause), .callChanged(_, _, let cause), .callRemoved(_, let cause),
            .audioChanged(_, _, let cause):
            see(cause.rule)
        case .callRefused(_, _, _, let rule): see(rule)
        case .resumeOffered, .hostChanged, .transactionAccepted, .transactionCompleted,
            .actionChanged, .actionLate, .providerAdded, .providerChanged, .providerResumed,
            .providerLost, .providerRemoved, .anomaly:
            break
        }
    }

    private mutating func see(_ rule: Rule?) {
        if let rule { seen |= 1 << UInt64(Self.index(of: rule)) }
    }
}
