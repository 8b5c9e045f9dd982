internal import CallArbitration
internal import CallModel

/// One thing that happens in a run, said without the ids that the engine makes, so that it still
/// means something when earlier ones are left out.
enum ScriptStep {
    enum Answer {
        /// So long ago, if it says.
        case fulfilled(agoMS: Int?)
        case failed(code: Int)
        case extended(byMS: Int)
    }

    case event(ArbiterEvent)
    /// The provider answers what was sent to it for this call.
    case answer(CallID, ActionKind, Answer)
    /// It answers again, or too late.
    case late(CallID, ActionKind, Answer)
    /// The provider says whether it takes its transaction over.
    case offer(ProviderID, isTaken: Bool)
    /// Time goes by; what is due on the way fires.
    case pass(milliseconds: Int)
    /// As long as it takes until something is due.
    case passUntilDue
}

extension ScriptStep {
    var words: String {
        switch self {
        case .event(let event): event.words
        case .answer(let call, let kind, let answer): "\(kind.rawValue) on \(call.short) \(answer)"
        case .late(let call, let kind, let answer):
            "late: \(kind.rawValue) on \(call.short) \(answer)"
        case .offer(let provider, let isTaken): "offer to \(provider) taken: \(isTaken)"
        case .pass(let milliseconds): "\(milliseconds) ms pass"
        case .passUntilDue: "time passes until something is due"
        }
    }
}

extension CallID {
    init(_ number: Int) {
        self.init(UUIDBits(high: 0, low: UInt64(number)))
    }

    var short: String { bits.high == 0 ? "#\(bits.low)" : description }
}

extension Requester {
    var words: String {
        switch self {
        case .user: "user"
        case .app(let provider): "app \(provider)"
        }
    }
}

extension CallOptions {
    var words: String {
        var words: [String] = []
        if onConflict == .end { words.append("on_conflict end") }
        if endsGroup { words.append("ends_group") }
        if wait == .completed { words.append("wait completed") }
        if isDryRun { words.append("dry run") }
        if let deadlineMS { words.append("deadline \(deadlineMS)") }
        return words.isEmpty ? "" : " (" + words.joined(separator: ", ") + ")"
    }
}

extension CallAction {
    var short: String {
        switch self {
        case .start(let arguments):
            "start" + (arguments.isEmergency ? " emergency" : "")
                + (arguments.hasVideo ? " video" : "")
        case .answer: "answer"
        case .end: "end"
        case .setHeld(let isHeld): "set_held(\(isHeld))"
        case .setMuted(let isMuted): "set_muted(\(isMuted))"
        case .setGroup(let other): "set_group(\(other?.short ?? "null"))"
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

extension CallUpdate {
    var words: String {
        var words: [String] = []
        if case .set(let value) = hasVideo { words.append("has_video \(value)") }
        if case .set(let value) = video { words.append("video \(value)") }
        if case .set(let value) = supportsSetVideo { words.append("supports_set_video \(value)") }
        if videoRequest != .unchanged { words.append("video_request \(videoRequest)") }
        if case .set(let value) = hasText { words.append("has_text \(value)") }
        if case .set(let value) = supportsSetText { words.append("supports_set_text \(value)") }
        if textRequest != .unchanged { words.append("text_request \(textRequest)") }
        if case .set(let value) = supportsHolding { words.append("supports_holding \(value)") }
        if case .set(let value) = supportsGrouping { words.append("supports_grouping \(value)") }
        if case .set(let value) = supportsUngrouping {
            words.append("supports_ungrouping \(value)")
        }
        if case .set(let value) = supportsDTMF { words.append("supports_dtmf \(value)") }
        if case .set(let value) = supportsTransfer { words.append("supports_transfer \(value)") }
        if case .set(let value) = supportsDeflect { words.append("supports_deflect \(value)") }
        if case .set(let value) = supportsAttendedTransfer {
            words.append("supports_attended_transfer \(value)")
        }
        if case .set(let value) = endpoints {
            words.append(
                "endpoints " + value.map { "\($0.id) \($0.state)" }.joined(separator: ", "))
        }
        if case .set(let value) = priority { words.append("priority \(value)") }
        return "{" + words.joined(separator: ", ") + "}"
    }
}

extension ArbiterEvent {
    var words: String {
        switch self {
        case .providerRegistered(let registration):
            "\(registration.provider) registers \(registration.configuration.words)"
                + (registration.calls.map {
                    " with " + $0.map { "\($0.call.short) \($0.state)" }.joined(separator: ", ")
                } ?? "") + (registration.hasMore ? " and more" : "")
        case .providerStarting(let provider, let configuration):
            "\(provider) is starting \(configuration.words)"
        case .providerUpdated(let provider, let configuration):
            "\(provider) updates \(configuration.words)"
        case .providerUnregistered(let provider): "\(provider) unregisters"
        case .providerLost(let provider): "\(provider) is lost"
        case .providerExited(let provider): "\(provider) exits"
        case .providerRevoked(let provider): "\(provider) may have no calls"
        case .incomingReported(let report):
            "\(report.token.number): \(report.provider) reports incoming \(report.call.short) "
                + report.update.words + (report.needsScreening ? " to be screened" : "")
        case .missedReported(let report):
            "\(report.token.number): \(report.provider) reports missed \(report.call.short)"
        case .callReported(let report):
            "\(report.token.number): \(report.provider) reports \(report.call.short) "
                + report.news.words
        case .screeningSettled(let call, let verdict): "screening of \(call.short): \(verdict)"
        case .callerIdentified(let call, let caller): "\(call.short) is \(caller)"
        case .callerPrioritized(let call): "\(call.short) is of a priority caller"
        case .transactionRequested(let request): request.words
        case .swapRequested(let token, let requester, let call, let options):
            "\(token.number): \(requester.words) wants swap \(call?.short ?? "")\(options.words)"
        case .mergeRequested(let token, let requester, let call, let other, let options):
            "\(token.number): \(requester.words) wants merge \(call.short) "
                + "with \(other.short)\(options.words)"
        case .splitRequested(let token, let requester, let call, let options):
            "\(token.number): \(requester.words) wants split \(call.short)\(options.words)"
        case .buttonPressed(let token, let press): "\(token.number): button, \(press)"
        case .silenceRequested(let token, let requester, let call):
            "\(token.number): \(requester.words) silences \(call.short)"
        case .prioritizeRequested(let token, let requester, let call):
            "\(token.number): \(requester.words) prioritizes \(call.short)"
        case .cancelRequested(let token): "cancel \(token.number)"
        case .actionFulfilled(let action, _, _): "\(action.short) fulfilled"
        case .actionFailed(let action, _, let failure): "\(action.short) failed \(failure.code)"
        case .actionExtended(let action, _, let milliseconds):
            "\(action.short) extended by \(milliseconds)"
        case .offerSettled(_, let provider, let isTaken): "\(provider) takes it: \(isTaken)"
        case .timerFired(let timer): "timer \(timer.words)"
        case .policyChanged: "policy changed"
        case .brokerRestarted(let isSameBoot): "broker restarted, same boot: \(isSameBoot)"
        }
    }
}

extension ProviderConfiguration {
    var words: String {
        var words: [String] = []
        if supportsVideo { words.append("video") }
        if supportsText { words.append("text") }
        if maxCallGroups != 2 { words.append("groups \(maxCallGroups)") }
        if maxCallsPerGroup != 5 { words.append("calls per group \(maxCallsPerGroup)") }
        if !resumesWhenFreed { words.append("resumes not") }
        if takesTransactions { words.append("takes transactions") }
        if appIsSeparate { words.append("separate app") }
        for line in lines {
            words.append("line \(line.id) \(line.maxCalls.map(String.init) ?? "")")
        }
        if let ringTimeoutMS { words.append("ring \(ringTimeoutMS)") }
        if let graceMS { words.append("grace \(graceMS)") }
        words += actionDeadlinesMS.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            "\($0.key.rawValue) \($0.value)"
        }
        return "{" + words.joined(separator: ", ") + "}"
    }
}

extension CallReport.News {
    var words: String {
        switch self {
        case .alerting(let hasEarlyMedia):
            "alerting" + (hasEarlyMedia.map { " with early media \($0)" } ?? "")
        case .connecting: "connecting"
        case .connected: "connected"
        case .held(let isHeld): "held \(isHeld)"
        case .muted(let isMuted): "muted \(isMuted)"
        case .group(let other): "grouped with \(other?.short ?? "none")"
        case .updated(let update): "updated \(update.words)"
        case .ended(let reason, let detail, let device):
            "ended \(reason.rawValue)" + (detail.map { " (\($0))" } ?? "")
                + (device.map { " on \($0)" } ?? "")
        case .external(let direction, let update):
            "external \(direction.rawValue) \(update.words)"
        }
    }
}

extension TransactionRequest {
    var words: String {
        let parts = actions.map { part in
            "\(part.action.short) \(part.call.short)"
                + (part.provider.map { " of \($0)" } ?? "")
                + (part.choice == .plain ? "" : " \(part.choice.rawValue)")
        }
        return "\(token.number): \(requester.words) wants "
            + parts.joined(separator: ", then ") + options.words
    }
}

extension ActionID {
    var short: String { "a\(bits.low & 0xFFFF_FFFF)" }
}

extension TimerID {
    var words: String {
        switch self {
        case .action(let action): "action \(action.short)"
        case .ring(let call): "ring \(call.short)"
        case .dial(let call): "dial \(call.short)"
        case .startSilence(let call): "start silence \(call.short)"
        case .screening(let call): "screening \(call.short)"
        case .videoRequest(let call): "video request \(call.short)"
        case .textRequest(let call): "text request \(call.short)"
        case .grace(let provider): "grace \(provider)"
        case .emergencyCallback(let provider): "emergency callback \(provider)"
        case .endingWait: "ending wait"
        case .offer(_, let provider): "offer to \(provider)"
        }
    }
}

extension ArbiterEffect {
    /// Nil for what nobody has to know to understand a difference.
    var words: String? {
        switch self {
        case .acknowledge(let token): "acknowledge \(token.number)"
        case .refuse(let token, let refusal):
            "refuse \(token.number): \(refusal.reason.rawValue) by \(refusal.rule?.rawValue ?? "-") "
                + "blocking \(refusal.blocking.map(\.call.short))"
        case .confirmIncoming(let token, _, let state, let presentation):
            "confirm \(token.number): \(state), \(presentation)"
        case .confirmRegistration(let token, _, let calls, let dropped):
            "registered \(token.number): \(calls.map(\.short)), dropped \(dropped.map(\.short))"
        case .accept(let token, let report): "accept \(token.number): \(report.words)"
        case .complete(let token, let report, _): "complete \(token.number): \(report.words)"
        case .offer(_, let provider, let dispatches):
            "offer \(provider): \(dispatches.map { "\($0.kind.short) \($0.call.short)" })"
        case .perform(let dispatch):
            "perform \(dispatch.action.short) \(dispatch.kind.short) \(dispatch.call.short) "
                + "rule \(dispatch.cause.rule?.rawValue ?? "-") attempt \(dispatch.attempt)"
        case .cancelPerform(let action, _): "cancel \(action.short)"
        case .tellTimedOut(let action, let kind, let call, _):
            "timed out \(action.short) \(kind) \(call.short)"
        case .activateAudio(_, let group, _): "audio to \(group.short)"
        case .deactivateAudio(_, let group, _): "audio from \(group.short)"
        case .resetProvider(let provider, let reason): "reset \(provider) \(reason)"
        case .startTimer(let timer, let instant):
            "start timer \(timer.words) at \(instant.nanoseconds / 1_000_000)"
        case .stopTimer(let timer): "stop timer \(timer.words)"
        case .announce(let announcement): announcement.words.map { "announce \($0)" }
        case .screen(let call): "screen \(call.short)"
        case .record(let entry):
            "history \(entry.call.short) \(entry.reason.rawValue) missed \(entry.missed.names) "
                + "cause \(entry.cause.origin) \(entry.cause.rule?.rawValue ?? "-")"
        case .note(let decision): "note \(decision.rule?.rawValue ?? "-") \(decision.verdict)"
        }
    }
}

extension TransactionReport {
    var words: String {
        "\(state) \(isJoined ? "joined " : "")"
            + entries.map { "\($0.kind.rawValue) \($0.call.short) \($0.state)" }
            .joined(separator: ", ")
            + (refusal.map { " refused \($0.reason.rawValue) by \($0.rule?.rawValue ?? "-")" } ?? "")
            + (wouldHold.isEmpty ? "" : " would hold \(wouldHold.map(\.short))")
            + (wouldEnd.isEmpty ? "" : " would end \(wouldEnd.map(\.short))")
    }
}

extension Announcement {
    var words: String? {
        switch self {
        case .callRefused(let call, _, let reason, let rule):
            "refused \(call.short) \(reason.rawValue) by \(rule.rawValue)"
        case .resumeOffered(let call, let other): "offered \(call.short) after \(other.short)"
        case .anomaly(let anomaly, let call, _): "anomaly \(anomaly) \(call?.short ?? "")"
        case .actionLate(let action, _): "late \(action.short)"
        case .transactionCompleted(let report, _): "transaction \(report.state)"
        case .providerRemoved(let provider, let reason): "removed \(provider) \(reason)"
        case .callChanged(let call, let names, let cause):
            "changed \(call.short) \(names) \(cause.origin) \(cause.rule?.rawValue ?? "-")"
        case .callRemoved(let call, _): "removed \(call.short)"
        default: nil
        }
    }
}
