import CallArbitration
import CallJournal
import CallModel
import CallTesting

/// One of everything that a journal can hold.
enum Samples {
    static let call = CallID(UUIDBits(high: 1, low: 2))
    static let action = ActionID(UUIDBits(high: 3, low: 4))
    static let transaction = TransactionID(UUIDBits(high: 5, low: 6))
    static let provider = ProviderID("org.example.sip")
    static let token = RequestToken(7)

    static let entries = [
        JournalEntry(.event(.providerLost(provider)), at: Instant(nanoseconds: 1)),
        JournalEntry(.asked(request), at: Instant(nanoseconds: 2)),
        JournalEntry(.event(end), at: Instant(nanoseconds: 2)),
        JournalEntry(.session(session), at: Instant(nanoseconds: 3)),
        JournalEntry(.choices(choices), at: Instant(nanoseconds: 4)),
        JournalEntry(.topics(0b1011), at: Instant(nanoseconds: 5)),
        JournalEntry(.missed(26), at: Instant(nanoseconds: 6)),
        JournalEntry(.pluginPublished, at: Instant(nanoseconds: 7)),
        JournalEntry(.dialRefusedPublished, at: Instant(nanoseconds: 7)),
        JournalEntry(.hungPublished(provider), at: Instant(nanoseconds: 7)),
        JournalEntry(.grants([grant]), at: Instant(nanoseconds: 7)),
        JournalEntry(.claimPublished(call, by: provider), at: Instant(nanoseconds: 7)),
        JournalEntry(
            .dialled(
                StoredDial(
                    call: call,
                    start: StartArguments(
                        remote: Handle(kind: .phone, value: "112"), isEmergency: true),
                    tried: [provider])), at: Instant(nanoseconds: 7)),
        JournalEntry(.slept(28), at: Instant(nanoseconds: 8)),
        JournalEntry(.screeningCopy(.all(screeningCopy)), at: Instant(nanoseconds: 9)),
        JournalEntry(.screeningCopy(.block(blocked)), at: Instant(nanoseconds: 9)),
        JournalEntry(.screeningCopy(.unblock(blocked)), at: Instant(nanoseconds: 9)),
        JournalEntry(.stopping, at: Instant(nanoseconds: .max)),
    ]

    static let end = ArbiterEvent.transactionRequested(
        TransactionRequest(
            token: token, requester: .user,
            actions: [RequestedAction(call: call, provider: provider, action: .end)]))
    static let request = AskedRequest(id: transaction, key: end)
    static let blocked = ScreeningCopy.Pattern(
        Handle(kind: .phone, value: "+4930"), isPrefix: true)
    static var screeningCopy: ScreeningCopy {
        var copy = ScreeningCopy()
        copy.block(blocked)
        copy.block(ScreeningCopy.Pattern(Handle(kind: .email, value: "a@example.org")))
        copy.letThrough(Handle(kind: .phone, value: "+15551"))
        return copy
    }
    static let session = StoredSession(provider: provider, id: "session", secret: "secret")

    static var choices: HostChoices {
        var policy = ArbitrationPolicy()
        policy.onCannotHold = .end
        var choices = HostChoices(
            policy: policy, defaultProviders: ["sip": provider, "tel": provider])
        choices.screening.doNotDisturb.isOn = true
        choices.screening.doNotDisturb.untilMS = 20
        choices.screening.doNotDisturb.schedule = [WeeklyPeriod(days: 21, start: 22, end: 23)]
        choices.screening.doNotDisturb.letsRepeatedCallsPass = false
        choices.screening.doNotDisturb.letsPriorityCallersPass = true
        choices.screening.silencesUnknownCallers = true
        choices.screening.region = "FR"
        choices.authorizations = [provider: .denied]
        choices.newProviders = .ask
        choices.retention.days = 24
        choices.retention.entries = 25
        choices.heartbeatMS = 26
        choices.emergency.numbers = ["27"]
        choices.emergency.providers = [provider]
        var claims = EmergencyClaims()
        (claims.outgoing, claims.incoming) = (.allowed, .ask)
        choices.emergency.claims = [provider: claims]
        var rule = RightsRule()
        (rule.identity, rule.executable, rule.sandbox) = ("org.a", "/usr/bin/a", .flatpak)
        (rule.app, rule.unit, rule.roles) = ("org.A", "a.service", ["observer"])
        choices.rights = [rule]
        return choices
    }

    static var grant: Grant {
        var grant = Grant(name: "n", credential: "c", roles: ["observer"])
        (grant.uid, grant.identity, grant.calls) = (1_001, "org.a", .own)
        (grant.isRedacted, grant.expiresAtMS) = (false, 28)
        return grant
    }

    static var report: TransactionReport {
        let entry = TransactionReport.Entry(
            action: action, kind: .end, call: call, provider: provider, isImplied: true,
            state: .failed, failure: ActionFailure(code: 18, reason: "busy", message: "m"))
        var report = TransactionReport(
            transaction: transaction, state: .failed, entries: [entry],
            refusal: Refusal(.providerFailed))
        report.isJoined = true
        report.wouldEnd = [call]
        report.wouldActivate = [call]
        return report
    }

    /// Nothing in it is as it is in a new one.
    static var snapshot: JournalSnapshot {
        var snapshot = JournalSnapshot(
            release: "1.2.3", host: HostName(boot: "b", machine: "m"),
            epoch: UUIDBits(high: 8, low: 9), configured: choices, arbiter: Arbiter(lineage: 10))
        snapshot.choices.defaultProviders = ["sips": provider]
        snapshot.wallOffsetMS = 19
        snapshot.missed = 27
        snapshot.screeningCopy = screeningCopy
        snapshot.seq = 11
        snapshot.topics = 12
        snapshot.lastToken = 13
        snapshot.timers = [
            StoredTimer(timer: .grace(provider), deadline: Instant(nanoseconds: 14))
        ]
        snapshot.dispatches = [
            Dispatch(
                action: action, provider: provider, call: call, kind: .setHeld(true),
                transaction: transaction, cause: Cause(.user), deadlineMS: 15, attempt: 2,
                ageMS: 19)
        ]
        snapshot.sessions = [session]
        snapshot.grants = [grant]
        snapshot.asked = [
            AskedTransaction(
                request: request, expiry: Instant(nanoseconds: 16),
                reply: AskedTransaction.Reply(report: report, seq: 17))
        ]
        snapshot.waiting = [
            WaitingTransaction(token: token, options: CallOptions(), isAccepted: true)
        ]
        return snapshot
    }

    /// A journal of a snapshot and two turns.
    static var journal: [UInt8] {
        let medium = MemoryMedium()
        let journal = Journal(medium)
        journal.beginAnew(snapshot)
        journal.wallOffsetMS = 1_000
        for entry in entries.prefix(4) { journal.append(entry) }
        journal.commit { snapshot }
        journal.wallOffsetMS = -1
        for entry in entries.dropFirst(4) { journal.append(entry) }
        journal.commit { snapshot }
        return medium.bytes
    }
}

// MARK: - As it was stored earlier

extension Samples {
    /// A snapshot as forms before the sixth had it: before the fifth without what counts for emergencies, before the fourth
    /// without a heartbeat, and before the third without what counts while the store cannot be asked.
    static func stored(_ snapshot: JournalSnapshot, inForm form: Int) -> [UInt8] {
        var writer = StateWriter()
        writer.write(snapshot.release, snapshot.host, snapshot.epoch)
        writer.write(snapshot.configured, inForm: form)
        writer.write(snapshot.arbiter)
        writer.write(snapshot.choices, inForm: form)
        writer.write(snapshot.missed, snapshot.wallOffsetMS, snapshot.seq, snapshot.topics)
        writer.write(snapshot.lastToken, snapshot.timers, snapshot.dispatches, snapshot.sessions)
        writer.write(snapshot.asked, snapshot.waiting)
        writer.finishFlags()
        if form > 2 { writer.write(snapshot.screeningCopy) }
        return writer.bytes
    }
}

extension StateWriter {
    fileprivate mutating func write(_ choices: HostChoices, inForm form: Int) {
        let defaults = choices.defaultProviders.sorted { $0.key < $1.key }
        let authorizations = choices.authorizations.sorted { $0.key < $1.key }
        write(choices.policy, defaults.map(\.key), defaults.map(\.value))
        write(choices.screening, choices.newProviders)
        write(authorizations.map(\.key), authorizations.map(\.value))
        write(choices.retention.days, choices.retention.entries)
        if form > 3 { write(choices.heartbeatMS) }
        if form > 4 { write(choices.emergency) }
    }
}
