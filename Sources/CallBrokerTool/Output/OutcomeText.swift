internal import BrokerJSON
internal import CallProtocol

/// The text of a transaction, or of a dry run.
enum OutcomeText {
    /// Returns the text of a completed transaction.
    static func done(_ result: JSONValue) -> String {
        let actions = actions(of: result)
        guard !actions.isEmpty else { return Messages.outcomeNothing }
        var title = result["state"]?.string.map(Words.outcome) ?? Messages.outcomeDone
        if result["joined"]?.boolean == true { title = Messages.outcomeJoined(outcome: title) }
        if result["replayed"]?.boolean == true {
            title = Messages.outcomeReplayed(outcome: title)
        }
        return ([title] + actions + fallback(result)).joined(separator: "\n")
    }

    /// Returns the text of a dry run.
    static func plan(
        _ result: JSONValue, findCall: (String) -> CallSummary?
    ) -> String {
        if let refusal = result["refusal"], !refusal.isNull {
            return
                ([Messages.outcomeWouldBeRefused]
                + ErrorText.lines(refusal, findCall).map { "  " + $0 })
                .joined(separator: "\n")
        }
        var lines = [Messages.outcomeWouldBeDone]
        lines += calls(result["would_start"]) { $0 }.map {
            "  " + Messages.outcomeWouldStart(app: $0.printable)
        }
        lines += calls(result["would_hold"], findCall, Messages.outcomeWouldHold)
        lines += calls(result["would_end"], findCall, Messages.outcomeWouldEnd)
        let implied = calls(result["actions"]) { $0["implied"]?.boolean == true ? $0["call"] : nil }
        lines += calls(
            result["would_activate"], findCall, Messages.outcomeWouldSpeak, where: implied.contains)
        let actions = actions(of: result)
        lines += actions.isEmpty ? ["  " + Messages.outcomeNothing] : actions
        return (lines + fallback(result)).joined(separator: "\n")
    }

    /// Returns that a call is started without its video.
    private static func fallback(_ result: JSONValue) -> [String] {
        result["video_fallback"] == nil ? [] : ["  " + Messages.outcomeWithoutVideo]
    }

    /// Returns one action as text: kind, call, provider, state, and whether the broker added it.
    static func line(ofAction action: JSONValue) -> String {
        let words = [
            action["kind"]?.string?.printable,
            action["call"]?.string.map { ShortID($0).description },
            action["provider"]?.string?.printable,
            action["state"]?.string.map(Words.actionState),
            action["implied"]?.boolean == true ? Messages.outcomeAdded : nil,
            isSilentHold(action)
                ? Messages.outcomeSilentHold : nil,
            action["failure"].map { Messages.outcomeAppReason(reason: "\(FailureText($0))") },
        ]
        return words.compactMap { $0 }.joined(separator: " ")
    }

    /// True if the action is a hold that another action waited for, and that the provider did not
    /// answer.
    private static func isSilentHold(_ action: JSONValue) -> Bool {
        action["kind"]?.string == "set_held" && action["implied"]?.boolean == true
            && action["state"]?.string == "timed_out"
    }

    private static func actions(of result: JSONValue) -> [String] {
        result["actions"].map { $0.elements.map { "  " + line(ofAction: $0) } } ?? []
    }

    private static func calls(
        _ list: JSONValue?, _ findCall: (String) -> CallSummary?, _ text: (String) -> String,
        where isMeant: (String) -> Bool = { _ in true }
    ) -> [String] {
        calls(list) { $0 }.filter(isMeant).map { call in
            "  " + text(findCall(call)?.line ?? ShortID(call).description)
        }
    }

    private static func calls(
        _ list: JSONValue?, _ call: (JSONValue) -> JSONValue?
    ) -> [String] {
        (list.map { Array($0.elements) } ?? []).compactMap { call($0)?.string }
    }
}
