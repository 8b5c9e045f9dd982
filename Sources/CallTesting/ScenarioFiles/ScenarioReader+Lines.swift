internal import CallModel
internal import CallProtocol
internal import CallTranscript

// Lines with a mark.

extension ScenarioReader {
    private static let call: [Member] = [.required("call", .pattern(.uuid), "which")]

    // MARK: - >

    mutating func act(_ words: inout ScenarioWords) throws(TranscriptError) -> ScenarioFile.Step {
        hasExpected = false
        let time = try time(&words)
        if words.isAtEnd {
            guard time != nil else {
                throw words.error(expected: "a time, or a participant and what it does")
            }
            return .act(at: time, nil)
        }
        var ahead = words
        if try ahead.next(expected: "who").verbatim == "broker" {
            let verb = try ahead.next(expected: "restarts")
            guard verb.verbatim == "restarts" else { throw verb.error(expected: "restarts") }
            _ = try members(ahead, [], isComplete: true)
            return .act(at: time, .brokerRestarts)
        }
        let (who, participant) = try who(&words)
        let verb = try words.next(expected: Self.verbs(of: participant))
        if participant != .program, verb.verbatim.contains(".") {
            let method = try Self.method(verb)
            latest[who] = method
            let params = try members(words, method.params, isComplete: true)
            return .act(
                at: time, .request(who: who, method: method.name.rawValue, params: params))
        }
        return .act(at: time, try act(verb, of: who, participant, words))
    }

    private static func verbs(of participant: Participant) -> String {
        switch participant {
        case .controller: "a method, such as call.answer"
        case .provider:
            "a method, or one of answers, fulfils, fails, disconnects, reconnects, dies, starts"
        case .program: "one of disconnects, dies, starts: a real program makes its own requests"
        case .scripted(.observer): "a method, or one of disconnects, reconnects"
        case .scripted:
            "a method, or one of answers, replies, fails, disconnects, reconnects"
        }
    }

    private static func method(_ field: TranscriptField) throws(TranscriptError) -> Method {
        let methods = MethodTable.standard.methods.filter {
            $0.direction != .toClient && !$0.isNotification
        }
        let name = field.verbatim
        if let method = methods.first(where: { $0.name.rawValue == name }) { return method }
        let near = NearestName.find(name, in: methods.map(\.name.rawValue))
        throw field.error(
            expected: near ?? "a method that clients call (callbroker methods lists them)")
    }

    private mutating func act(
        _ verb: TranscriptField, of who: String, _ participant: Participant, _ words: ScenarioWords
    ) throws(TranscriptError) -> ScenarioFile.Act {
        switch (participant, verb.verbatim) {
        case (.provider, "answers"):
            let pairs = try words.pairs()
            guard !pairs.isEmpty else {
                throw words.error(expected: "what it answers, such as set_held=never")
            }
            return .answers(who: who, try ScenarioWords.answers(pairs))
        case (.provider, "fulfils"), (.provider, "fails"):
            return try settles(who, fails: verb.verbatim == "fails", words)
        case (.provider, "reconnects"):
            let calls = MethodTable.standard.find("provider.register")?.params
                .filter { "\($0.name)" == "calls" }
            return .reconnects(
                who: who, calls: try members(words, calls ?? [], isComplete: true))
        case (.scripted(let part), _): return try act(verb, of: who, part, words)
        case (.provider, "disconnects"), (.program, "disconnects"):
            _ = try members(words, [], isComplete: true)
            return .disconnects(who: who)
        case (.provider, "dies"), (.program, "dies"):
            _ = try members(words, [], isComplete: true)
            return .dies(who: who)
        case (.provider, "starts"), (.program, "starts"):
            _ = try members(words, [], isComplete: true)
            return .starts(who: who)
        default: throw verb.error(expected: Self.verbs(of: participant))
        }
    }

    private mutating func act(
        _ verb: TranscriptField, of who: String, _ part: ScriptedPeer.Part, _ words: ScenarioWords
    ) throws(TranscriptError) -> ScenarioFile.Act {
        switch verb.verbatim {
        case "answers" where part.method != nil:
            let pairs = try words.pairs()
            guard !pairs.isEmpty else {
                throw words.error(expected: "what it answers, such as \(part.kind ?? "")=never")
            }
            return .scriptedAnswer(who: who, try scriptedAnswer(pairs, of: part))
        case "replies" where part.method != nil, "fails" where part.method != nil:
            return try replies(who, part, fails: verb.verbatim == "fails", words)
        case "disconnects":
            _ = try members(words, [], isComplete: true)
            return .disconnects(who: who)
        case "reconnects":
            _ = try members(words, [], isComplete: true)
            return .reconnects(who: who, calls: .nothing)
        default: throw verb.error(expected: Self.verbs(of: .scripted(part)))
        }
    }

    private mutating func settles(
        _ who: String, fails: Bool, _ words: ScenarioWords
    ) throws(TranscriptError) -> ScenarioFile.Act {
        var answer = fails ? FakeProvider.Answer.fail() : .fulfill
        var kind = ""
        var rest: [TranscriptPair] = []
        for pair in try words.pairs() {
            switch pair.name.verbatim {
            case "kind":
                try ScenarioWords.checkKind(pair.value)
                kind = pair.value.verbatim
            case "reason" where fails:
                guard let failure = ScenarioWords.failure(try pair.value.text()[...]) else {
                    throw pair.value.error(expected: "a reason such as remote_refused")
                }
                answer = failure
            default: rest.append(pair)
            }
        }
        guard !kind.isEmpty else { throw words.endError(expected: "kind=") }
        var typing = typing(isComplete: true)
        let call = try typing.object(rest, Self.call, end: words.endError(expected: "call="))
        return .settles(who: who, kind: kind, call: call, answer)
    }

    /// Reads a late reply. A screener's names its call with `call=`; a directory's has none.
    private func replies(
        _ who: String, _ part: ScriptedPeer.Part, fails: Bool, _ words: ScenarioWords
    ) throws(TranscriptError) -> ScenarioFile.Act {
        let pairs = try words.pairs()
        var typing = typing(isComplete: true)
        let optional = Self.call.map { Member.optional($0.name, $0.schema, $0.summary) }
        let call = try typing.object(
            pairs.filter { $0.name.verbatim == "call" }, part == .directory ? [] : optional,
            end: words.endError(expected: "call="))
        let rest = pairs.filter { $0.name.verbatim != "call" }
        guard fails else {
            let answer = try scriptedResult(rest, of: part, end: { words.endError(expected: $0) })
            return .replies(who: who, call: call, answer)
        }
        var reason = "refused"
        for pair in rest {
            guard pair.name.verbatim == "reason" else {
                throw pair.name.error(expected: "reason")
            }
            reason = try pair.value.text()
            guard ScenarioWords.failure(reason[...]) != nil else {
                throw pair.value.error(expected: "a reason such as not_now")
            }
        }
        return .replies(who: who, call: call, .fail(reason: reason))
    }

    // MARK: - <, !

    mutating func expectation(
        _ words: inout ScenarioWords, isForbidden: Bool
    ) throws(TranscriptError) -> ScenarioFile.Step {
        let time = try time(&words, mayBePast: !isForbidden)
        let shown = words.rest
        let isNext = try follows(&words, isForbidden: isForbidden)
        if !isForbidden { hasExpected = true }
        let (who, participant) = try who(&words)
        let field = try words.next(expected: "what: result, error, an event or a method")
        let (what, members) = try what(field, of: who, participant, words)
        let isReply = !field.verbatim.contains(".")
        if isReply, isForbidden { throw field.error(expected: "an event or a method") }
        let pattern = try self.members(words, members, isComplete: false)
        return .expect(
            at: time,
            ScenarioFile.Expectation(
                who: who, what: what, members: pattern, isForbidden: isForbidden,
                isNext: isNext, words: shown))
    }

    /// Reads `then`: the frame comes after the one that the line above expects.
    private func follows(
        _ words: inout ScenarioWords, isForbidden: Bool
    ) throws(TranscriptError) -> Bool {
        var ahead = words
        let field = try ahead.next(expected: "who")
        guard field.verbatim == "then" else { return false }
        guard !isForbidden else {
            throw field.error(expected: "who: a frame that must not come has no place")
        }
        guard hasExpected else {
            throw field.error(expected: "who: there is no line above that it could come after")
        }
        words = ahead
        return true
    }

    private func what(
        _ field: TranscriptField, of who: String, _ participant: Participant,
        _ words: ScenarioWords
    ) throws(TranscriptError) -> (ScenarioFile.What, [Member]) {
        let name = field.verbatim
        if name == "result" || name == "error" {
            guard let method = latest[who] else {
                throw field.error(
                    expected: "an event or a method: \(who) has made no request yet")
            }
            return name == "error" ? (.error, Self.errorMembers) : (.result, method.resultMembers)
        }
        if let row = TopicTable.rows.first(where: { $0.topic.rawValue == name }) {
            try checkReceives(row.topic, who, participant, field)
            let taken = Set(row.data.map { "\($0.name)" })
            return (.event(name), row.data + row.params.filter { !taken.contains("\($0.name)") })
        }
        let methods = MethodTable.standard.methods.filter { $0.direction != .toBroker }
        guard let method = methods.first(where: { $0.name.rawValue == name }) else {
            let topics = TopicTable.rows.map(\.topic.rawValue)
            let all = methods.map(\.name.rawValue) + (watchers.contains(who) ? topics : [])
            throw field.error(expected: ScenarioTyping.oneOf(all + ["result", "error"], name))
        }
        return (.method(name), method.params + (try Self.arguments(of: method, words)))
    }

    /// Checks that a participant receives events of a topic. The client that requested a
    /// transaction receives its completion without a subscription.
    private func checkReceives(
        _ topic: Topic, _ who: String, _ participant: Participant, _ field: TranscriptField
    ) throws(TranscriptError) {
        if watchers.contains(who) { return }
        if participant == .provider {
            guard topic != .transactionCompleted else { return }
            throw field.error(expected: "a method: \(who) receives events only with topics=[...]")
        }
        throw field.error(expected: "a method: \(who) receives no events")
    }

    /// The arguments of an action, which may be written flat, as in the method of its name.
    private static func arguments(
        of method: Method, _ words: ScenarioWords
    ) throws(TranscriptError) -> [Member] {
        guard method.name == .perform,
            let field = try words.pairs().first(where: { $0.name.verbatim == "kind" })?.value,
            let kind = ActionKind(rawValue: field.verbatim)
        else { return [] }
        return ActionSchemas.arguments(of: kind)
    }

    private static let errorMembers: [Member] = [
        .optional("code", .integer(-32_768 ... -32_000), "the number"),
        .optional("message", .any, "words"), .optional("reason", .any, "the word"),
        .optional("retryable", .boolean, "whether to try again"),
        .optional("retry_after_ms", .any, "when"), .optional("field", .any, "which param"),
        .optional("rule", .any, "which rule"), .optional("limit", .any, "which limit"),
        .optional("blocking", .any, "what stands in the way"), .optional("hint", .any, "advice"),
        .optional("provider_error", .any, "the provider's error"),
    ]

    // MARK: - =

    mutating func state(_ words: inout ScenarioWords) throws(TranscriptError) -> ScenarioFile.Step {
        let shown = words.rest
        let field = try words.next(expected: "one of call, gone, host")
        switch field.verbatim {
        case "call":
            guard try words.pairs().contains(where: { $0.name.verbatim == "call" }) else {
                throw words.endError(expected: "call=")
            }
            let row = MethodTable.standard.find("call.get")?.resultMembers ?? []
            return .state(.call(try members(words, row, isComplete: false), words: shown))
        case "gone":
            return .state(.gone(try members(words, Self.call, isComplete: true), words: shown))
        case "host":
            let row = TopicTable.rows.first { $0.topic == .hostChanged }?.data ?? []
            return .state(.host(try members(words, row, isComplete: false), words: shown))
        case let word:
            throw field.error(expected: ScenarioTyping.oneOf(["call", "gone", "host"], word))
        }
    }
}

extension Method {
    var resultMembers: [Member] {
        if case .request(let members, _) = form { members } else { [] }
    }
}
