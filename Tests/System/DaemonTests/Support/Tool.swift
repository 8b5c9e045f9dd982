import Glibc

/// One run of the tool to its end.
struct Tool: Equatable {
    let end: ProcessEnd
    let output: String
    let errors: String

    /// - Parameter socketPath: goes into `BROKER_SOCKET`.
    init(
        _ arguments: String..., socketPath: String? = nil, input: String? = nil,
        environment: [String: String] = [:]
    ) throws {
        var variables = environment
        if let socketPath { variables["BROKER_SOCKET"] = socketPath }
        let folder = try TemporaryFolder()
        var descriptor: Int32?
        if let input {
            descriptor = open(try folder.write(input, to: "input"), O_RDONLY | O_CLOEXEC)
        }
        defer { if let descriptor { close(descriptor) } }
        let process = try ChildProcess(
            [executablePath] + arguments, environment: variables, input: descriptor)
        end = try process.waitForEnd()
        try process.output.readToEnd()
        output = process.output.text
        errors = process.errors.text
    }

    /// A run that was started before.
    init(finishing process: ChildProcess) throws {
        // First the output: a terminal takes little before somebody reads.
        try process.output.readToEnd()
        end = try process.waitForEnd()
        output = process.output.text.split(separator: "\r\n", omittingEmptySubsequences: false)
            .joined(separator: "\n")
        errors = process.errors.text
    }
}
