internal import BrokerJSON
internal import CallModel
internal import CallProtocol

/// An app's reason for not performing an action, or for the end of a call: the word, the message if
/// different, and the code of the app's protocol or network.
struct FailureText: CustomStringConvertible {
    let description: String

    /// - Parameter failure: A `failure`, or an `end_detail`.
    init(_ failure: JSONValue) {
        let word = failure["reason"]?.string?.printable ?? ""
        let message = (failure["message"] ?? failure["text"])?.string?.printable ?? ""
        let code = (failure["app_code"] ?? failure["code"])?.string?.printable
        let reason = Self.reason(word, code, hasMessage: !message.isEmpty)
        let isSame = message.isEmpty || message == word.replacingUnderscores || message == reason
        let parts = [reason, isSame ? "" : "\"\(message)\""].filter { !$0.isEmpty }
        let text = parts.joined(separator: ", ")
        description = [text, code.map { "(\($0))" } ?? ""].filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    /// Returns the reason in words: that of the code where the app gave none.
    private static func reason(_ word: String, _ code: String?, hasMessage: Bool) -> String {
        let isUnspecified = EndDetail.Reason(rawValue: word) == .unspecified
        guard isUnspecified, code != nil || hasMessage else { return Words.endDetail(word) }
        let known = code.flatMap(EndDetail.Reason.init(code:))
        return known.map { Words.endDetail($0.rawValue) } ?? ""
    }
}
