internal import ArgumentParser
internal import BrokerJSON
internal import CallProtocol

/// The help text of the argument that names a call.
enum CallArgument {
    static let help: ArgumentHelp = """
        Id, start of the id, remote address or name; optional if only one call is possible.
        """
    static let incoming = ["ringing", "waiting"]
}

/// `callbroker answer`.
struct Answer: ActionCommand {
    enum Choice: String, EnumerableFlag {
        case hold, end, endHeld

        var word: String {
            switch self {
            case .hold: "hold_and_answer"
            case .end: "end_and_answer"
            case .endHeld: "end_held_and_answer"
            }
        }

        static func help(for value: Choice) -> ArgumentHelp? {
            switch value {
            case .hold: "Hold the live call first (the default)."
            case .end: "End the live call first."
            case .endHeld: "End the last held call, and hold the live one."
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "answer",
        abstract: "Answer a call.",
        discussion: """
            Without an option the live call is held; if it cannot be held, the command is refused. \
            Without an argument the ringing call is answered, although others wait.
            """)

    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @Flag(exclusivity: .exclusive) var choice: Choice?
    @Flag(
        inversion: .prefixedNo, help: "Answer with video, or without. Default: as the call has it.")
    var video: Bool?
    @Flag(
        inversion: .prefixedNo,
        help: "Answer with real-time text, or without. Default: as the call has it.")
    var text: Bool?
    @OptionGroup var actionOptions: ActionOptions

    func makeRequest(_ session: Session) throws -> ActionRequest {
        let words = choice.map { [$0.word] } ?? ["answer", "hold_and_answer"]
        let call = try CallChooser(session).choose(
            call,
            .incoming(none: Messages.callNoneToAnswer, several: Messages.callSeveralToAnswer, words)
        )
        return ActionRequest(.answer) { writer in
            writer.member("call", call)
            writer.member("choice", ifSet: choice?.word)
            if let video { writer.member("video", video ? "both" as StaticString : "off") }
            if let text { writer.member("text", text) }
        }
    }
}

/// `callbroker pull`.
struct Pull: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "pull",
        abstract: "Bring a call from another device here.",
        discussion: """
            As with answer, the live call is held first; without an argument the only call that can \
            be brought here is meant.
            """)

    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @Flag(exclusivity: .exclusive) var choice: Answer.Choice?
    @OptionGroup var actionOptions: ActionOptions

    func makeRequest(_ session: Session) throws -> ActionRequest {
        let candidates = Candidates(
            none: Messages.callNoneToPull, several: Messages.callSeveralToPull,
            verbs: choice.map { [$0.word] } ?? ["pull", "hold_and_answer"], among: ["external"],
            states: ["external"])
        let call = try CallChooser(session).choose(call, candidates)
        return ActionRequest(.pull) { writer in
            writer.member("call", call)
            writer.member("choice", ifSet: choice?.word)
        }
    }
}

/// `callbroker decline`.
struct Decline: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "decline", abstract: "Decline a ringing call.")

    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @OptionGroup var actionOptions: ActionOptions

    func makeRequest(_ session: Session) throws -> ActionRequest {
        let chooser = try CallChooser(session)
        let call = try chooser.choose(
            call,
            .incoming(
                none: Messages.callNoneToDecline, several: Messages.callSeveralToDecline,
                ["decline"]))
        // The broker ends any call with this method, but declining must not hang up a live one.
        if let listed = chooser.listed(call), !CallArgument.incoming.contains(listed.state) {
            throw ToolFailure(.errorReply, "\(Messages.callNotRinging)\n  \(listed.line)")
        }
        return ActionRequest(.end) { $0.member("call", call) }
    }
}

/// `callbroker end`.
struct End: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "End a call.",
        discussion: """
            A ringing call is declined, and a call being dialed is cancelled. Without an argument \
            the only call is ended, or the only one that is not held.
            """)
    private static let candidates = Candidates(
        none: Messages.callNoneToEnd, several: Messages.callSeveralToEnd, verbs: ["end"],
        states: CallArgument.incoming,
        before: ["starting", "dialing", "alerting", "connecting", "active"])

    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @Flag(help: "End all calls of its group.") var group = false
    @OptionGroup var actionOptions: ActionOptions

    func makeRequest(_ session: Session) throws -> ActionRequest {
        let call = try CallChooser(session).choose(call, Self.candidates)
        return ActionRequest(.end) { writer in
            writer.member("call", call)
            if group { writer.member("group", true) }
        }
    }
}

/// `callbroker silence`.
struct Silence: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "silence",
        abstract: "Silence a ringing call.")

    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @OptionGroup var client: ClientOptions

    func run() throws {
        let session = try client.open(.controller)
        let call = try CallChooser(session).choose(
            call,
            .incoming(
                none: Messages.callNoneToSilence, several: Messages.callSeveralToSilence,
                ["silence"]))
        let reply = try session.request(.silence) { $0.member("call", call) }
        session.show(reply) { _ in Messages.callRingsSilently(call: ShortID(call).description) }
    }
}

/// `callbroker prioritize`.
struct Prioritize: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prioritize",
        abstract: "Mark a call as one of a priority caller.",
        discussion: "It is answered before older calls that wait.")

    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @OptionGroup var client: ClientOptions

    func run() throws {
        let session = try client.open(.controller)
        let call = try CallChooser(session).choose(
            call,
            .incoming(
                none: Messages.callNoneToPrioritize, several: Messages.callSeveralToPrioritize,
                ["answer"]))
        let reply = try session.request(.prioritize) { $0.member("call", call) }
        session.show(reply) { _ in Messages.callHasPriority(call: ShortID(call).description) }
    }
}

/// `callbroker button`.
struct Button: ParsableCommand {
    enum Press: String, CaseIterable, ExpressibleByArgument {
        case short, long
    }

    static let configuration = CommandConfiguration(
        commandName: "button",
        abstract: "Press the headset button.",
        discussion: """
            Short: answers, swaps, ends or resumes, whichever applies first. Long: declines, ends \
            the active one of two calls, or mutes.
            """)

    @Argument(help: "The length of the press.") var press = Press.short
    @OptionGroup var client: ClientOptions

    func run() throws {
        let session = try client.open(.controller)
        let reply = try session.request(.pressButton) { $0.member("press", press.rawValue) }
        session.show(reply, OutcomeText.done)
    }
}
