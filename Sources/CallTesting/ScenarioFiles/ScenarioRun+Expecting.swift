// Expectations, and the descriptions of failures.

extension ScenarioRun {
    private static let nearestShown = 3
    private static let framesShown = 8

    // MARK: - Frames

    func expect(
        _ expected: ScenarioFile.Expectation, at time: Int?, _ line: Int
    ) throws(ScenarioFailure) {
        if let time { advance(to: max(time, milliseconds)) }
        settle()
        if expected.isForbidden { return try forbid(expected, line) }
        switch expected.what {
        case .result, .error: try expectReply(expected, line)
        case .event, .method:
            if find(expected, at: time) { return }
            if !programs.isEmpty, wait(until: { find(expected, at: time) }) { return }
            let at = time.map { "@\($0) " } ?? ""
            throw ScenarioFailure(
                line: line, expected: at + expected.words,
                instead: refusals + nearest(to: expected, at: time))
        }
    }

    private var milliseconds: Int {
        broker.now.wholeMilliseconds
    }

    /// The name of a participant in recorded frames.
    private func peer(_ who: String) -> String {
        guard case .provider(let provider, _)? = participants[who] else { return who }
        return provider.identity
    }

    /// The frames that the broker sent to a participant in this block.
    private func candidates(_ who: String) -> [(index: Int, frame: RecordedFrame)] {
        let peer = peer(who)
        return (blockStart..<broker.frames.count).compactMap { index in
            let frame = broker.frames[index]
            return frame.peer == peer && frame.sender == .broker ? (index, frame) : nil
        }
    }

    /// The position of the first frame that may meet an expectation.
    private func start(of expected: ScenarioFile.Expectation) -> Int {
        let own = cursors[expected.who] ?? blockStart
        return expected.isNext ? max(own, (lastMatch ?? -1) + 1) : own
    }

    private func find(_ expected: ScenarioFile.Expectation, at time: Int?) -> Bool {
        let start = start(of: expected)
        for (index, frame) in candidates(expected.who) where index >= start {
            if let time, frame.at != .milliseconds(time) { continue }
            guard let tree = try? JSONTree(frame.text), let found = expected.members(of: tree),
                expected.members.matches(found, &names)
            else { continue }
            cursors[expected.who] = index + 1
            lastMatch = index
            return true
        }
        return false
    }

    private func forbid(
        _ expected: ScenarioFile.Expectation, _ line: Int
    ) throws(ScenarioFailure) {
        for (_, frame) in candidates(expected.who) {
            var copy = names
            guard let tree = try? JSONTree(frame.text), let found = expected.members(of: tree),
                expected.members.matches(found, &copy)
            else { continue }
            throw ScenarioFailure(
                line: line, expected: "never: \(expected.words)", instead: [shown(frame)])
        }
    }

    private func expectReply(
        _ expected: ScenarioFile.Expectation, _ line: Int
    ) throws(ScenarioFailure) {
        guard let (_, reply, text) = latest[expected.who] else { return }
        if !programs.isEmpty { _ = wait { reply.frame != nil } }
        let wantsError = if case .error = expected.what { true } else { false }
        if wantsError { expectsError(reply) }
        guard let frame = reply.frame else {
            throw ScenarioFailure(
                line: line, expected: expected.words, instead: ["no reply yet to: \(text)"])
        }
        let found = wantsError ? reply.error.map(Self.flat) : reply.result
        guard let found else {
            let what = wantsError ? "result" : "error"
            expectsError(reply)
            throw ScenarioFailure(
                line: line, expected: expected.words,
                instead: ["\(what) \(frame[what]?.description ?? "")"])
        }
        var copy = names
        let differences = expected.members.differences(from: found, "", &copy)
        guard differences.isEmpty else {
            throw ScenarioFailure(
                line: line, expected: expected.words,
                instead: ["with \(differences.joined(separator: " ")): \(frame)"])
        }
        names = copy
        try place(expected, frame, line)
    }

    /// Checks the position of a reply among all frames.
    private func place(
        _ expected: ScenarioFile.Expectation, _ reply: JSONTree, _ line: Int
    ) throws(ScenarioFailure) {
        let found = candidates(expected.who).last { (try? JSONTree($0.frame.text)) == reply }
        guard let found else { return }
        if expected.isNext, let lastMatch, found.index < lastMatch {
            throw ScenarioFailure(
                line: line, expected: expected.words,
                instead: ["\(Self.tooEarly): \(shown(found.frame))"])
        }
        lastMatch = found.index
    }

    /// Returns the members of an error and of its data, in one object.
    private static func flat(_ error: JSONTree) -> JSONTree {
        .object(error.members + (error["data"]?.members ?? []))
    }

    // MARK: - States

    func expect(_ state: ScenarioFile.State, _ line: Int) throws(ScenarioFailure) {
        settle()
        switch state {
        case .call(let pattern, let words):
            try check(pattern, words, line) { [self] in
                pattern.member("call")?.tree(names).string.flatMap { broker.call($0) }
            }
        case .host(let pattern, let words):
            try check(pattern, words, line) { [self] in host }
        case .gone(let pattern, let words):
            let id = pattern.member("call")?.tree(names).string ?? ""
            let isGone = { [self] in isOver(id) }
            guard isGone() || (!programs.isEmpty && wait(until: isGone)) else {
                throw ScenarioFailure(
                    line: line, expected: words,
                    instead: refusals + ["call \(broker.call(id)?.description ?? "")"])
            }
        }
    }

    private func isOver(_ id: String) -> Bool {
        broker.call(id).map { $0["state"]?.string == "ended" } ?? true
    }

    private func check(
        _ pattern: ScenarioPattern, _ words: String, _ line: Int, _ read: () -> JSONTree?
    ) throws(ScenarioFailure) {
        if let tree = read(), pattern.matches(tree, &names) { return }
        if !programs.isEmpty {
            let came = wait {
                var copy = names
                return read().map { pattern.matches($0, &copy) } ?? false
            }
            if came, let tree = read(), pattern.matches(tree, &names) { return }
        }
        guard let tree = read() else {
            let others = broker.calls.map { "call \($0)" }
            throw ScenarioFailure(
                line: line, expected: words,
                instead: refusals + ["there is no such call"]
                    + others.suffix(Self.nearestShown))
        }
        var copy = names
        let differences = pattern.differences(from: tree, "", &copy)
        throw ScenarioFailure(
            line: line, expected: words,
            instead: refusals + ["with \(differences.joined(separator: " ")): \(tree)"])
    }

    /// The state of the host, from the latest `host.changed`.
    private var host: JSONTree? {
        guard case .controller(let user)? = participants["user"] else { return nil }
        let latest = user.events.last { $0["topic"]?.string == "host.changed" }
        return latest?["data"]
            ?? .object(
                ["held_groups", "ringing"].map { .init(name: $0, value: .integer(0)) }
                    + ["busy", "emergency"].map { .init(name: $0, value: .boolean(false)) })
    }

    // MARK: - Descriptions of failures

    private static let tooEarly = "before what the line above expects"

    /// Descriptions of requests of this block that were refused, which is often why nothing else
    /// came.
    var refusals: [String] {
        let scripted = unanswered.compactMap { line, reply, text -> String? in
            guard let error = reply.error, !isExpected(reply) else { return nil }
            return "refused, in line \(line), \(text): error \(error)"
        }
        return scripted
            + programs.flatMap { program in
                candidates(program.name).map(\.frame).filter(\.isError)
                    .map { "refused, to \(program.name): \(shown($0))" }
            }
    }

    /// Describes the frames of the expected kind with their differences, or the latest frames if
    /// there are none.
    private func nearest(to expected: ScenarioFile.Expectation, at time: Int?) -> [String] {
        let all = candidates(expected.who)
        let start = start(of: expected)
        var near: [(count: Int, text: String)] = []
        for (index, frame) in all {
            guard let tree = try? JSONTree(frame.text), let found = expected.members(of: tree)
            else { continue }
            var copy = names
            var differences = expected.members.differences(from: found, "", &copy)
            let count = differences.count
            if let time, frame.at != .milliseconds(time) {
                differences.append("@\(frame.at.wholeMilliseconds)")
            } else if index < start, differences.isEmpty {
                differences.append(earlierPlace(of: index, expected))
            }
            near.append(
                (count, "with \(differences.joined(separator: " ")): \(shown(frame))"))
        }
        if !near.isEmpty {
            return near.sorted { $0.count < $1.count }.prefix(Self.nearestShown).map(\.text)
        }
        // Results belong to their requests, and errors are reported already.
        let others = all.filter { !$0.frame.text.contains(#","result":{"#) && !$0.frame.isError }
            .suffix(Self.framesShown).map { shown($0.frame) }
        return others.isEmpty ? ["\(expected.who) received nothing except results"] : others
    }

    private func earlierPlace(of index: Int, _ expected: ScenarioFile.Expectation) -> String {
        let isOwn = index < cursors[expected.who] ?? blockStart
        return "an earlier place: " + (isOwn ? "before what was expected last" : Self.tooEarly)
    }

    private func shown(_ frame: RecordedFrame) -> String {
        "@\(frame.at.wholeMilliseconds) \(frame.description)"
    }
}

extension RecordedFrame {
    /// True if the frame is an error reply.
    fileprivate var isError: Bool {
        text.hasPrefix(#"{"jsonrpc":"2.0","id":"#) && text.contains(#","error":{"code":"#)
    }
}

extension ScenarioFile.Expectation {
    /// Returns the members to compare, or nil for a frame of another kind.
    fileprivate func members(of frame: JSONTree) -> JSONTree? {
        let params = frame["params"] ?? .object([])
        switch what {
        case .result, .error: return nil
        case .event(let topic):
            guard frame["method"]?.string == "event", params["topic"]?.string == topic else {
                return nil
            }
            return .object((params["data"]?.members ?? []) + params.members)
        case .method(let name):
            guard frame["method"]?.string == name else { return nil }
            return .object(params.members + (params["arguments"]?.members ?? []))
        }
    }
}

extension ScenarioPattern {
    fileprivate func member(_ name: String) -> ScenarioPattern? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }
}
