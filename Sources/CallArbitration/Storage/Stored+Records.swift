internal import CallModel

extension CallRecord: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(id, provider, direction, serial)
        writer.write(group, state, properties, createdAt)
        writer.write(ringingSince, ringDue, ringSerial, connectingAt, connectedAt)
        writer.write(pending, current, ending, endReason, endCause)
        writer.write(heldGroups, isSilenced, filteredBy, missed, isInIncoming)
        writer.write(isStartSilent, timers, isScreened, screeningToken, isUnconfirmed)
        writer.write(pendingChanges, revision, caller, takenAt, alertingAt)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            id: try reader.read(), provider: try reader.read(), direction: try reader.read(),
            serial: try reader.readSerial(), group: try reader.read(), state: try reader.read(),
            properties: try reader.read(), createdAt: try reader.read())
        ringingSince = try reader.read()
        ringDue = try reader.read()
        ringSerial = try reader.readSerial()
        connectingAt = try reader.read()
        connectedAt = try reader.read()
        pending = try reader.read()
        current = try reader.read()
        ending = try reader.read()
        endReason = try reader.read()
        endCause = try reader.read()
        heldGroups = try reader.read()
        isSilenced = try reader.read()
        filteredBy = try reader.read()
        missed = try reader.read()
        isInIncoming = try reader.read()
        isStartSilent = try reader.read()
        timers = try reader.read()
        isScreened = try reader.read()
        screeningToken = try reader.read()
        isUnconfirmed = try reader.read()
        pendingChanges = try reader.read()
        revision = try reader.readSerial()
        if reader.formVersion >= 2 { caller = try reader.read() }
        if reader.formVersion >= 4 { takenAt = try reader.read() }
        if reader.formVersion >= 7 { alertingAt = try reader.read() }
    }
}

extension GroupRecord: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(provider, members, isMuted, isInHeldChain)
        writer.write(lastMember, heldFor, isBecomingLive, muteUnderWay)
        writer.write(heldBecauseOf, isResumeOffered)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(provider: try reader.read())
        members = try reader.read()
        isMuted = try reader.read()
        isInHeldChain = try reader.read()
        lastMember = try reader.read()
        heldFor = try reader.read()
        isBecomingLive = try reader.read()
        muteUnderWay = try reader.read()
        guard reader.formVersion >= 5 else { return }
        heldBecauseOf = try reader.read()
        isResumeOffered = try reader.read()
    }
}

extension GroupRecord.MuteChange: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(plan, transaction, isMuted)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            plan: try reader.read(), transaction: try reader.read(), isMuted: try reader.read())
    }
}

extension ProviderRecord: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(id, configuration, link, hasGrace, calls)
        writer.write(groupCount, screened, performing, queue, detached)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(id: try reader.read(), configuration: try reader.read())
        link = try reader.read()
        hasGrace = try reader.read()
        calls = try reader.read()
        groupCount = try reader.readTally()
        screened = try reader.readTally()
        performing = try reader.readTally()
        queue = try reader.read()
        detached = try reader.read()
    }
}

extension ActionRecord: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(id, call, callRecord, callSerial, provider)
        writer.write(providerID, action, isImplied, cause, transaction)
        writer.write(plan, deadlineMS, state, attempt, deadline)
        writer.write(latestDeadline, failure, isOffered, early?.state)
        writer.write(early?.at, askedAt)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            id: try reader.read(), call: try reader.read(), callRecord: try reader.read(),
            callSerial: try reader.readSerial(), provider: try reader.read(),
            providerID: try reader.read(), action: try reader.read(),
            isImplied: try reader.read(), cause: try reader.read(),
            transaction: try reader.read(), plan: try reader.read(),
            deadlineMS: try reader.read())
        state = try reader.read()
        attempt = try reader.readTally()
        deadline = try reader.read()
        latestDeadline = try reader.read()
        failure = try reader.read()
        isOffered = try reader.read()
        let settled: ActionState? = try reader.read()
        var settledAt: Instant?
        if reader.formVersion >= 3 { settledAt = try reader.read() }
        early = settled.map { EarlyOutcome($0, at: settledAt) }
        if reader.formVersion >= 6 { askedAt = try reader.read() }
    }
}

extension PlanRecord: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(id, requester, waiting, cause, actions)
        writer.write(steps, cursor, refusal, target, isDone)
        writer.write(wantsRoom, deadlineMS, choice, hasHeld, offers)
        writer.write(isWaitTimed)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            id: try reader.read(), requester: try reader.read(), waiting: try reader.read(),
            cause: try reader.read())
        actions = try reader.read()
        steps = try reader.read()
        cursor = try reader.readTally()
        refusal = try reader.read()
        target = try reader.read()
        isDone = try reader.read()
        wantsRoom = try reader.read()
        deadlineMS = try reader.read()
        choice = try reader.read()
        hasHeld = try reader.read()
        offers = try reader.read()
        isWaitTimed = try reader.read()
    }
}

extension PlanRecord.Step: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(role, first, count, unsettled, hasBegun)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            role: try reader.read(), first: try reader.readTally(),
            count: try reader.readTally(), unsettled: try reader.readTally(),
            hasBegun: try reader.read())
    }
}

extension PlanRecord.Waiting: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(token, reply)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(token: try reader.read(), reply: try reader.read())
    }
}

extension PlanRecord.Offer: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(provider, providerID, state)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            provider: try reader.read(), providerID: try reader.read(), state: try reader.read())
    }
}

extension HostFacts: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(liveGroup, heldGroups, ringing, isBusy, hasEmergency)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            liveGroup: try reader.read(), heldGroups: try reader.read(),
            ringing: try reader.read(), isBusy: try reader.read(),
            hasEmergency: try reader.read())
    }
}
