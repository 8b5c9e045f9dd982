internal import ArgumentParser
internal import BrokerJSON

/// `callbroker lint`: protocol violations in recorded frames.
struct Lint: ParsableCommand {
    private static let bytesMax = 64 << 20

    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Check recorded frames against the protocol.",
        discussion: """
            Reads one frame per line, from a file or from standard input. A line may begin with \
            "> " if a client sent it, with "< " if the broker did. Needs no running \
            broker. Exits with 1 if there are violations.
            """)

    @Argument(help: "The file. Default, and -: standard input.", completion: .file())
    var file: String?

    @OptionGroup var output: OutputOptions

    func run() throws {
        let lint = FrameLint(try Terminal.read(file, bytesMax: Self.bytesMax))
        var writer = JSONWriter()
        writer.array { writer in for fault in lint.faults { fault.write(to: &writer) } }
        if output.form == .raw { StandardOutput.line(writer.text) }
        try output.show(list: writer.bytes) { _ in
            lint.faults.isEmpty
                ? "\(lint.frames) frames, no violations"
                : lint.faults.map { "\($0.line): \($0.rule): \($0.message)" }
                    .joined(separator: "\n")
        }
        if !lint.faults.isEmpty { throw ExitCode(ToolFailure.Code.errorReply.rawValue) }
    }
}

extension FrameLint.Fault {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("line", line)
            writer.member("rule", rule)
            writer.member("message", message)
        }
    }
}
