internal import CallArbitration
internal import CallModel

/// What the engine did beside what the rules want, in words.
extension NaiveArbiter {
    func differences(from effects: [ArbiterEffect]) -> [String] {
        replyDifferences(effects) + workDifferences(effects) + toldDifferences(effects)
            + historyDifferences(effects) + orderDifferences(effects)
    }

    // Replies.

    private func replyDifferences(_ effects: [ArbiterEffect]) -> [String] {
        var given = effects.compactMap { reply(in: $0) }
        var differences: [String] = []
        for want in wanted.replies {
            guard let index = given.firstIndex(where: { $0.token == want.token }) else {
                differences.append("no reply, wanted \(want.token.number): \(want.reply)")
                continue
            }
            let got = given.remove(at: index)
            if !agrees(got.reply, with: want.reply) {
                differences.append(
                    "reply \(got.token.number): \(got.reply), wanted \(want.reply)")
            }
        }
        for extra in given {
            differences.append("reply \(extra.token.number): \(extra.reply), wanted none")
        }
        return differences
    }

    private func reply(in effect: ArbiterEffect) -> (token: RequestToken, reply: Wanted.Reply)? {
        switch effect {
        case .acknowledge(let token): return (token, .acknowledged)
        case .refuse(let token, let refusal): return (token, .refused(refusal.reason, refusal.rule))
        case .confirmIncoming(let token, _, let state, let isSilent):
            return (token, .incoming(state, isSilent: isSilent))
        case .confirmRegistration(let token, _, let calls, let dropped):
            return (token, .registered(calls: calls.sorted(), dropped: dropped.sorted()))
        case .accept(let token, let report):
            let isDry = wanted.replies.contains {
                if case .dryRun = $0.reply { $0.token == token } else { false }
            }
            guard isDry else { return (token, .accepted(isJoined: report.isJoined)) }
            return (
                token,
                .dryRun(
                    report.refusal?.reason, report.refusal?.rule, holds: report.wouldHold.sorted(),
                    ends: report.wouldEnd.sorted())
            )
        case .complete(let token, let report): return (token, .completed(report.refusal?.reason))
        default: return nil
        }
    }

    /// A rule that the contract does not name is not compared.
    private func agrees(_ got: Wanted.Reply, with want: Wanted.Reply) -> Bool {
        switch (got, want) {
        case (.refused(let reason, let rule), .refused(let wanted, let wantedRule)):
            reason == wanted && (wantedRule == nil || rule == wantedRule)
        case (
            .dryRun(let reason, let rule, let holds, let ends),
            .dryRun(let wanted, let wantedRule, let wantedHolds, let wantedEnds)
        ):
            reason == wanted && (wantedRule == nil || rule == wantedRule)
                && holds == wantedHolds.sorted() && ends == wantedEnds.sorted()
        default: got == want
        }
    }

    // What goes to providers, in order.

    private func workDifferences(_ effects: [ArbiterEffect]) -> [String] {
        let given = effects.compactMap { effect -> Wanted.Work? in
            switch effect {
            case .perform(let dispatch):
                .perform(dispatch.call, dispatch.kind, attempt: dispatch.attempt)
            case .activateAudio(_, let group, _): .activate(group)
            case .deactivateAudio(_, let group, _): .deactivate(group)
            default: nil
            }
        }
        guard ordered(given) != ordered(wanted.work) else { return [] }
        return ["to providers: \(words(given)), wanted: \(words(wanted.work))"]
    }

    /// Mute and tones stand for themselves: when they are sent among others does not matter.
    private func ordered(_ work: [Wanted.Work]) -> [Wanted.Work] {
        let isApart: (Wanted.Work) -> Bool = { part in
            guard case .perform(_, let kind, _) = part else { return false }
            return kind.kind == .setMuted || kind.kind == .playDTMF
        }
        return work.filter { !isApart($0) } + work.filter(isApart)
    }

    private func words(_ work: [Wanted.Work]) -> String {
        let parts = work.map { part in
            switch part {
            case .perform(let call, let kind, let attempt):
                "\(kind.words) on \(call.words)" + (attempt > 1 ? " (attempt \(attempt))" : "")
            case .activate(let group): "audio to \(group?.words ?? "?")"
            case .deactivate(let group): "audio from \(group?.words ?? "?")"
            }
        }
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }

    private func toldDifferences(_ effects: [ArbiterEffect]) -> [String] {
        var cancelled: [ActionID] = []
        var timedOut: [ActionID] = []
        for effect in effects {
            if case .cancelPerform(let action, _) = effect { cancelled.append(action) }
            if case .tellTimedOut(let action, _, _, _) = effect { timedOut.append(action) }
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
        return differences
    }

    private func words(_ actions: [ActionID]) -> String {
        "[" + actions.map { "\($0.bits.low & 0xFFFF)" }.joined(separator: ", ") + "]"
    }

    // History and what is announced.

    private func historyDifferences(_ effects: [ArbiterEffect]) -> [String] {
        var given: [Wanted.Entry] = []
        var offers: [CallID] = []
        for effect in effects {
            if case .record(let entry) = effect {
                given.append(
                    Wanted.Entry(call: entry.call, reason: entry.reason, missed: entry.missed))
            }
            if case .announce(.resumeOffered(let call, _)) = effect { offers.append(call) }
        }
        var differences: [String] = []
        for want in wanted.history {
            guard let got = given.first(where: { $0.call == want.call }) else {
                differences.append("no history of \(want.call.words), wanted \(want.words)")
                continue
            }
            if want.missed != nil && got.missed != want.missed
                || want.reason != nil && got.reason != want.reason
            {
                differences.append("history \(got.words), wanted \(want.words)")
            }
        }
        for got in given where !wanted.history.contains(where: { $0.call == got.call }) {
            differences.append("history \(got.words), wanted none")
        }
        if offers != wanted.offers {
            differences.append(
                "offered \(offers.map(\.words)), wanted \(wanted.offers.map(\.words))")
        }
        return differences
    }

    /// The reply `accepted` comes before the first dispatch.
    private func orderDifferences(_ effects: [ArbiterEffect]) -> [String] {
        let accepted = effects.firstIndex { if case .accept = $0 { true } else { false } }
        let performed = effects.firstIndex {
            if case .perform(let dispatch) = $0 { dispatch.kind != .end } else { false }
        }
        guard let accepted, let performed, performed < accepted else { return [] }
        return ["something was sent before the reply"]
    }

    // How the calls look afterwards.

    func differences(from views: [CallView], live: CallID?, audio: CallID?) -> [String] {
        var differences: [String] = []
        for call in calls where call.screening == nil {
            guard let view = views.first(where: { $0.call == call.id }) else {
                differences.append("\(call.id.words) is gone, wanted \(call.state)")
                continue
            }
            differences += self.differences(of: call, from: view)
        }
        for view in views where call(view.call)?.screening != nil || call(view.call) == nil {
            differences.append("\(view.call.words) is \(view.state), wanted gone")
        }
        let wantedLive = liveGroup.flatMap { name(of: $0) }
        if live != wantedLive {
            differences.append("live \(words(live)), wanted \(words(wantedLive))")
        }
        let wantedAudio = self.audio.flatMap { name(of: $0) }
        if audio != wantedAudio {
            differences.append("audio \(words(audio)), wanted \(words(wantedAudio))")
        }
        return differences + deadlineDifferences
    }

    /// Every deadline is armed at its instant, and no other (section 6).
    private var deadlineDifferences: [String] {
        var differences: [String] = []
        for deadline in deadlines {
            guard let timer = timer(for: deadline.name),
                let armed = timers.first(where: { $0.timer == timer })
            else {
                differences.append("no timer for \(deadline.name)")
                continue
            }
            if armed.at != deadline.at {
                differences.append(
                    "timer for \(deadline.name) at \(armed.at.nanoseconds / 1_000_000), "
                        + "wanted \(deadline.at.nanoseconds / 1_000_000)")
            }
        }
        let wanted = deadlines.compactMap { timer(for: $0.name) }
        for extra in timers where !wanted.contains(extra.timer) {
            differences.append("a timer that nobody wants: \(extra.timer)")
        }
        return differences
    }

    private func differences(of call: Call, from view: CallView) -> [String] {
        let group = group(call.group)
        let facts: [(name: String, got: String, wanted: String)] = [
            ("state", view.state.rawValue, call.state.rawValue),
            ("group", view.group.words, words(name(of: call.group))),
            ("muted", "\(view.isMuted)", "\(group?.isMuted ?? false)"),
            ("held because of", words(view.heldBecauseOf), words(group?.heldBecauseOf)),
            ("silenced", "\(view.isSilenced)", "\(call.isSilenced)"),
            (
                "connected", "\(view.isProviderConnected)",
                "\(provider(of: call)?.isConnected ?? false)"
            ),
            ("can be held", "\(view.canHoldNow)", "\(canHoldNow(call))"),
            ("properties", "\(view.properties)", "\(call.properties)"),
        ]
        return facts.filter { $0.got != $0.wanted }.map {
            "\(call.id.words): \($0.name) \($0.got), wanted \($0.wanted)"
        }
    }

    private func words(_ call: CallID?) -> String {
        call?.words ?? "none"
    }
}

extension Wanted.Entry {
    var words: String {
        "\(call.words) \(reason?.rawValue ?? "any") \(missed?.names ?? ["any"])"
    }
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
        }
    }
}
