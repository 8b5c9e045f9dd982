package import CallArbitration
package import CallModel

/// A number for all effects of a run, the same in every process: whatever order the arbiter takes
/// from a hash shows as another number in the next process.
package struct EffectDigest: Equatable, Sendable {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    package mutating func fold(_ effects: [ArbiterEffect], at now: Instant) {
        fold(UInt64(bitPattern: now.nanoseconds))
        for effect in effects { fold(effect) }
    }

    private mutating func fold(_ number: UInt64) {
        value = (value ^ number) &* 0x0000_0100_0000_01B3
        value ^= value >> 29
    }

    private mutating func fold(_ kind: UInt64, _ bits: UUIDBits) {
        fold(kind)
        fold(bits.high)
        fold(bits.low)
    }

    private mutating func fold(_ kind: UInt64, _ report: TransactionReport) {
        fold(kind)
        for entry in report.entries { fold(8, entry.call.bits) }
    }

    private mutating func fold(_ effect: ArbiterEffect) {
        switch effect {
        case .acknowledge(let token): fold(1 ^ token.number << 8)
        case .refuse(let token, let refusal):
            fold(2 ^ token.number << 8)
            for blocker in refusal.blocking { fold(3, blocker.call.bits) }
        case .confirmIncoming(let token, _, _, _): fold(4 ^ token.number << 8)
        case .confirmRegistration(let token, _, let calls, let dropped):
            fold(5 ^ token.number << 8)
            for call in calls + dropped { fold(6, call.bits) }
        case .accept(let token, let report), .complete(let token, let report, _):
            fold(7, report)
            fold(token.number << 8)
        case .offer(let transaction, _, _): fold(9, transaction.bits)
        case .perform(let dispatch): fold(10, dispatch.action.bits)
        case .cancelPerform(let action, _): fold(11, action.bits)
        case .tellTimedOut(let action, _, _, _): fold(12, action.bits)
        case .activateAudio(_, let group, _): fold(13, group.bits)
        case .deactivateAudio(_, let group, _): fold(14, group.bits)
        case .resetProvider: fold(15)
        case .startTimer(_, let deadline): fold(UInt64(bitPattern: deadline.nanoseconds))
        case .stopTimer: fold(16)
        case .announce(let announcement): fold(announcement)
        case .screen(let call): fold(17, call.bits)
        case .record(let entry): fold(18, entry.call.bits)
        case .note(let decision):
            fold(19 ^ UInt64(decision.rule.map { RuleTally.index(of: $0) + 1 } ?? 0) << 8)
        }
    }

    private mutating func fold(_ announcement: Announcement) {
        switch announcement {
        case .callAdded(let call, _): fold(20, call.bits)
        case .callChanged(let call, let changes, _):
            fold(21 ^ UInt64(changes.rawValue) << 8, call.bits)
        case .callRemoved(let call, _): fold(22, call.bits)
        case .callRefused(let call, _, _, _): fold(23, call.bits)
        case .resumeOffered(let call, _): fold(24, call.bits)
        case .transactionAccepted(let report, _): fold(25, report)
        case .transactionCompleted(let report, _): fold(26, report)
        case .actionChanged(let action, _, _, _, _): fold(27, action.bits)
        case .hostChanged, .actionLate, .providerAdded, .providerChanged, .providerResumed,
            .providerLost, .providerRemoved, .audioChanged, .anomaly:
            fold(28)
        }
    }
}
