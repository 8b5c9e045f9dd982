internal import CallModel

/// The schemas of real-time text.
enum TextSchemas {
    /// The characters of one request or report.
    static let characters = Member.required(
        "text", .string(bytes: 1...CallText.bytesMax),
        "the characters, as typed; U+0008 erases one, U+2028 begins a line")

    /// Characters of either side.
    static let text: [Member] = [
        .required("from", .words(CallText.Side.self), "the side that has typed it"), characters,
    ]
}
