internal import CallModel

extension Phone {
    /// Draws the calls, and the selected one in detail: beside them in a wide terminal, below them in
    /// others.
    func drawCalls(in body: Frame, _ clock: Clock, _ picture: inout Picture) {
        guard let call else {
            picture.put(text("call.none"), body.row + 1, 2, .dim)
            return
        }
        let isWide = body.columns >= Self.wideColumns
        var (list, detail) = (body, body)
        if isWide {
            list.columns = body.columns / 2 - 1
            detail.column = list.columns + 2
            detail.columns = body.columns - detail.column
        } else {
            list.rows = max(1, min(calls.count + 1, body.rows - 10))
            detail.row += list.rows + 1
            detail.rows = body.rows - list.rows - 1
        }
        drawRows(in: list, count: calls.count) { index, row in
            drawRow(calls[index], index, row, list, clock, &picture)
        }
        drawDetail(call, in: detail, clock, &picture)
    }

    private func drawRow(
        _ call: ShownCall, _ index: Int, _ row: Int, _ list: Frame, _ clock: Clock,
        _ picture: inout Picture
    ) {
        let isSelected = call.id == self.call?.id
        let (stateWidth, timeWidth) = (18, 9)
        let appWidth = max(0, min(18, list.columns / 5))
        let nameWidth = max(1, list.columns - stateWidth - timeWidth - appWidth - 5)
        let words =
            (isSelected ? "> " : "  ") + party(call).fitted(to: nameWidth) + " "
            + state(call).fitted(to: stateWidth) + " "
            + time(of: call, clock).fitted(to: timeWidth) + " "
            + name(of: call.app).fitted(to: appWidth)
        let style: Style =
            isSelected
            ? .reversed : call.state == .active ? .live : call.isIncoming ? .bold : .plain
        picture.put(words, row, list.column, width: list.columns, style)
        let right = min(picture.size.columns, list.column + list.columns)
        picture.touch(row, list.column..<max(list.column, right), .row(index))
    }

    /// Draws the rows that fit, so that the selected one is among them.
    func drawRows(in list: Frame, count: Int, _ draw: (_ index: Int, _ row: Int) -> Void) {
        guard list.rows > 0, count > 0 else { return }
        let first = max(0, min(shownRow - list.rows / 2, count - list.rows))
        for index in first..<min(count, first + list.rows) {
            draw(index, list.row + index - first)
        }
    }

    // MARK: - One call

    private func drawDetail(
        _ call: ShownCall, in detail: Frame, _ clock: Clock, _ picture: inout Picture
    ) {
        let right = detail.column + detail.columns
        let left = detail.column + 1
        var row = detail.row
        picture.put(name(of: call), row, left, width: right - left, .title)
        for line in facts(call, clock).prefix(max(0, detail.rows - 1)) {
            row += 1
            picture.put(line, row, left, width: right - left)
        }
        let buttons = CallButton.of(call).map { Hint($0.key, label($0)) } + asides(call)
        row += 2
        drawButtons(buttons, row, left, right, detail.row + detail.rows - row, &picture)
    }

    private func asides(_ call: ShownCall) -> [Hint] {
        var hints = [
            Hint("y", text("screen.phone.why")), Hint("i", text("screen.phone.what_if")),
        ]
        if call.pausedTones != nil {
            let tones = [
                Hint("T", text("screen.button.continue_tones")),
                Hint("D", text("screen.button.drop_tones")),
            ]
            hints.insert(contentsOf: tones, at: 0)
        }
        if call.hasText { hints.append(Hint("R", text("screen.phone.button.conversation"))) }
        if participants[call.id] != nil {
            hints.append(Hint("P", text("screen.phone.button.participants")))
        }
        if call.remote != nil { hints.append(Hint("b", text("screen.phone.button.block"))) }
        return hints
    }

    /// What is to be said about a call, a line each.
    private func facts(_ call: ShownCall, _ clock: Clock) -> [String] {
        let what: [String] = [
            state(call), time(of: call, clock), app(of: call),
            call.elsewhere.map { text("screen.on_device", ["device": $0.shown]) } ?? "",
        ]
        let who: [String] = [
            call.name == nil ? "" : call.remote?.value.shown ?? "", call.label?.shown ?? "",
            call.isNumberFalse ? text("call.not_verified") : "",
            call.forwardedFrom.map { text("call.forwarded", ["party": $0.value.shown]) } ?? "",
        ]
        let now: [String] = [
            call.isMuted ? text("call.muted") : "",
            call.isSilenced ? text("screen.phone.silenced") : "",
            call.isRemoteHeld ? text("screen.phone.remote_held") : "",
            call.isResumeOffered ? text("screen.phone.resume_offered") : "",
            call.isAppConnected ? "" : text("call.app_not_connected"),
            call.video == .off ? "" : text("screen.phone.video." + call.video.rawValue),
            call.hasText ? text("screen.phone.has_text") : "", sound(call),
        ]
        let last = [tones(of: call), relations(call), quality(of: call), typed(in: call)]
        return ([what, who, now] + last).map { parts in
            parts.filter { !$0.isEmpty }.joined(separator: " · ")
        }.filter { !$0.isEmpty }
    }

    /// The app, and its line if that is known.
    private func app(of call: ShownCall) -> String {
        let choice = call.line.map { LineChoice(call.app, $0) }
        return choice.flatMap(line) == nil ? name(of: call.app) : name(of: choice)
    }

    /// How well the sound of a call is transmitted, as its app has measured it last.
    private func quality(of call: ShownCall) -> [String] {
        guard let quality = qualities[call.id] else { return [] }
        let loss = quality.lossPermille.map { lost in
            text("quality.loss", ["percent": "\(lost / 10).\(lost % 10)"])
        }
        let times = [
            ("jitter", quality.jitterMS), ("round_trip", quality.roundTripMS),
        ].compactMap { name, milliseconds in
            milliseconds.map { text("quality." + name, ["milliseconds": String($0)]) }
        }
        return [quality.isPoor ? text("screen.poor_quality") : "", loss ?? ""] + times
    }

    /// The tones that wait behind a pause.
    private func tones(of call: ShownCall) -> [String] {
        guard let tones = call.pausedTones else { return [] }
        return [text("screen.tones." + tones.end.rawValue, ["digits": tones.digits])]
    }

    /// What the other side types, while nobody has opened the conversation.
    private func typed(in call: ShownCall) -> [String] {
        let text = conversations[call.id]?.turns.last { $0.side == .remote }?.text ?? ""
        return text.isEmpty ? [] : ["\(name(of: call)): \(text)"]
    }

    private func sound(_ call: ShownCall) -> String {
        call.endpoints.inUse.map {
            text("endpoint.set", ["endpoint": ($0.name ?? $0.id).shown])
        } ?? ""
    }

    /// What a call has to do with others, and what its other side asks for.
    private func relations(_ call: ShownCall) -> [String] {
        let waiting = calls.filter { $0.heldBecauseOf == call.id }
        let members = calls.filter { $0.group == call.group && $0.id != call.id }
        return [
            names("screen.phone.held_for", call.heldBecauseOf.map { [$0] } ?? []),
            names("screen.phone.holds", waiting.map(\.id)),
            names("screen.phone.together", members.map(\.id)),
            call.videoRequest.map { wanted in
                text(wanted == .receive ? "screen.video_offer" : "screen.video_request")
            } ?? "",
            call.isTextRequested ? text("screen.text_request") : "",
        ]
    }

    private func names(_ key: String, _ calls: [CallID]) -> String {
        let names = calls.map { name(of: $0) }.joined(separator: ", ")
        return calls.isEmpty ? "" : text(key, ["name": names])
    }

    // MARK: - Words

    /// The name and the number of the other side.
    func party(_ call: ShownCall) -> String {
        let name = name(of: call)
        guard let number = call.remote?.value.shown, number != name else { return name }
        return "\(name) \(number)"
    }

    func kind(of call: ShownCall) -> String {
        if call.isEmergency { return text("screen.emergency") }
        if call.state == .waiting { return text("screen.another") }
        return text(call.video == .off ? "screen.incoming" : "screen.incoming_video")
    }

    private func state(_ call: ShownCall) -> String {
        if let pending = call.pending { return text("pending." + pending.rawValue) }
        return text("state." + call.state.rawValue)
    }

    private func time(of call: ShownCall, _ clock: Clock) -> String {
        if let start = call.connectedAtMS { return Clock.duration(clock.nowMS - start) }
        return call.isIncoming ? Clock.duration(clock.nowMS - call.createdAtMS) : ""
    }
}

extension CallQuality {
    /// Indicates what the user hears: the bounds are those of the notes of `screens/notify`.
    fileprivate var isPoor: Bool {
        (lossPermille ?? 0) >= 50 || (jitterMS ?? 0) >= 100 || (roundTripMS ?? 0) >= 1_000
    }
}
