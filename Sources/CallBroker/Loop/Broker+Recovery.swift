package import BrokerSocket
internal import CallArbitration
package import CallJournal
internal import CallModel
internal import CallProtocol

/// A broker that was killed goes on as if it had not been: from a snapshot, and what happened since. What
/// happened is carried out again, by the same code; as nobody is connected, nobody hears of it.
extension Broker {
    // MARK: - Keeping

    /// All that another broker has to know to go on.
    package func snapshot() -> JournalSnapshot {
        var snapshot = JournalSnapshot(
            release: Release.version, host: configuration.host, epoch: epochBits,
            configured: configuration.choices,
            arbiter: arbiter)
        snapshot.choices = choices
        snapshot.missed = missed
        snapshot.screeningCopy = rememberedBlocks.copy
        snapshot.wallOffsetMS = Int(wallOffsetMS)
        snapshot.seq = Int(feed.seq)
        snapshot.topics = UInt64(feed.wanted.rawValue)
        snapshot.lastToken = lastToken
        snapshot.timers = armed.map {
            StoredTimer(
                timer: $0.key, deadline: Instant(nanoseconds: $0.value.deadline.nanoseconds))
        }
        snapshot.dispatches = Array(dispatched.values)
        snapshot.sessions = sessions.all.filter(\.isRegistered).map(\.stored)
        snapshot.asked = asked.stored
        snapshot.dials = storedDials
        snapshot.waiting = waiting.compactMap { number, request in
            guard case .transaction(let options) = request.form, !options.isDryRun else {
                return nil
            }
            return WaitingTransaction(
                token: RequestToken(number), options: options, isAccepted: request.isAccepted)
        }
        return snapshot
    }

    // MARK: - Going on

    /// Takes over what an earlier broker left, as far as it can be read, and stands at its last moment
    /// then. Nobody has connected yet.
    package func recover(_ reader: inout JournalReader) {
        isRecovering = true
        defer { isRecovering = false }
        takeOver(reader.snapshot)
        while let turn = reader.nextTurn() {
            wallOffsetMS = turn.wallOffsetMS
            for entry in turn.entries {
                now = MonotonicTime(nanoseconds: entry.at.nanoseconds)
                repeatEntry(entry.matter)
            }
        }
        feed.noteUnheard(.all)
        forgetRefusedDials()
    }

    private func takeOver(_ snapshot: JournalSnapshot) {
        arbiter = snapshot.arbiter
        now = MonotonicTime(nanoseconds: arbiter.lastMoment.nanoseconds)
        wallOffsetMS = Int64(snapshot.wallOffsetMS)
        choices = snapshot.choices
        missed = snapshot.missed
        rememberedBlocks.apply(.all(snapshot.screeningCopy))
        feed.goOn(after: Int64(snapshot.seq), wanting: TopicSet(bits: snapshot.topics))
        lastToken = snapshot.lastToken
        for call in arbiter.visibleCalls { calls.add(call) }
        for timer in snapshot.timers { start(timer.timer, at: timer.deadline) }
        for dispatch in snapshot.dispatches { dispatched[dispatch.action] = dispatch }
        for session in snapshot.sessions { takeOver(session) }
        for transaction in snapshot.asked { asked.takeOver(transaction) }
        for dial in snapshot.dials { takeOver(dial) }
        for transaction in snapshot.waiting {
            var request = WaitingRequest(form: .transaction(transaction.options))
            request.isAccepted = transaction.isAccepted
            waiting[transaction.token.number] = request
        }
    }

    private func takeOver(_ stored: StoredSession) {
        let key = SessionKey(id: stored.id, secret: stored.secret)
        let session = ProviderSession(provider: stored.provider, key: key)
        session.isRegistered = true
        session.displayName = arbiter.configuration(of: stored.provider)?.displayName
        if let former = sessions[stored.provider], former.key != key {
            formerSessions.note(session, insteadOf: former, at: now)
        }
        sessions[stored.provider] = session
    }

    private func repeatEntry(_ matter: JournalEntry.Matter) {
        switch matter {
        case .event(let event):
            if let token = event.token { lastToken = max(lastToken, token.number) }
            if let (token, options) = event.transaction, !options.isDryRun, token != Self.noToken {
                waiting[token.number] = WaitingRequest(form: .transaction(options))
            }
            carryOut(event)
        case .asked(let request): asked.begin(request.id, request.key, at: now)
        case .session(let session): takeOver(session)
        case .choices(let choices): carryOut(choices)
        case .topics(let bits): feed.want(TopicSet(bits: bits))
        case .stopping: tellStopping()
        case .missed(let missed): carryOut(missed: missed)
        case .pluginTold: feed.skip(.pluginState)
        case .dialRefusedTold: feed.skip(.dialRefused)
        case .hungTold(let provider): carryOut(hung: provider)
        case .claimTold(let call, let provider): carryOut(claimOf: call, by: provider)
        case .dialled(let dial): takeOver(dial)
        case .slept(let milliseconds): carryOut(sleptMS: milliseconds)
        case .screeningCopy(let change): rememberedBlocks.apply(change)
        }
    }

    /// Everybody who was connected is not any more; whoever can come back has time for it (rule 28).
    package func resume(_ clock: LoopClock) {
        beginTurn(clock)
        formerSessions.renew(at: now)
        decide(.brokerRestarted(isSameBoot: true))
        let abandoned = waiting.filter { _, request in
            guard case .transaction(let options) = request.form else { return false }
            return options.kept == nil && !request.isAccepted
        }
        for token in abandoned.keys.sorted() { decide(.cancelRequested(RequestToken(token))) }
    }

    /// Takes over what outlives a boot: the calls do not.
    package func inherit(from former: Broker) {
        rememberedBlocks = former.rememberedBlocks
        history = former.history
    }

    /// The host has been started anew, or is another: everything that was going on is over.
    package func conclude() {
        decide(.brokerRestarted(isSameBoot: false))
    }
}

extension TopicSet {
    /// Of bits that may be anything.
    fileprivate init(bits: UInt64) {
        self = TopicSet(rawValue: UInt32(truncatingIfNeeded: bits)).intersection(.all)
    }
}
