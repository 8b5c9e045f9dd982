internal import BrokerJSON
internal import BrokerRPC
internal import CallProtocol

/// An error reply as people want to read it: what, why, where, what stands in the way, and what to
/// do.
struct ErrorText {
    private static let blockersMax = 8

    let failure: ToolFailure

    /// - Parameters:
    ///   - form: what was asked for by an option: then the error is left as it is.
    ///   - findCall: what is known of a call, by its id.
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

    /// What is wrong, on a line of its own, and the details below it.
    static func lines(
        _ error: JSONValue, _ findCall: (String) -> CallSummary?
    ) -> [String] {
        let code = error["code"]?.integer
        let name = code.flatMap { ErrorCode(rawValue: Int($0)) }.map { " \($0.name)" } ?? ""
        let message = error["message"]?.string?.printable ?? ""
        var lines = ["error \(code.map(String.init) ?? "?")\(name): \(message)"]
        error["data"]?.forEachMember { name, value in
            switch String(decoding: name, as: UTF8.self) {
            case "retryable", "callkit", "scheme": break
            case "field" where value.string == "": break
            case "hint":
                lines.append("  hint: " + ToolWords.hint(FlatText.inline(value), in: error["data"]))
            case "limit":
                let name = value["name"].map(FlatText.inline) ?? ""
                lines.append("  limit: \(value["value"]?.integer ?? 0) (\(name))")
            case "candidates":
                lines += value.elements.map { "  could do it: " + FlatText.inline($0) }
            case "provider_error": lines.append("  the app says: \(FailureText(value))")
            case "blocking": lines += blockers(value, findCall)
            case "actions": lines += value.elements.map { "  " + OutcomeText.line(ofAction: $0) }
            case let name: lines.append("  \(name.printable): \(FlatText.inline(value))")
            }
        }
        return lines
    }

    /// The calls in the way, as far as they can be told.
    private static func blockers(
        _ blocking: JSONValue, _ findCall: (String) -> CallSummary?
    ) -> [String] {
        let all = Array(blocking.elements)
        let told = all.prefix(blockersMax).map { blocker in
            let call = blocker["call"]?.string ?? ""
            let provider = blocker["provider"]?.string?.printable ?? ""
            return "  in the way: " + (findCall(call)?.line ?? "\(ShortID(call)) \(provider)")
        }
        let rest = all.count - told.count
        return told + (rest > 0 ? ["  in the way: \(rest) more"] : [])
    }
}
