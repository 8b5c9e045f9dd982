package import BrokerSocket
internal import CallArbitration
package import CallJournal
internal import CallModel
internal import CallProtocol

/// Recovery: a broker that was killed resumes from a snapshot and the journal entries since. The
/// entries are carried out again by the same code; as no peer is connected, nothing is sent. Each
/// part stores and restores its own state.
extension Broker {
    // MARK: - Storing

    /// Returns everything that another broker needs to resume from here.
    package func snapshot() -> JournalSnapshot {
        var snapshot = JournalSnapshot(
            release: Release.version, host: configuration.host, epoch: epochBits,
            configured: configuration.choices, arbiter: arbiter)
        snapshot.choices = policy.choices
        snapshot.missed = history.missed
        snapshot.screeningCopy = store.copyOfBlocks
        snapshot.wallOffsetMS = Int(clock.unixOffsetMS)
        events.store(in: &snapshot)
        snapshot.timers = timers.stored
        snapshot.dispatches = performer.stored
        snapshot.sessions = sessions.stored
        requests.store(in: &snapshot)
        snapshot.dials = emergencies.stored
        snapshot.grants = grants.all
        snapshot.startable = startable.stored
        snapshot.hasEndpoints = endpoints.arePublished
        snapshot.chosenEndpoint = endpoints.chosen
        snapshot.conferences = participants.conferences.sorted()
        snapshot.hasScreen = screens.isHolderPublished
        return snapshot
    }

    // MARK: - Restoring

    /// Restores the state that an earlier broker left, as far as it can be read, up to its last
    /// instant. Must be called before the first peer connects.
    package func recover(_ reader: inout JournalReader) {
        phase = .replaying
        defer { phase = .running }
        restore(reader.snapshot)
        while let turn = reader.nextTurn() {
            clock.restore(unixOffsetMS: turn.wallOffsetMS)
            for entry in turn.entries {
                clock.move(to: MonotonicTime(nanoseconds: entry.at.nanoseconds))
                replay(entry.matter)
            }
        }
        events.feed.markUnsubscribed(.all)
        emergencies.forgetRefused()
    }

    private func restore(_ snapshot: JournalSnapshot) {
        arbiter = snapshot.arbiter
        clock.move(to: MonotonicTime(nanoseconds: arbiter.lastMoment.nanoseconds))
        clock.restore(unixOffsetMS: Int64(snapshot.wallOffsetMS))
        policy.restore(snapshot.choices)
        history.restore(missed: snapshot.missed)
        store.restore(.all(snapshot.screeningCopy))
        events.restore(snapshot)
        calls.restore(arbiter.visibleCalls)
        for timer in snapshot.timers { timers.start(timer.timer, at: timer.deadline) }
        performer.restore(snapshot.dispatches)
        for session in snapshot.sessions { sessions.restore(session) }
        for dial in snapshot.dials { emergencies.restore(dial) }
        grants.restore(snapshot.grants)
        startable.restore(snapshot.startable)
        endpoints.restorePublished(snapshot.hasEndpoints)
        endpoints.restore(chosen: snapshot.chosenEndpoint)
        for call in snapshot.conferences { participants.restore(call, hasAny: true) }
        screens.restorePublished(snapshot.hasScreen)
        requests.restore(snapshot)
    }

    private func replay(_ matter: JournalEntry.Matter) {
        switch matter {
        case .event(let event):
            requests.restore(event)
            apply(event)
        case .asked(let request): requests.restore(request)
        case .session(let session): sessions.restore(session)
        case .choices(let choices): policy.apply(choices)
        case .topics(let bits): events.feed.want(TopicSet(bits: bits))
        case .stopping: publishStopping()
        case .missed(let missed): history.setMissed(missed)
        case .pluginPublished: events.feed.skip(.pluginState)
        case .dialRefusedPublished: events.feed.skip(.dialRefused)
        case .hungPublished(let provider): heartbeats.announceHung(provider)
        case .claimPublished(let call, let provider):
            emergencies.carryOut(claimOf: call, by: provider)
        case .textPublished: events.feed.skip(.callText)
        case .dialled(let dial): emergencies.restore(dial)
        case .grants(let issued): grants.restore(issued)
        case .endpointsPublished(let hasAny):
            endpoints.restorePublished(hasAny)
            events.feed.skip(.endpointsChanged)
        case .endpointChosen(let endpoint): endpoints.restore(chosen: endpoint)
        case .participantsPublished(let call, let hasAny):
            participants.restore(call, hasAny: hasAny)
            events.feed.skip(.participantsChanged)
        case .screenPublished(let hasAny):
            screens.restorePublished(hasAny)
            events.feed.skip(.screenChanged)
        case .slept(let milliseconds): apply(sleptMS: milliseconds)
        case .screeningCopy(let change): store.restore(change)
        }
    }

    // MARK: - Resuming

    /// Resumes after a restart: no peer is connected any more, and each provider that can come back
    /// has time for it (rule 28).
    package func resume(_ clock: LoopClock) {
        beginTurn(clock)
        sessions.renewEndedSessions()
        decide(.brokerRestarted(isSameBoot: true))
        endpoints.publishGone()
        participants.publishGone()
        screens.publishGone()
        requests.cancelAbandoned()
    }

    /// Takes over the state that outlives a boot, which calls do not.
    package func inherit(from restored: Broker) {
        store.inherit(from: restored.store)
        history.inherit(from: restored.history)
        grants.restore(restored.grants.all)
        startable.restore(restored.startable.stored)
        endpoints.restore(chosen: restored.endpoints.chosen)
    }

    /// Ends all calls and requests: the host has been booted since, or is another.
    package func endEverything() {
        decide(.brokerRestarted(isSameBoot: false))
    }
}

extension TopicSet {
    /// Creates a set from untrusted bits; unknown ones are ignored.
    init(bits: UInt64) {
        self = TopicSet(rawValue: bits).intersection(.all)
    }
}
