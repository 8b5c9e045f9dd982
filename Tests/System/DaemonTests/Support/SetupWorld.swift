import Foundation
import Glibc
import Testing

/// An installation in a folder of its own, with the plugins that a test writes, and a broker whose
/// user has no plugins yet.
final class SetupWorld {
    let folder: TemporaryFolder
    let program: String
    private(set) var variables: [String: String]

    init() throws {
        folder = try TemporaryFolder()
        program = folder.file("bin/callbroker")
        for name in ["bin", "share", "share/callbroker", "share/callbroker/plugins", "tools"] {
            mkdir(folder.file(name), 0o755)
        }
        // Where the folder is on another file system there are no links to the program. Another
        // process copies it: no child of a test that runs at the same time inherits a descriptor
        // for writing, with which the program could not be executed.
        if link(executablePath, program) != 0 {
            let copy = try ChildProcess(["/bin/cp", executablePath, program])
            try #require(try copy.waitForEnd() == .exited(0))
        }
        variables = [
            "XDG_CONFIG_HOME": folder.file("config"), "XDG_DATA_DIRS": "/nowhere",
            "HOME": folder.path, "PATH": "\(folder.file("tools")):/usr/bin:/bin",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere",
        ]
    }

    /// A broker as a user has it.
    func daemon() throws -> TestDaemon {
        let daemon = try TestDaemon(arguments: [], environment: variables)
        variables["BROKER_SOCKET"] = daemon.socketPath
        return daemon
    }

    /// Sets a variable of the tool's environment.
    func use(_ name: String, _ value: String) {
        variables[name] = value
    }

    /// Writes a plugin that comes with the program.
    func bundle(
        _ name: String, members: String = "", roles: String = #"["provider"]"#,
        script: String = "exec cat >/dev/null", handshake: String = "implicit"
    ) throws {
        let place = "share/callbroker/plugins/\(name)"
        mkdir(folder.file(place), 0o755)
        try folder.write("#!/bin/sh\n\(script)\n", to: "\(place)/run.sh")
        chmod(folder.file("\(place)/run.sh"), 0o755)
        try folder.write(
            #"""
            {"manifest":1,"identity":"org.example.\#(name)","name":"\#(name)","roles":\#(roles),
            "description":"A \#(name).","exec":["./run.sh"],"handshake":"\#(handshake)",
            "start":"boot","restart":"never"\#(members),"provider":{"handle_types":["generic"]}}
            """#, to: "\(place)/org.example.\(name).plugin.json")
    }

    /// Starts `callbroker setup`.
    func start(_ arguments: [String], input: Int32? = nil) throws -> ChildProcess {
        try ChildProcess(
            [program, "setup"] + arguments, environment: variables, input: input)
    }

    func setup(_ arguments: String...) throws -> Tool {
        try Tool(finishing: start(arguments))
    }

    /// Runs it on a terminal, where each of the questions is answered when it comes.
    func setup(
        _ arguments: [String], answering answers: [(question: String, answer: String)]
    ) throws -> (tool: Tool, questions: String) {
        let terminal = try PipeEnds.terminal(nil)
        defer { for end in [terminal.reader, terminal.writer] { close(end) } }
        let process = try start(arguments, input: terminal.writer)
        for (question, answer) in answers {
            let isAsked = try process.errors.wait { $0.contains(question) }
            guard isAsked else { break }
            let line = answer + "\n"
            _ = line.withCString { write(terminal.reader, $0, strlen($0)) }
        }
        let tool = try Tool(finishing: process)
        return (tool, tool.errors)
    }
}
