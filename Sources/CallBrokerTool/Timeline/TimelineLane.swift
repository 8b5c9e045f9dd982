internal import CallModel
internal import CallProtocol

/// The shapes of the calls of one lane: above the bars the rules, below them the audio and the
/// actions.
struct TimelineLane {
    private let scale: TimeScale
    private let sizes: TimelineSizes
    private let y: Int
    private var rules = LabelRow()
    private var actions = LabelRow()

    init(_ scale: TimeScale, _ sizes: TimelineSizes, y: Int) {
        (self.scale, self.sizes, self.y) = (scale, sizes, y)
    }

    private var middle: Int { y + sizes.middle }
    /// The upper end of the audio and of actions.
    private var audioY: Int { middle + sizes.bar / 2 + 1 }
    private var actionY: Int { audioY + 5 }

    /// - Parameters:
    ///   - call: the call.
    ///   - name: its short name.
    ///   - isNamed: whether the call's name is beside the lane.
    ///   - end: the place up to which labels may reach.
    mutating func item(
        _ call: TimelineScene.Call, _ name: String, isNamed: Bool, end: Int
    ) -> TimelineItem {
        var shapes = call.spans.map { shape($0, of: name) }
        if isNamed {
            if sizes.hasLabels { shapes += call.spans.compactMap(label) }
        } else {
            shapes += label(call, name, end: end)
        }
        // Of many calls, the ends would hide the calls.
        if let reason = call.endReason, isNamed || reason == "failed" {
            shapes.append(mark(end: reason, of: call))
        }
        for decision in call.decisions { shapes += shape(decision, end: end) }
        if sizes.hasLabels { for action in call.actions { shapes += shape(action, end: end) } }
        return TimelineItem(description: TimelineWords.description(of: call), shapes: shapes)
    }

    private func shape(
        _ span: TimelineScene.Span, of call: String
    ) -> TimelineShape {
        let x = scale.x(span.fromMS)
        let width = max(1, scale.x(span.toMS) - x)
        let title = "\(call): \(TimelineWords.span(span))"
        switch span.kind {
        case "audio":
            return TimelineShape(
                .bar(x: x, y: audioY, width: width, height: 3), "audio", title: title)
        case "muted":
            let y = middle + sizes.bar / 2 - 3
            return TimelineShape(.bar(x: x, y: y, width: width, height: 3), "muted", title: title)
        default:
            let height = sizes.height(of: span.kind)
            return TimelineShape(
                .bar(x: x, y: middle - height / 2, width: width, height: height),
                TimelineWords.style(of: span.kind), title: title)
        }
    }

    /// Returns the word of a state in its bar, if it fits.
    private func label(_ span: TimelineScene.Span) -> TimelineShape? {
        guard span.kind != "audio", span.kind != "muted" else { return nil }
        let word = Words.state(span.kind.printable)
        let x = scale.x(span.fromMS)
        guard x + 4 + TextWidth.small(word) <= scale.x(span.toMS) else { return nil }
        return TimelineShape(.text(x: x + 4, y: middle + 4, word), "on-bar")
    }

    /// Returns the name of a call that shares its lane, on its bars, if it fits.
    private func label(
        _ call: TimelineScene.Call, _ name: String, end: Int
    ) -> [TimelineShape] {
        let x = scale.x(call.fromMS)
        guard sizes.hasLabels, x + 4 + TextWidth.small(name) <= min(scale.x(call.toMS), end) else {
            return []
        }
        return [TimelineShape(.text(x: x + 4, y: middle + 4, name), "on-bar")]
    }

    private func mark(end reason: String, of call: TimelineScene.Call) -> TimelineShape {
        let x = scale.x(call.toMS)
        let half = sizes.bar / 2 + (sizes.hasLabels ? 2 : 0)
        return TimelineShape(
            .stroke(x: x, y: middle - half, toX: x, toY: middle + half),
            reason == "failed" ? "end failed" : "end",
            title: TimelineWords.end(reason))
    }

    private mutating func shape(
        _ decision: TimelineScene.Decision, end: Int
    ) -> [TimelineShape] {
        let x = scale.x(decision.atMS)
        let title = TimelineWords.decision(decision)
        let upper = middle - sizes.bar / 2
        guard sizes.hasLabels else { return [] }
        let mark = TimelineShape(
            .stroke(x: x, y: upper - 4, toX: x, toY: upper), "mark", title: title,
            rule: decision.rule)
        let width = TextWidth.small(decision.rule)
        guard let place = rules.place(x, width: width, right: end) else { return [mark] }
        let text = TimelineShape(
            .text(x: place, y: upper - 6, decision.rule), "rule", title: title,
            rule: decision.rule)
        return [mark, text]
    }

    private mutating func shape(_ action: TimelineScene.Action, end: Int) -> [TimelineShape] {
        let x = scale.x(action.fromMS)
        let width = max(2, scale.x(action.toMS) - x)
        let title = TimelineWords.action(action)
        let isGood = TimelineWords.isGood(action)
        let style = isGood ? "action" : "action failed"
        let bar = TimelineShape(
            .bar(x: x, y: actionY, width: width, height: 3), style, title: title)
        let text = TimelineWords.actionLabel(action)
        guard let place = actions.place(x, width: TextWidth.small(text), right: end) else {
            return [bar]
        }
        let label = TimelineShape(
            .text(x: place, y: actionY + 13, text), isGood ? "note" : "note failed", title: title)
        return [bar, label]
    }
}
