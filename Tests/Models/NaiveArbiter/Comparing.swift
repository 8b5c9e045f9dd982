internal import CallArbitration
internal import CallModel

/// What the engine did beside what the rules want, in words.
extension NaiveArbiter {
    func differences(from effects: [ArbiterEffect]) -> [String] {
        replyDifferences(effects) + workDifferences(effects) + toldDifferences(effects)
            + historyDifferences(effects) + announcedDifferences(effects)
            + orderDifferences(effects)
    }

    // Replies.

    private func replyDifferences(_ effects: [ArbiterEffect]) -> [String] {
        var given = effects.compactMap { reply(in: $0) }
        var differences: [String] = []
        for want in wanted.replies {
            guard let index = given.firstIndex(where: { $0.token == want.token }) else {
                differences.append("no reply, wanted \(want.token.number): \(want.reply.words)")
                continue
            }
            let got = given.remove(at: index)
            if got.reply != want.reply {
                differences.append(
                    "reply \(got.token.number): \(got.reply.words), wanted \(want.reply.words)")
            }
        }
        for extra in given {
            differences.append("reply \(extra.token.number): \(extra.reply.words), wanted none")
        }
        return differences
    }

    private func reply(in effect: ArbiterEffect) -> (token: RequestToken, reply: Wanted.Reply)? {
        switch effect {
        case .acknowledge(let token): (token, .acknowledged)
        case .refuse(let token, let refusal): (token, .refused(Refused(refusal)))
        case .confirmIncoming(let token, _, let state, let presentation):
            (token, .incoming(state, presentation))
        case .confirmRegistration(let token, _, let calls, let dropped):
            (token, .registered(calls: calls, dropped: dropped))
        case .accept(let token, let report): (token, .accepted(Wanted.Report(report)))
        case .complete(let token, let report, _): (token, .completed(Wanted.Report(report)))
        case .offer, .perform, .cancelPerform, .tellTimedOut, .activateAudio, .deactivateAudio,
            .resetProvider, .startTimer, .stopTimer, .announce, .screen, .record, .note:
            nil
        }
    }

    // What goes to providers, in order.

    private func workDifferences(_ effects: [ArbiterEffect]) -> [String] {
        let given = effects.compactMap { effect -> Wanted.Work? in
            switch effect {
            case .perform(let dispatch):
                .perform(
                    dispatch.call, dispatch.kind, attempt: dispatch.attempt,
                    deadlineMS: dispatch.deadlineMS, ageMS: dispatch.ageMS,
                    dispatch.cause.plain)
            case .offer(_, let provider, let offered):
                .offer(provider, offered.map { Wanted.Offered(call: $0.call, kind: $0.kind) })
            case .activateAudio(_, let group, _): .activate(group)
            case .deactivateAudio(_, let group, _): .deactivate(group)
            default: nil
            }
        }
        guard ordered(given) != ordered(wanted.work) else { return [] }
        return ["to providers: \(words(given)), wanted: \(words(wanted.work))"]
    }

    /// Mute, tones and endpoints stand for themselves: when they are sent among others does not matter.
    private func ordered(_ work: [Wanted.Work]) -> [Wanted.Work] {
        let isApart: (Wanted.Work) -> Bool = { part in
            guard case .perform(_, let kind, _, _, _, _) = part else { return false }
            return [.setMuted, .playDTMF, .setEndpoint, .setVideo, .setText].contains(kind.kind)
        }
        return work.filter { !isApart($0) } + work.filter(isApart)
    }

    private func words(_ work: [Wanted.Work]) -> String {
        work.isEmpty ? "nothing" : work.map(\.words).joined(separator: ", ")
    }

    private func toldDifferences(_ effects: [ArbiterEffect]) -> [String] {
        var cancelled: [ActionID] = []
        var timedOut: [ActionID] = []
        var screened: [CallID] = []
        for effect in effects {
            if case .cancelPerform(let action, _) = effect { cancelled.append(action) }
            if case .tellTimedOut(let action, _, _, _) = effect { timedOut.append(action) }
            if case .screen(let call) = effect { screened.append(call) }
        }
        let wantedCancelled = wanted.cancelled.compactMap { ids[$0] }
        let wantedTimedOut = wanted.timedOut.compactMap { ids[$0] }
        var differences: [String] = []
        if cancelled.sorted() != wantedCancelled.sorted() {
            differences.append("cancelled \(words(cancelled)), wanted \(words(wantedCancelled))")
        }
        if timedOut.sorted() != wantedTimedOut.sorted() {
            differences.append("timed out \(words(timedOut)), wanted \(words(wantedTimedOut))")
        }
        if screened != wanted.screened {
            differences.append("screens \(screened.words), wanted \(wanted.screened.words)")
        }
        return differences
    }

    private func words(_ actions: [ActionID]) -> String {
        "[" + actions.map { "\($0.bits.low & 0xFFFF)" }.joined(separator: ", ") + "]"
    }

    /// The reply `accepted` comes before the first dispatch.
    private func orderDifferences(_ effects: [ArbiterEffect]) -> [String] {
        var sent: [TransactionID] = []
        for effect in effects {
            switch effect {
            case .perform(let dispatch): sent.append(dispatch.transaction)
            case .accept(_, let report) where !report.isJoined:
                guard let id = report.transaction, sent.contains(id) else { continue }
                return ["something was sent before the reply"]
            default: continue
            }
        }
        return []
    }

    // History and what is announced.

    private func historyDifferences(_ effects: [ArbiterEffect]) -> [String] {
        let given = effects.compactMap { effect -> Wanted.Entry? in
            guard case .record(let entry) = effect else { return nil }
            return Wanted.Entry(
                call: entry.call, reason: entry.reason, missed: entry.missed,
                cause: entry.cause.plain, hasVideo: entry.last.properties.hasVideo,
                filteredBy: entry.filteredBy,
                createdAt: entry.last.createdAt, connectedAt: entry.last.connectedAt,
                endedAt: entry.endedAt, failure: entry.failure, detail: entry.detail)
        }
        let wanted = wanted.history.map { $0.plain }
        return unmatched(given, wanted).map { "history \($0.words), not wanted" }
            + unmatched(wanted, given).map { "history lacks \($0.words)" }
    }

    private func announcedDifferences(_ effects: [ArbiterEffect]) -> [String] {
        let given = effects.compactMap { effect -> Wanted.Announced? in
            guard case .announce(let announcement) = effect else { return nil }
            return Wanted.Announced(announcement)
        }
        let wanted = wanted.announced.map(\.plain)
        return unmatched(given, wanted).map { "announced \($0), not wanted" }
            + unmatched(wanted, given).map { "not announced: \($0)" }
    }

    /// What is in one list and not in the other, in whatever order.
    private func unmatched<Element: Equatable>(
        _ one: [Element], _ other: [Element]
    ) -> [Element] {
        var rest = other
        return one.filter { element in
            guard let index = rest.firstIndex(of: element) else { return true }
            rest.remove(at: index)
            return false
        }
    }
}

extension NaiveArbiter.Refused {
    init(_ refusal: Refusal) {
        self.init(
            refusal.reason, refusal.rule, refusal.blocking.map(\.call), limit: refusal.limit)
        index = refusal.actionIndex
    }

    var words: String {
        "\(reason.rawValue) by \(rule?.rawValue ?? "none")" + (index.map { " at \($0)" } ?? "")
            + (blocking.isEmpty ? "" : " blocking \(blocking.words)")
            + (limit.map { " limit \($0.name) \($0.value)" } ?? "")
    }
}

extension Wanted.Report {
    init(_ report: TransactionReport) {
        state = report.state
        entries = report.entries.map {
            Entry(
                kind: $0.kind, call: $0.call, isImplied: $0.isImplied, state: $0.state,
                failure: $0.failure)
        }
        wouldHold = report.wouldHold
        wouldEnd = report.wouldEnd
        wouldActivate = report.wouldActivate
        refused = report.refusal.map { NaiveArbiter.Refused($0) }
        isJoined = report.isJoined
    }

    var words: String {
        let parts = entries.map {
            "\($0.isImplied ? "implied " : "")\($0.kind.rawValue) \($0.call.words) \($0.state)"
                + ($0.failure.map { " (\($0.reason))" } ?? "")
        }
        return "\(isJoined ? "joined " : "")\(state) [\(parts.joined(separator: ", "))]"
            + (wouldHold.isEmpty ? "" : " would hold \(wouldHold.words)")
            + (wouldEnd.isEmpty ? "" : " would end \(wouldEnd.words)")
            + (wouldActivate.isEmpty ? "" : " would activate \(wouldActivate.words)")
            + (refused.map { " refused \($0.words)" } ?? "")
    }
}

extension Wanted.Reply {
    var words: String {
        switch self {
        case .acknowledged: "acknowledged"
        case .refused(let refused): "refused \(refused.words)"
        case .incoming(let state, let presentation): "\(state), \(presentation)"
        case .registered(let calls, let dropped):
            "registered \(calls.words), dropped \(dropped.words)"
        case .accepted(let report): "accepted: \(report.words)"
        case .completed(let report): "completed: \(report.words)"
        }
    }
}

extension Wanted.Work {
    var words: String {
        switch self {
        case .perform(let call, let kind, let attempt, let deadlineMS, let ageMS, let cause):
            "\(kind.words) on \(call.words)" + (attempt > 1 ? " (attempt \(attempt))" : "")
                + " within \(deadlineMS) after \(ageMS) (\(cause.words))"
        case .offer(let provider, let offered):
            "offer to \(provider) of "
                + offered.map { "\($0.kind.words) on \($0.call.words)" }.joined(separator: " and ")
        case .activate(let group): "audio to \(group?.words ?? "?")"
        case .deactivate(let group): "audio from \(group?.words ?? "?")"
        }
    }
}

extension Wanted.Entry {
    var plain: Self {
        Self(
            call: call, reason: reason, missed: missed, cause: cause.plain, hasVideo: hasVideo,
            filteredBy: filteredBy, createdAt: createdAt, connectedAt: connectedAt,
            endedAt: endedAt, failure: failure, detail: detail)
    }

    var words: String {
        "\(call.words) \(reason.rawValue) \(missed.names) (\(cause.words)) video \(hasVideo) "
            + "filtered by \(filteredBy ?? "nobody"), app says \(failure?.reason ?? "nothing")"
    }
}

extension Wanted.Announced {
    /// Nil for the changes of calls, which are compared with what can be seen of them, and of
    /// actions, which are in the reports.
    init?(_ announcement: Announcement) {
        switch announcement {
        case .callAdded(let call, let cause): self = .callAdded(call, cause.plain)
        case .callRemoved(let call, let cause): self = .callRemoved(call, cause.plain)
        case .callRefused(let call, _, let reason, let rule):
            self = .callRefused(call, reason, rule)
        case .resumeOffered(let call, let other): self = .resumeOffered(call, becauseOf: other)
        case .hostChanged(let facts): self = .hostChanged(facts)
        case .transactionAccepted: self = .transactionAccepted
        case .transactionCompleted(let report, _): self = .transactionCompleted(report.state)
        case .actionLate: self = .actionLate
        case .providerAdded(let provider): self = .providerAdded(provider)
        case .providerChanged(let provider): self = .providerChanged(provider)
        case .providerResumed(let provider): self = .providerResumed(provider)
        case .providerLost(let provider, let graceMS):
            self = .providerLost(provider, graceMS: graceMS)
        case .providerRemoved(let provider, let reason): self = .providerRemoved(provider, reason)
        case .audioChanged(let from, let to, _): self = .audioChanged(from: from, to: to)
        case .anomaly(let anomaly, let call, _): self = .anomaly(anomaly, call)
        case .callChanged, .actionChanged: return nil
        }
    }

    var plain: Self {
        switch self {
        case .callAdded(let call, let cause): .callAdded(call, cause.plain)
        case .callRemoved(let call, let cause): .callRemoved(call, cause.plain)
        default: self
        }
    }
}

extension Cause {
    var words: String {
        "\(origin)" + (rule.map { ", rule \($0.rawValue)" } ?? "")
            + (becauseOf.map { ", because of \($0.words)" } ?? "")
    }
}

extension [CallID] {
    var words: String { "[" + map(\.words).joined(separator: ", ") + "]" }
}

extension CallID {
    var words: String {
        bits.high == 0 ? "#\(bits.low)" : description
    }
}

extension CallAction {
    var words: String {
        switch self {
        case .start: "start"
        case .answer: "answer"
        case .end: "end"
        case .setHeld(let isHeld): isHeld ? "hold" : "resume"
        case .setMuted(let isMuted): isMuted ? "mute" : "unmute"
        case .setGroup(.some(let other)): "join \(other.words)"
        case .setGroup: "leave"
        case .playDTMF(let digits, _): "tones \(digits)"
        case .setEndpoint(let id): "endpoint \(id)"
        case .setVideo(let video): "video \(video)"
        case .setText(let hasText): "text \(hasText)"
        case .transfer(let to): "transfer to \(to.value)"
        case .attendedTransfer(let other): "transfer to call \(other)"
        case .deflect(let to): "deflect to \(to.value)"
        }
    }
}
