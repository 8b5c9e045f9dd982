internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// An event on one line: time, number, topic and data.
struct EventLine: CustomStringConvertible {
    private static let topicWidth = 21
    /// Up to #999999: the numbers go on for as long as the journal does.
    private static let numberWidth = 7

    let start: String
    let topic: String
    /// The color of the topic.
    let color: Int
    let end: String

    var description: String {
        start + topic + end
    }

    /// - Parameter params: of the event.
    init(_ params: JSONValue) {
        let word = params["topic"]?.string?.printable ?? "?"
        let topic = Topic(rawValue: word)
        let data = params["data"]
        let details = topic.flatMap { topic in data.map { Self.details(topic, $0) } }
        let known = details ?? data.map { [FlatText.inline($0)] } ?? []
        let isAlone = !known.contains { !$0.isEmpty }
        let width = isAlone ? 0 : Self.topicWidth
        let padding = String(repeating: " ", count: max(0, width - word.count))
        let number = "#\(params["seq"]?.integer ?? 0)"
        let time = ClockTime(unixMS: params["at_ms"]?.integer ?? 0)
        let numberPadding = String(
            repeating: " ", count: max(0, Self.numberWidth - number.count))
        start = "\(time) \(number)\(numberPadding) "
        self.topic = word
        color = Self.color(topic)
        end = padding + known.filter { !$0.isEmpty }.map { " " + $0 }.joined()
    }

    /// Red for trouble, green for calls, blue for actions.
    private static func color(_ topic: Topic?) -> Int {
        switch topic {
        case .callAdded, .callChanged, .allowedChanged, .callRemoved: 32
        case .callRefused, .dialRefused, .actionFailed, .actionTimedOut, .providerLost, .anomaly,
            .stopping:
            31
        case .actionDispatched, .actionFulfilled, .actionLate: 34
        case .hostChanged, .hostPresence, .resumeOffered, .callQuality, .participantsChanged,
            .callText,
            .transactionAccepted,
            .transactionCompleted,
            .providerAdded, .providerChanged, .providerResumed, .providerRemoved, .audioChanged,
            .endpointsChanged, .screenChanged,
            .policyChanged, .historyChanged, .bookmark, .pluginState, .pluginLog, nil:
            36
        }
    }

    private static func details(_ topic: Topic, _ data: JSONValue) -> [String] {
        switch topic {
        case .callAdded: [CallSummary(data).line, cause(data)]
        case .callChanged: [CallSummary(data).line, changes(data), cause(data)]
        case .allowedChanged: [id(data["call"]), "[\(words(data["allowed"]))]"]
        case .callRemoved: [id(data["call"]), cause(data)]
        case .callRefused: [id(data["call"]), text(data["reason"]), cause(data)]
        case .dialRefused: [text(data["scheme"]), text(data["reason"]), cause(data)]
        case .resumeOffered:
            [id(data["call"]), Messages.watchWasHeldFor(call: id(data["because_of"])), cause(data)]
        case .callQuality: [id(data["call"]), QualityText(data).description]
        case .participantsChanged:
            [id(data["call"]), Messages.watchParticipants(count: data["count"]?.integer ?? 0)]
        case .callText: [id(data["call"]), text(data["from"]), text(data["text"])]
        case .transactionAccepted, .transactionCompleted: transaction(data)
        case .actionDispatched, .actionFulfilled, .actionFailed, .actionTimedOut, .actionLate:
            action(data)
        case .providerAdded, .providerChanged, .providerResumed: provider(data)
        case .providerLost:
            [text(data["provider"]), Messages.watchGrace(milliseconds: number(data["grace_ms"]))]
        case .providerRemoved: [text(data["provider"]), text(data["reason"])]
        case .hostChanged: host(data)
        case .hostPresence: [text(data["state"])]
        case .audioChanged: ["\(id(data["from"])) -> \(id(data["to"]))", cause(data)]
        case .endpointsChanged: [endpoints(data)]
        case .screenChanged: [data["screen"].map { text($0) } ?? Messages.watchNone]
        case .policyChanged: [words(data["changed"])]
        case .historyChanged: [Messages.watchMissed(number: number(data["missed"]))]
        case .anomaly:
            [
                text(data["anomaly"] ?? data["id"]), data["call"] == nil ? "" : id(data["call"]),
                text(data["provider"]), text(data["detail"]),
            ]
        case .bookmark: []
        case .stopping: [text(data["reason"]), text(data["detail"])]
        case .pluginState: plugin(data)
        case .pluginLog: [text(data["plugin"]), text(data["text"])]
        }
    }

    // MARK: - Topics

    private static func changes(_ data: JSONValue) -> String {
        let names = words(data["changed"])
        return names.isEmpty ? "" : "[\(names)]"
    }

    private static func transaction(_ data: JSONValue) -> [String] {
        let actions = (data["actions"].map { Array($0.elements) } ?? []).map { action in
            "\(text(action["kind"])) \(id(action["call"])) \(text(action["state"]))"
        }
        return [
            id(data["transaction"]), text(data["state"]), actions.joined(separator: ", "),
            cause(data),
        ]
    }

    private static func action(_ data: JSONValue) -> [String] {
        guard data["kind"] != nil else { return [id(data["action"]), text(data["provider"])] }
        let attempt = data["attempt"]?.integer ?? 1
        let failure = data["failure"].map { "\(number($0["code"])) \(text($0["reason"]))" }
        return [
            text(data["kind"]), id(data["call"]), text(data["provider"]),
            attempt > 1 ? Messages.watchAttempt(number: String(attempt)) : "", failure ?? "",
        ]
    }

    private static func provider(_ data: JSONValue) -> [String] {
        let isConnected = data["connected"]?.boolean ?? true
        return [
            text(data["provider"]), text(data["display_name"]),
            isConnected ? "" : Messages.watchNotConnected,
        ]
    }

    private static func plugin(_ data: JSONValue) -> [String] {
        let last = data["stderr"].map { Array($0.elements) }?.last
        return [
            text(data["plugin"]), "\(state(data["previous"])) -> \(state(data["state"]))",
            PluginText.exit(data["exit"]) ?? "", last.map { "\"\(text($0))\"" } ?? "",
        ]
    }

    private static func state(_ plugin: JSONValue?) -> String {
        Words.pluginState(plugin?.string ?? "")
    }

    private static func host(_ data: JSONValue) -> [String] {
        [
            Messages.watchHost(
                live: id(data["live_group"]), held: number(data["held_groups"]),
                ringing: number(data["ringing"])),
            data["busy"]?.boolean == true ? Messages.watchBusy : "",
            data["emergency"]?.boolean == true ? Messages.watchEmergency : "",
        ]
    }

    private static func endpoints(_ data: JSONValue) -> String {
        let endpoints = data["endpoints"]?.elements.map { endpoint in
            "\(text(endpoint["endpoint"])) \(text(endpoint["state"]))"
        }
        return "[" + (endpoints ?? []).joined(separator: ", ") + "]"
    }

    // MARK: - Words

    private static func text(_ value: JSONValue?) -> String {
        value?.string?.printable ?? ""
    }

    private static func number(_ value: JSONValue?) -> String {
        value?.integer.map(String.init) ?? "?"
    }

    private static func id(_ value: JSONValue?) -> String {
        value?.string.map { ShortID($0.printable).description } ?? Messages.watchNone
    }

    private static func words(_ value: JSONValue?) -> String {
        value.map { $0.elements.compactMap(\.string).map(\.printable).joined(separator: " ") } ?? ""
    }

    private static func cause(_ data: JSONValue) -> String {
        data["cause"].map { CauseText($0).description } ?? ""
    }
}

/// The cause of a change as text: origin, rule, and the other call involved.
struct CauseText: CustomStringConvertible {
    let description: String

    init(_ cause: JSONValue) {
        let origin = cause["origin"]?.string?.printable
        let rule = cause["rule"]?.string?.printable
        let other = cause["because_of"]?.string?.printable
        let parts = [
            origin.map { Messages.explainBy(origin: $0) },
            rule.map { Messages.explainRule(rule: $0) },
            other.map { Messages.explainBecauseOf(call: ShortID($0).description) },
        ]
        description = "(\(parts.compactMap { $0 }.joined(separator: ", ")))"
    }
}
