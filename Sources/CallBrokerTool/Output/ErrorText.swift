internal import BrokerJSON
internal import BrokerRPC
internal import CallProtocol

/// An error reply as text: what happened, why, where, the calls in the way, and the remedy.
struct ErrorText {
    private static let blockersMax = 8

    let failure: ToolFailure

    /// - Parameters:
    ///   - error: the error of a reply.
    ///   - form: the form that an option requests; it leaves the error as it is.
    ///   - findCall: looks up a call by its id.
    init(
        _ error: JSONValue, _ form: OutputOptions.Form?, findCall: (String) -> CallSummary?
    ) {
        let code = error["code"]?.integer.flatMap { ErrorCode(rawValue: Int($0)) }
        let text =
            form == nil
            ? Self.lines(error, findCall).joined(separator: "\n") : ClientOptions.oneLine(error)
        var failure = ToolFailure(code: ToolFailure.Code(code), message: text)
        failure.isDocument = form != nil
        failure.reason = form == nil ? error["data"]?["reason"]?.string : nil
        self.failure = failure
    }

    /// Returns the message, and the details on the lines below.
    static func lines(
        _ error: JSONValue, _ findCall: (String) -> CallSummary?
    ) -> [String] {
        let code = error["code"]?.integer
        let name = code.flatMap { ErrorCode(rawValue: Int($0)) }.map { " \($0.name)" } ?? ""
        let message = Words.message(
            error["message"]?.string?.printable ?? "", of: error["data"]?["reason"]?.string)
        var lines = ["error \(code.map(String.init) ?? "?")\(name): \(message)"]
        error["data"]?.forEachMember { name, value in
            switch String(decoding: name, as: UTF8.self) {
            case "retryable", "callkit", "scheme": break
            case "field" where value.string == "": break
            case "hint":
                let hint = HintText.hint(FlatText.inline(value), in: error["data"])
                lines.append("  " + Messages.errorHint(hint: hint))
            case "limit":
                let name = value["name"].map(FlatText.inline) ?? ""
                let limit = "\(value["value"]?.integer ?? 0)"
                lines.append("  " + Messages.errorLimit(value: limit, name: name))
            case "candidates":
                lines += value.elements.map {
                    "  " + Messages.errorCandidates(name: FlatText.inline($0))
                }
            case "provider_error":
                lines.append("  " + Messages.errorAppReason(reason: "\(FailureText(value))"))
            case "blocking": lines += blockers(value, findCall)
            case "actions": lines += value.elements.map { "  " + OutcomeText.line(ofAction: $0) }
            case let name: lines.append("  \(name.printable): \(FlatText.inline(value))")
            }
        }
        return lines
    }

    /// Returns the calls in the way, as far as they can be looked up.
    private static func blockers(
        _ blocking: JSONValue, _ findCall: (String) -> CallSummary?
    ) -> [String] {
        let all = Array(blocking.elements)
        let shown = all.prefix(blockersMax).map { blocker in
            let call = blocker["call"]?.string ?? ""
            let provider = blocker["provider"]?.string?.printable ?? ""
            let line = findCall(call)?.line ?? "\(ShortID(call)) \(provider)"
            return "  " + Messages.errorInTheWay(call: line)
        }
        let rest = all.count - shown.count
        return shown + (rest > 0 ? ["  " + Messages.errorMoreInTheWay(count: Int64(rest))] : [])
    }
}
