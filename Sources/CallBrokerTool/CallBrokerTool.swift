package import ArgumentParser
internal import BrokerSocket
internal import CallProtocol

#if canImport(Glibc)
    internal import Glibc
#endif

/// The executable `callbroker`: the daemon, and the command-line tool.
package struct CallBrokerTool: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "callbroker",
        abstract: "A call manager that makes several VoIP apps behave as one phone.",
        discussion: """
            Exit codes: 0 success, 1 the broker returned an error, 2 wrong usage, 3 no broker, \
            4 timeout, 5 permission denied, 6 the broker is too old.
            """,
        version: Release.version,
        subcommands: [
            Serve.self, Setup.self, PhoneCommand.self, ScreenCommand.self, StartApp.self,
        ],
        groupedSubcommands: [
            CommandGroup(
                name: "Calls",
                subcommands: [
                    Calls.self, ShowCall.self, Participants.self, Providers.self,
                    LineCommand.self, Start.self,
                    Dial.self, Answer.self, Pull.self,
                    Decline.self, Silence.self, Prioritize.self, MayRing.self, End.self, Hold.self,
                    Resume.self,
                    Swap.self,
                    Mute.self, Unmute.self, DTMF.self, ContinueTones.self, Merge.self, Split.self,
                    Transfer.self, AttendedTransfer.self, Deflect.self, EndpointCommand.self,
                    Video.self, Text.self, TypeText.self,
                    Button.self, PushCommand.self, IntentCommand.self,
                    PolicyCommand.self,
                ]),
            CommandGroup(
                name: "Callers and history",
                subcommands: [
                    HistoryCommand.self, DoNotDisturbCommand.self, BlockCommand.self,
                    ContactCommand.self,
                    DirectoryCommand.self, GrantCommand.self, QuestionCommand.self,
                ]),
            CommandGroup(
                name: "Diagnostics",
                subcommands: [
                    Status.self, Explain.self, Timeline.self, Transactions.self, Rules.self,
                    WhatIf.self, Watch.self,
                    Doctor.self,
                    Dump.self, Connections.self, MetricsCommand.self, Record.self, Replay.self,
                    Backup.self,
                    Restore.self,
                ]),
            CommandGroup(
                name: "Plugins and scenarios",
                subcommands: [PluginCommand.self, ScenarioCommand.self]),
            CommandGroup(
                name: "Protocol",
                subcommands: [
                    Methods.self, Describe.self, Request.self, Lint.self, Bridge.self,
                    Reference.self,
                ]),
        ],
        defaultSubcommand: Status.self)

    package init() {}

    /// Runs the tool. Replaces the library's entry point: usage errors exit with 2, not with 64,
    /// and may be JSON.
    package static func main() {
        HostProcess.ignoreBrokenPipes()
        do {
            try VerbCheck.check(CommandLine.arguments.dropFirst())
            var command = try parseAsRoot()
            try command.run()
        } catch let code as ExitCode {
            Glibc.exit(code.rawValue)
        } catch let failure as ToolFailure {
            fail(failure)
        } catch {
            guard exitCode(for: error) == .validationFailure else {
                StandardOutput.line(fullMessage(for: error))
                Glibc.exit(exitCode(for: error).rawValue)
            }
            fail(ToolFailure(.usage, usageProblem(with: error)))
        }
    }

    /// Returns what is wrong with the arguments, and where the right ones are described, on one
    /// line.
    private static func usageProblem(with error: any Error) -> String {
        let message = message(for: error).split(separator: "\n").joined(separator: " ")
        // The library names the command whose help is meant.
        let help = fullMessage(for: error).firstMatch(of: /See '([^']+)'/)?.output.1
        return "\(message) (see \"\(help ?? "callbroker --help")\")"
    }

    /// Reports a failure and exits; in JSON if a form for programs was requested.
    private static func fail(_ failure: ToolFailure) -> Never {
        StandardError.write((Messages.isForProgram ? failure.document : failure.message) + "\n")
        Glibc.exit(failure.code.rawValue)
    }
}
