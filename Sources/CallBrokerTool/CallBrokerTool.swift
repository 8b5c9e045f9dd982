internal import ArgumentParser
internal import BrokerSocket
internal import CallProtocol

#if canImport(Glibc)
    internal import Glibc
#endif

/// The one executable: the daemon, and the tool that talks to it.
@main
struct CallBrokerTool: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "callbroker",
        abstract: "One phone out of many: the call system of a Linux host.",
        discussion: """
            Exit codes: 0 done, 1 the broker answered with an error, 2 wrong usage, 3 no broker, \
            4 no answer in time, 5 not permitted.
            """,
        version: Release.version,
        subcommands: [Serve.self],
        groupedSubcommands: [
            CommandGroup(
                name: "Calls",
                subcommands: [
                    Calls.self, ShowCall.self, Providers.self, Start.self, Dial.self, Answer.self,
                    Decline.self, Silence.self, End.self, Hold.self, Resume.self, Swap.self,
                    Mute.self, Unmute.self, DTMF.self, Merge.self, Split.self, Button.self,
                    PolicyCommand.self,
                ]),
            CommandGroup(
                name: "Why, and what",
                subcommands: [
                    Explain.self, WhatIf.self, Watch.self, Doctor.self, Dump.self,
                ]),
            CommandGroup(
                name: "Protocol",
                subcommands: [
                    Methods.self, Describe.self, Request.self, Lint.self, Bridge.self,
                ]),
        ])

    /// Our own entry instead of the library's: usage errors exit with 2, not with 64.
    static func main() {
        HostProcess.ignoreBrokenPipes()
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let code as ExitCode {
            Glibc.exit(code.rawValue)
        } catch let failure as ToolFailure {
            StandardError.write(failure.message + "\n")
            Glibc.exit(failure.code.rawValue)
        } catch {
            let isUsage = exitCode(for: error) == .validationFailure
            isUsage
                ? StandardError.write(fullMessage(for: error) + "\n")
                : StandardOutput.line(fullMessage(for: error))
            Glibc.exit(isUsage ? ToolFailure.Code.usage.rawValue : exitCode(for: error).rawValue)
        }
    }
}

/// Why the tool gives up: what to say, and the exit code.
struct ToolFailure: Error {
    enum Code: Int32 {
        case errorReply = 1
        case usage = 2
        case noConnection = 3
        case deadline = 4
        case denied = 5
    }

    let code: Code
    let message: String
}

enum StandardError {
    static func write(_ text: String) {
        HostProcess.writeToStandardError(text)
    }
}
