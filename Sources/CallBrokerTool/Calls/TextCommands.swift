internal import ArgumentParser
internal import BrokerJSON
internal import CallModel
internal import CallProtocol

/// `callbroker text`.
struct Text: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "text",
        abstract: "Add real-time text to a call, take it away, or decide about a request.",
        discussion: """
            The other side of a call may ask for text: "callbroker call" has the request. "callbroker \
            type" sends text, "callbroker watch call.text" prints what both sides type.
            """)

    enum Decision: String, CaseIterable, ExpressibleByArgument {
        case accept, decline, on, off
    }

    @Argument(help: "What to do: accept or decline the request, or turn text on or off.")
    var decision: Decision
    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @OptionGroup var actionOptions: ActionOptions

    func makeRequest(_ session: Session) throws -> ActionRequest {
        let candidates = Candidates(
            none: Messages.callNoneForText, several: Messages.callSeveralForText,
            verbs: ["set_text"])
        let call = try CallChooser(session).choose(call, candidates)
        if decision == .accept || decision == .decline { try checkIsAsked(call, session) }
        return ActionRequest(.setText) { writer in
            writer.member("call", call)
            writer.member("text", decision == .accept || decision == .on)
        }
    }

    private func checkIsAsked(_ call: String, _ session: Session) throws {
        let reply = try session.request(.getCall) { $0.member("call", call) }
        guard reply.result["text_request"]?.boolean == true else {
            throw ToolFailure(.errorReply, Messages.callNoTextRequest)
        }
    }
}

/// `callbroker type`.
struct TypeText: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "type", abstract: "Send real-time text on a call.",
        discussion: "Returns once the app has sent it. Needs an active call that has text.")

    @Argument(help: "What to send, at most 1,024 bytes.") var text: String
    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @OptionGroup var client: ClientOptions

    func run() throws {
        let session = try client.open(.controller)
        let candidates = Candidates(
            none: Messages.callNoneToTypeOn, several: Messages.callSeveralToTypeOn, verbs: [],
            states: ["active"])
        let call = try CallChooser(session).choose(call, candidates)
        let reply = try session.request(.sendText) { writer in
            writer.member("call", call)
            writer.member("text", text)
        }
        session.show(reply) { _ in "" }
    }
}
