import CallTesting

/// A frame on one short line: everything that matters but the numbers of events, the time, and the
/// sentences for people, whose exact form other tests look at.
enum Brief {
    static func line(_ frame: String) -> String {
        guard let json = try? JSONTree(ShortID.short(frame)) else { return "bad \(frame)" }
        return line(json)
    }

    static func line(_ json: JSONTree) -> String {
        if !json.elements.isEmpty {
            return "[" + json.elements.map { line($0) }.joined(separator: "; ") + "]"
        }
        let params = json["params"] ?? .object([])
        switch json["method"]?.string {
        case nil: return reply(json)
        case "event": return event(params)
        case "provider.perform": return "perform \(text(json["id"])) \(perform(params))"
        case "provider.execute":
            let actions = params["actions"]?.elements.map { action in
                "\(text(action["action"])) \(step(action)) \(cause(action))"
            }
            return "execute \(text(json["id"])) of \(text(params["transaction"])): "
                + "\((actions ?? []).joined(separator: ", ")) \(text(params["deadline_ms"])) ms"
        case "provider.timed_out": return "timed_out \(text(params["action"])) \(step(params))"
        case "broker.cancel": return "cancel \(text(params["request"]))"
        case "broker.goodbye": return "goodbye \(text(params["reason"]))"
        case "audio.activated", "audio.deactivated":
            let calls = (params["calls"]?.elements ?? []).map { text($0) }.joined(separator: " ")
            return "\(text(json["method"])) \(text(params["group"])): \(calls)"
        case let method?: return "\(method) \(params)"
        }
    }

    // MARK: - Replies

    private static func reply(_ json: JSONTree) -> String {
        let id = text(json["id"])
        if let error = json["error"] { return "\(id): \(self.error(error))" }
        guard let result = json["result"] else { return "\(json)" }
        if result["actions"] != nil { return "\(id): \(outcome(result))" }
        if let list = result["calls"]?.elements, list.contains(where: { $0["state"] != nil }) {
            let calls = list.map { call($0) }.joined(separator: ", ")
            return "\(id): [\(calls)]\(rest(result.without("calls", "seq")))"
        }
        return "\(id): \(result.without("seq"))"
    }

    static func error(_ error: JSONTree) -> String {
        let data = error["data"] ?? .object([])
        let others = data.without("reason", "retryable", "hint", "callkit")
        return "\(text(error["code"])) \(text(data["reason"]))\(rest(others))"
    }

    /// The result of a request for actions.
    private static func outcome(_ result: JSONTree) -> String {
        let actions = (result["actions"]?.elements ?? []).map { action in
            let name = action["action"].map { "\(text($0)) " } ?? ""
            let implied = action["implied"]?.boolean == true ? " implied" : ""
            return "\(name)\(step(action))\(implied) \(text(action["state"]))"
        }
        let head = [result["state"], result["transaction"]].compactMap { $0 }.map { text($0) }
        let shown = ["transaction", "state", "actions", "cause", "seq"]
        var others = JSONTree.object(result.members.filter { !shown.contains($0.name) })
        // Of one that is over the state says it.
        if result["cause"] != nil { others = others.without("refusal") }
        if let refusal = result["refusal"], refusal != .null, result["cause"] == nil {
            others = others.without("refusal")
            return (head + ["[\(actions.joined(separator: ", "))]\(rest(others)) refused:"])
                .joined(separator: " ") + " \(error(refusal))"
        }
        return (head + ["[\(actions.joined(separator: ", "))]\(rest(others))"])
            .joined(separator: " ")
    }

    // MARK: - Actions

    private static func perform(_ params: JSONTree) -> String {
        let attempt = params["attempt"]?.integer ?? 0
        let again = attempt == 1 ? "" : " attempt \(attempt)"
        return "\(text(params["action"])) \(step(params)) \(cause(params)) "
            + "\(text(params["deadline_ms"])) ms\(again)"
    }

    private static func step(_ action: JSONTree) -> String {
        let arguments = action["arguments"].map { rest($0) } ?? ""
        return "\(text(action["kind"])) \(text(action["call"]))\(arguments)"
    }

    static func cause(_ holder: JSONTree, _ name: String = "cause") -> String {
        guard let cause = holder[name] else { return "no cause" }
        let rule = cause["rule"].map { "/\(text($0))" } ?? ""
        let other = cause["because_of"].map { " for \(text($0))" } ?? ""
        return "\(text(cause["origin"]))\(rule)\(other)"
    }

    // MARK: - Events

    private static func event(_ params: JSONTree) -> String {
        let data = params["data"] ?? .object([])
        let topic = text(params["topic"])
        switch topic {
        case "call.added": return "+ \(call(data)) \(cause(data))"
        case "call.changed":
            let names = (data["changed"]?.elements ?? []).map { text($0) }
            return "~ \(call(data)) (\(names.joined(separator: " "))) \(cause(data))"
        case "call.allowed_changed":
            let verbs = (data["allowed"]?.elements ?? []).map { text($0) }
            let canHold = data["can_hold_now"]?.boolean == true ? " can hold" : ""
            return "\(topic) \(text(data["call"])) [\(verbs.joined(separator: " "))]\(canHold)"
        case "call.removed": return "- \(text(data["call"])) \(cause(data))"
        case "transaction.accepted", "transaction.completed":
            let own = params["subscription"] == nil ? "own " : ""
            return "\(own)\(topic) \(outcome(data)) \(cause(data))"
        case let topic where topic.hasPrefix("action."):
            let failure = data["failure"].map {
                " \(text($0["code"])) \(text($0["reason"]))"
            }
            let attempt = data["attempt"]?.integer ?? 1
            return "\(topic) \(text(data["action"])) \(step(data))\(failure ?? "")"
                + (attempt == 1 ? "" : " attempt \(attempt)")
        case "provider.added", "provider.changed", "provider.resumed":
            return "\(topic) \(text(data["provider"])) calls \(text(data["calls"]))"
        case "host.changed":
            let live = data["live_group"].map { " live \(text($0))" } ?? ""
            let busy = data["busy"]?.boolean == true ? " busy" : ""
            let emergency = data["emergency"]?.boolean == true ? " emergency" : ""
            return "host\(live) held \(text(data["held_groups"])) ringing "
                + "\(text(data["ringing"]))\(busy)\(emergency)"
        case "audio.changed":
            return "audio \(text(data["from"])) > \(text(data["to"])) \(cause(data))"
        default: return "\(topic)\(rest(data))"
        }
    }

    // MARK: - Pieces

    static func call(_ call: JSONTree) -> String {
        var words = [text(call["call"]), text(call["state"])]
        if let pending = call["pending_action"] { words.append("..\(text(pending))") }
        if call["muted"]?.boolean == true { words.append("muted") }
        if call["silenced"]?.boolean == true { words.append("silenced") }
        if call["group"] != call["call"] { words.append("in \(text(call["group"]))") }
        if let other = call["held_because_of"] { words.append("held for \(text(other))") }
        if call["provider_connected"]?.boolean == false { words.append("away") }
        if let reason = call["end_reason"] { words.append(text(reason)) }
        return words.joined(separator: " ")
    }

    /// What members are left, as name=value.
    private static func rest(_ json: JSONTree) -> String {
        json.members.map { " \($0.name)=\(text($0.value))" }.joined()
    }

    private static func text(_ value: JSONTree?) -> String {
        switch value {
        case nil: "?"
        case .string(let text): text
        case let value?: "\(value)".replacing(#"""#, with: "")
        }
    }
}
