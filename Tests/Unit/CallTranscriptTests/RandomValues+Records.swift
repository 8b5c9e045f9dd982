import CallModel
import TestSupport

@testable import CallArbitration

/// Any record of the arbiter, whether it makes sense or not.
extension RandomValues {
    mutating func slot<Record>(_: Record.Type = Record.self) -> Slot<Record> {
        Slot(random.pick([0, 1, 127, 128, .max]))
    }

    mutating func chain<Record>(_: Record.Type = Record.self) -> Chain<Record> {
        var (chain, links) = (Chain<Record>(), ChainLinks<Record>())
        for number in 0..<Int32.random(in: 0...3, using: &random) {
            links.append(Slot(number * 100), to: &chain)
        }
        return chain
    }

    mutating func serial() -> UInt64 {
        random.pick([0, 1, 300, 1 << 40])
    }

    mutating func tally() -> Int {
        random.pick([0, 1, 64, 1_000])
    }

    mutating func callRecord() -> CallRecord {
        var record = CallRecord(
            id: call(), provider: slot(), direction: word(), serial: serial(), group: slot(),
            state: word(), properties: properties(), createdAt: instant())
        record.ringingSince = optional { $0.instant() }
        record.ringDue = optional { $0.instant() }
        record.ringSerial = serial()
        record.alertingAt = optional { $0.instant() }
        record.connectingAt = optional { $0.instant() }
        record.connectedAt = optional { $0.instant() }
        record.pending = optional { $0.word() }
        record.current = optional { $0.slot() }
        record.ending = optional { $0.slot() }
        record.endReason = optional { $0.word() }
        record.endCause = optional { $0.cause() }
        record.heldGroups = chain()
        record.isSilenced = bool()
        record.filteredBy = optional { $0.string() }
        record.missed = missedReasons()
        record.isInIncoming = bool()
        record.isStartSilent = bool()
        record.timers = CallTimers(rawValue: UInt8.random(in: 0..<16, using: &random))
        record.isScreened = bool()
        record.screeningToken = optional { $0.token() }
        record.isUnconfirmed = bool()
        record.pendingChanges = changes()
        record.revision = serial()
        record.caller = optional { $0.caller() }
        record.takenAt = optional { $0.instant() }
        return record
    }

    mutating func caller() -> Caller {
        Caller(
            name: optional { $0.string() }, label: optional { $0.string() }, source: string())
    }

    mutating func groupRecord() -> GroupRecord {
        var record = GroupRecord(provider: slot())
        record.members = chain()
        record.isMuted = bool()
        record.isInHeldChain = bool()
        record.lastMember = optional { $0.call() }
        record.heldFor = optional { $0.slot() }
        record.heldBecauseOf = optional { $0.call() }
        record.isResumeOffered = bool()
        record.isBecomingLive = bool()
        record.muteUnderWay = optional { $0.muteChange() }
        return record
    }

    mutating func muteChange() -> GroupRecord.MuteChange {
        GroupRecord.MuteChange(plan: slot(), transaction: transaction(), isMuted: bool())
    }

    mutating func providerRecord() -> ProviderRecord {
        var record = ProviderRecord(id: provider(), configuration: configuration())
        record.link = word()
        record.hasGrace = bool()
        record.calls = chain()
        record.groupCount = tally()
        record.screened = tally()
        record.performing = tally()
        record.queue = list { $0.slot() }
        record.detached = list { $0.slot() }
        return record
    }

    mutating func actionRecord() -> ActionRecord {
        var record = ActionRecord(
            id: action(), call: call(), callRecord: optional { $0.slot() }, callSerial: serial(),
            provider: slot(), providerID: provider(), action: callAction(), isImplied: bool(),
            cause: cause(), transaction: transaction(), plan: optional { $0.slot() },
            deadlineMS: int())
        record.state = word()
        record.attempt = tally()
        record.deadline = optional { $0.instant() }
        record.latestDeadline = optional { $0.instant() }
        record.askedAt = instant()
        record.failure = optional { $0.failure() }
        record.isOffered = bool()
        record.early = optional { values in
            EarlyOutcome(values.word(), at: values.optional { $0.instant() })
        }
        return record
    }

    mutating func planRecord() -> PlanRecord {
        var record = PlanRecord(
            id: transaction(), requester: optional { $0.requester() },
            waiting: list { $0.waiting() }, cause: cause())
        record.actions = list { $0.slot() }
        record.steps = list { $0.planStep() }
        record.cursor = tally()
        record.refusal = optional { $0.refusal() }
        record.target = optional { $0.call() }
        record.isDone = bool()
        record.wantsRoom = bool()
        record.deadlineMS = optional { $0.int() }
        record.choice = optional { $0.word() }
        record.hasHeld = bool()
        record.offers = list { $0.planOffer() }
        record.isWaitTimed = bool()
        return record
    }

    mutating func waiting() -> PlanRecord.Waiting {
        PlanRecord.Waiting(token: token(), reply: word())
    }

    mutating func planStep() -> PlanRecord.Step {
        PlanRecord.Step(
            role: word(), first: tally(), count: tally(), unsettled: tally(), hasBegun: bool())
    }

    mutating func planOffer() -> PlanRecord.Offer {
        PlanRecord.Offer(provider: slot(), providerID: provider(), state: word())
    }

    mutating func abandonedEntry() -> AbandonedActions.Entry {
        AbandonedActions.Entry(
            call: call(), provider: provider(), action: callAction(), wasCalledOff: bool(),
            because: optional { $0.call() })
    }
}
