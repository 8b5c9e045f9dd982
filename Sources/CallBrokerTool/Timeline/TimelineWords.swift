internal import CallModel
internal import CallProtocol

/// What a picture says. It names nobody: calls have the beginnings of their ids.
enum TimelineWords {
    /// The name of a call with an arrow: towards this host, or away from it.
    static func label(of call: TimelineScene.Call, _ name: String) -> String {
        (call.direction == Direction.outgoing.rawValue ? "↗ " : "↙ ") + name
    }

    /// Returns the class of a state; one of a newer broker looks like any other.
    static func style(of state: String) -> String {
        CallState(rawValue: state).map { "s-\($0.rawValue)" } ?? "s-other"
    }

    static func span(_ span: TimelineScene.Span) -> String {
        "\(kind(span.kind)), \(TimeText.duration(span.toMS - span.fromMS))"
    }

    static func end(_ reason: String) -> String {
        let end = Words.state(CallState.ended.rawValue)
        return reason.isEmpty ? end : "\(end): \(Words.endReason(reason))"
    }

    static func decision(_ decision: TimelineScene.Decision) -> String {
        let head = Messages.explainRule(rule: decision.rule.printable)
        let word = Words.decision(decision.word)
        guard let rule = RuleText.find(decision.rule) else { return "\(head): \(word)" }
        return "\(head): \(word) (\(rule.title))"
    }

    static func action(_ action: TimelineScene.Action) -> String {
        let duration = TimeText.duration(action.toMS - action.fromMS)
        return "\(action.kind.printable) \(duration), \(state(of: action))"
    }

    /// Returns an action with its latency or, if it was never sent, with its state.
    static func actionLabel(_ action: TimelineScene.Action) -> String {
        let wasSent = action.fromMS < action.toMS || isGood(action)
        let duration = TimeText.duration(action.toMS - action.fromMS)
        return "\(action.kind.printable) \(wasSent ? duration : state(of: action))"
    }

    static func isGood(_ action: TimelineScene.Action) -> Bool {
        ["fulfilled", "dispatched"].contains(action.state)
    }

    private static func state(of action: TimelineScene.Action) -> String {
        action.state == "late" ? Messages.timelineLate : Words.actionState(action.state)
    }

    /// - Parameters:
    ///   - link: the kind of relation.
    ///   - name: the name of the call.
    ///   - other: that of the other one.
    static func link(_ link: TimelineScene.Link.Kind, of name: String, _ other: String) -> String {
        switch link {
        case .held: Messages.timelineHeldFor(call: name, other: other)
        case .joined: Messages.timelineJoined(call: name, other: other)
        }
    }

    static func description(of call: TimelineScene.Call) -> String {
        let head = "\(call.provider.printable) \(call.call.printable) \(call.direction.printable)"
        let end = call.endReason.map(end)
        return ([head] + call.spans.map(span) + [end].compactMap(\.self)).joined(separator: "; ")
    }

    static func title(_ scene: TimelineScene) -> String {
        Messages.timelineTitle(count: Int64(scene.calls.count))
    }

    /// Returns the samples that a picture needs: classes and texts.
    static func legend(
        _ scene: TimelineScene, hasLabels: Bool
    ) -> [(style: String, text: String)] {
        let kinds = Set(scene.calls.flatMap { $0.spans.map(\.kind) })
        let states = CallState.allCases.map(\.rawValue).filter(kinds.contains)
        let links = Set(scene.calls.flatMap { $0.links.map(\.kind) })
        let actions = hasLabels ? scene.calls.flatMap(\.actions) : []
        let others: [(String, String)?] = [
            kinds.contains("muted") ? ("muted", kind("muted")) : nil,
            kinds.contains("audio") ? ("audio", kind("audio")) : nil,
            links.contains(.held) ? ("link-held", Messages.timelineLegendHeld) : nil,
            links.contains(.joined) ? ("link-joined", Messages.timelineLegendJoined) : nil,
            actions.isEmpty ? nil : ("action", Messages.timelineLegendAction),
            hasLabels && scene.calls.contains { !$0.decisions.isEmpty }
                ? ("rule", Messages.timelineLegendRule) : nil,
        ]
        return states.map { (style(of: $0), Words.state($0)) } + others.compactMap(\.self)
    }

    private static func kind(_ word: String) -> String {
        switch word {
        case "muted": Messages.timelineMuted
        case "audio": Messages.timelineAudio
        default: Words.state(word.printable)
        }
    }
}
