internal import BrokerJSON
public import CallModel
internal import CallProtocol

extension CallController {
    /// Sends what the user has typed to the remote side of an active call with real-time text. Returns
    /// once the call's app has sent it; what either side types is the event `call.text`.
    ///
    /// - Parameters:
    ///   - characters: 1 to 1,024 bytes of UTF-8; U+0008 erases a character, U+2028 begins a line.
    ///   - call: the call.
    public func send(_ characters: String, on call: CallID) async throws(CallError) {
        try await link.request(
            .sendText,
            { writer in
                writer.member("call", call)
                writer.member("text", characters)
            }
        ) { _ in () }
    }
}
