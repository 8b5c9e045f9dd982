internal import ArgumentParser
internal import BrokerJSON
internal import BrokerRPC
internal import CallProtocol

/// The options of every command that requests actions.
struct ActionOptions: ParsableArguments {
    enum Conflict: String, CaseIterable, ExpressibleByArgument {
        case hold, end
    }

    @OptionGroup var client: ClientOptions

    @Flag(inversion: .prefixedNo, help: "Wait until the request is completed, not only accepted.")
    var wait = true

    @Option(
        help: """
            If the live call cannot be held, or a start would exceed the app's call groups: refuse \
            (hold), or end the call in the way (end).
            """)
    var onConflict: Conflict?

    @Option(help: "An id for the request (a UUID): a repeated request is executed once.")
    var transaction: String?

    @Option(
        name: .customLong("deadline"),
        help: """
            The deadline of each action: milliseconds, or a time \(TimeSpan.forms). Default: the \
            app's.
            """,
        transform: { try TimeSpan(option: $0, .milliseconds) })
    var actionDeadline: TimeSpan?

    fileprivate func write(isDry: Bool, to writer: inout JSONWriter) {
        writer.member("transaction", ifSet: transaction)
        writer.member("deadline_ms", ifSet: actionDeadline.map { Int($0.milliseconds) })
        writer.member("on_conflict", ifSet: onConflict?.rawValue)
        if isDry {
            writer.member("dry_run", true)
        } else if wait {
            writer.member("wait", "completed" as StaticString)
        }
    }
}

/// A request: a method, and its params.
struct ActionRequest {
    let method: MethodName
    let write: (inout JSONWriter) -> Void

    init(_ method: MethodName, _ write: @escaping (inout JSONWriter) -> Void = { _ in }) {
        self.method = method
        self.write = write
    }
}

/// A command that requests actions, and has a dry run.
protocol ActionCommand: ParsableCommand {
    var actionOptions: ActionOptions { get }

    /// Returns the request; `session` lists the calls.
    func makeRequest(_ session: Session) throws -> ActionRequest
}

extension ActionCommand {
    /// The default timeout. Actions may take up to their deadlines, twice that with progress.
    private var secondsMax: Double { actionOptions.wait ? 150 : 10 }

    func run() throws {
        let session = try actionOptions.client.open(.controller, waiting: secondsMax)
        let request = try makeRequest(session)
        let reply = try session.request(request.method) { writer in
            request.write(&writer)
            actionOptions.write(isDry: false, to: &writer)
        }
        session.show(reply, OutcomeText.done)
    }

    /// Runs the dry run. A refusal is printed like a plan, and sets the exit code.
    func plan() throws {
        let session = try actionOptions.client.open(.controller)
        let request = try makeRequest(session)
        let reply = try session.request(request.method) { writer in
            request.write(&writer)
            actionOptions.write(isDry: true, to: &writer)
        }
        session.show(reply) { OutcomeText.plan($0) { session.findCall($0) } }
        let refusal = reply.result["refusal"]?["code"]?.integer
        if let code = refusal.map({ ToolFailure.Code(ErrorCode(rawValue: Int($0))) }) {
            throw ExitCode(code.rawValue)
        }
    }
}

extension Session {
    func show(_ reply: borrowing Reply, _ layout: (JSONValue) -> String) {
        switch output.form {
        case .table: output.page(layout(reply.result))
        case .json: StandardOutput.line(ClientOptions.oneLine(reply.result))
        case .flat: StandardOutput.line(FlatText(reply.result).description)
        case .raw: StandardOutput.line(String(decoding: reply.frame, as: UTF8.self))
        }
    }
}

/// `callbroker what-if`: dry runs.
struct WhatIf: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "what-if",
        abstract: "Show what a command would do, without doing it.",
        discussion: """
            Prints the calls that would be held and ended, and the actions that apps would perform. If \
            the command would be refused, prints why, and exits with the code of the error.
            """,
        subcommands: verbs.map { planned($0) })

    private static let verbs: [any ActionCommand.Type] = [
        Start.self, Dial.self, Answer.self, Decline.self, End.self, Hold.self, Resume.self,
        Swap.self, Mute.self, Unmute.self, DTMF.self, Merge.self, Split.self,
    ]

    /// The dry run of a verb. Were it named as `Planned<Start>.self`, each start of the tool would
    /// search all conformances of the program for that of each verb.
    private static func planned<Verb: ActionCommand>(
        _: Verb.Type
    ) -> any ParsableCommand.Type {
        Planned<Verb>.self
    }
}

/// The dry run of a command, with the command's own arguments.
struct Planned<Verb: ActionCommand>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Verb._commandName, abstract: Verb.configuration.abstract,
            usage: "callbroker what-if \(Verb._commandName) [<arguments>] [<options>]",
            discussion: Verb.configuration.discussion)
    }

    @OptionGroup var verb: Verb

    func run() throws {
        try verb.plan()
    }
}
