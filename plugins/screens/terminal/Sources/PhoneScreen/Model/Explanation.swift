package import CallClient
package import CallModel

extension Phone {
    /// Shows why what has happened to a call has happened.
    package mutating func explain(_ call: CallID, _ steps: [DecisionStep], _ clock: Clock) {
        let lines = steps.map { "\(clock.words($0.atMS))  \(sentence($0, of: call))" }
        let title = text("screen.phone.why") + " " + name(of: call)
        open(Page(title, lines.isEmpty ? [text("explain.none")] : lines))
    }

    /// Returns what a step was, with the name of its call if that is not the explained one.
    private func sentence(_ step: DecisionStep, of call: CallID) -> String {
        let other = step.call.map { $0 == call ? "" : name(of: $0) + ": " } ?? ""
        return other + sentence(step)
    }

    private func sentence(_ step: DecisionStep) -> String {
        var parts = [word("decision.", step.decision)]
        if let filter = step.filteredBy {
            let by = word("filter.", filter)
            parts = [text("explain.by_filter", ["decision": parts[0], "filter": by])]
        }
        if let reason = step.reason, reason != step.filteredBy {
            parts.append(word("refusal.", reason))
        }
        if let end = step.endReason { parts.append(word("end.", end.rawValue)) }
        if let explanation = step.explanation { parts.append(explanation.text) }
        if let detail = step.endDetail?.text ?? step.failure?.message {
            parts.append(text("explain.app_reason", ["reason": detail.shown]))
        }
        if !step.blocking.isEmpty {
            let names = step.blocking.map { name(of: $0.call) }.joined(separator: ", ")
            parts.append(text("explain.in_the_way", ["calls": names]))
        }
        return parts.joined(separator: "; ") + source(step)
    }

    private func source(_ step: DecisionStep) -> String {
        var parts: [String] = []
        if let rule = step.rule { parts.append(text("explain.rule", ["rule": rule.rawValue])) }
        if let cause = step.cause {
            parts.append(text("explain.by", ["origin": word("origin.", cause.origin.rawValue)]))
            if let call = cause.becauseOf {
                parts.append(text("explain.because_of", ["call": name(of: call)]))
            }
        }
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    }

    /// Shows what a request would do.
    package mutating func tell(wouldDo outcome: TransactionOutcome) {
        var lines = [text("outcome.would_be_done")]
        if let refusal = outcome.refusal {
            lines = [text("outcome.would_be_refused"), words(for: refusal)]
        }
        for app in outcome.wouldStart {
            lines.append(text("outcome.would_start", ["app": name(of: app)]))
        }
        lines += outcome.wouldHold.map { text("outcome.would_hold", ["call": name(of: $0)]) }
        lines += outcome.wouldEnd.map { text("outcome.would_end", ["call": name(of: $0)]) }
        lines += outcome.wouldActivate.map { text("outcome.would_speak", ["call": name(of: $0)]) }
        open(Page(text("screen.phone.what_if"), lines))
    }

    /// Returns an error in the user's language where the catalog has it, with its rule and the calls
    /// in the way.
    package func words(for error: CallError) -> String {
        var words = word("refusal.", error.reason, else: error.message.shown)
        if let app = error.failure?.message?.shown, !app.isEmpty { words += ": " + app }
        var details: [String] = []
        if let rule = error.rule { details.append(text("explain.rule", ["rule": rule.rawValue])) }
        if !error.blocking.isEmpty {
            let names = error.blocking.map { name(of: $0.call) }.joined(separator: ", ")
            details.append(text("explain.in_the_way", ["calls": names]))
        }
        return details.isEmpty ? words : "\(words) (\(details.joined(separator: ", ")))"
    }

    /// Returns the text of a word of the wire; the word itself with spaces if there is none.
    private func word(_ family: String, _ word: String, else other: String? = nil) -> String {
        let key = family + word
        if messages.has(key) { return text(key) }
        return other ?? word.split(separator: "_").joined(separator: " ").shown
    }
}
