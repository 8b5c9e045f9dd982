import CallArbitration
import CallModel
import TestSupport

@testable import CallTranscript

extension RandomValues {
    mutating func effect(_ kind: EffectKind) -> ArbiterEffect {
        switch kind {
        case .acknowledge: .acknowledge(token())
        case .refuse: .refuse(token(), refusal())
        case .confirmIncoming: .confirmIncoming(token(), call(), word(), word())
        case .confirmRegistration:
            .confirmRegistration(
                token(), provider(), calls: list { $0.call() }, dropped: list { $0.call() })
        case .accept: .accept(token(), report())
        case .complete: .complete(token(), report(), cause())
        case .offer: .offer(transaction(), provider(), list { $0.dispatch() })
        case .perform: .perform(dispatch())
        case .cancelPerform: .cancelPerform(action(), provider())
        case .tellTimedOut: .tellTimedOut(action(), word(), call(), provider())
        case .activateAudio: .activateAudio(provider(), group: call(), calls: list { $0.call() })
        case .deactivateAudio:
            .deactivateAudio(provider(), group: call(), calls: list { $0.call() })
        case .resetProvider: .resetProvider(provider(), word())
        case .startTimer: .startTimer(timer(), at: instant())
        case .stopTimer: .stopTimer(timer())
        case .announce: .announce(announcement(word()))
        case .screen: .screen(call())
        case .record: .record(historyEntry())
        case .note: .note(decision())
        }
    }

    mutating func dispatch() -> Dispatch {
        Dispatch(
            action: action(), provider: provider(), call: call(), kind: callAction(),
            transaction: transaction(), cause: cause(), deadlineMS: int(), attempt: int(),
            ageMS: int())
    }

    mutating func entry() -> TransactionReport.Entry {
        TransactionReport.Entry(
            action: optional { $0.action() }, kind: word(), call: call(), provider: provider(),
            isImplied: bool(), state: word(), failure: optional { $0.failure() })
    }

    mutating func failure() -> ActionFailure {
        ActionFailure(
            code: int(), reason: string(), message: optional { $0.string() },
            appCode: optional { $0.string() })
    }

    mutating func detail() -> EndDetail {
        EndDetail(
            EndDetail.Reason(rawValue: string()), text: optional { $0.string() },
            code: optional { $0.string() })
    }

    mutating func report() -> TransactionReport {
        var report = TransactionReport(
            transaction: optional { $0.transaction() }, state: word(), entries: list { $0.entry() },
            refusal: optional { $0.refusal() })
        report.wouldHold = list { $0.call() }
        report.wouldEnd = list { $0.call() }
        report.wouldActivate = list { $0.call() }
        report.isJoined = bool()
        return report
    }

    mutating func announcement(_ kind: AnnouncementKind) -> Announcement {
        switch kind {
        case .callAdded: .callAdded(call(), cause())
        case .callChanged: .callChanged(call(), changes(), cause())
        case .callRemoved: .callRemoved(call(), cause())
        case .callRefused: .callRefused(call(), provider(), word(), word())
        case .resumeOffered: .resumeOffered(call(), becauseOf: call())
        case .hostChanged: .hostChanged(facts())
        case .transactionAccepted: .transactionAccepted(report(), cause())
        case .transactionCompleted: .transactionCompleted(report(), cause())
        case .actionChanged:
            .actionChanged(
                action(), word(), call(), word(), optional { $0.failure() })
        case .actionLate: .actionLate(action(), provider())
        case .providerAdded: .providerAdded(provider())
        case .providerChanged: .providerChanged(provider())
        case .providerResumed: .providerResumed(provider())
        case .providerLost: .providerLost(provider(), graceMS: int())
        case .providerRemoved: .providerRemoved(provider(), word())
        case .audioChanged:
            .audioChanged(from: optional { $0.call() }, to: optional { $0.call() }, cause())
        case .anomaly:
            .anomaly(word(), optional { $0.call() }, optional { $0.provider() })
        }
    }

    mutating func changes() -> ChangedProperties {
        ChangedProperties(rawValue: UInt64.random(in: 0..<1 << 38, using: &random))
    }

    mutating func facts() -> HostFacts {
        HostFacts(
            liveGroup: optional { $0.call() }, heldGroups: int(), ringing: int(), isBusy: bool(),
            hasEmergency: bool())
    }

    mutating func host() -> HostState {
        HostState(facts: facts(), audioGroup: optional { $0.call() })
    }

    mutating func historyEntry() -> HistoryEntry {
        HistoryEntry(
            last: view(), reason: word(), cause: cause(), missed: missedReasons(),
            filteredBy: optional { $0.string() }, endedAt: instant(), isRecent: bool(),
            isExternal: bool(),
            failure: optional { $0.failure() }, detail: optional { $0.detail() })
    }

    mutating func decision() -> Decision {
        Decision(
            optional { $0.word() }, word(), call: optional { $0.call() }, cause: cause(),
            blocking: list { $0.blocker() }, reason: optional { $0.word() })
    }

    mutating func view() -> CallView {
        CallView(
            call: call(), provider: provider(), direction: word(), state: word(),
            pending: optional { $0.word() }, group: call(), canHoldNow: bool(),
            heldBecauseOf: optional { $0.call() }, isResumeOffered: bool(), isMuted: bool(),
            isSilenced: bool(),
            isProviderConnected: bool(), properties: properties(),
            caller: optional { $0.caller() }, createdAt: instant(),
            alertingAt: optional { $0.instant() }, connectingAt: optional { $0.instant() },
            connectedAt: optional { $0.instant() },
            allowed: list { $0.word() }, mergeWith: list { $0.call() },
            revision: random.pick([0, 1, .max]))
    }
}
