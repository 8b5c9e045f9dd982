import Foundation
import Testing

/// `callbroker phone` and `callbroker screen`: the tool makes way for the screen that is installed with
/// it.
struct ScreenProgramTests {
    private let world: SetupWorld

    init() throws {
        world = try SetupWorld()
    }

    private func run(_ arguments: [String]) throws -> Tool {
        try Tool(
            finishing: ChildProcess([world.program] + arguments, environment: world.variables))
    }

    /// Installs a program that prints the broker's socket and its arguments.
    private func install(_ path: String) throws {
        let folder = world.folder.file(path).split(separator: "/").dropLast()
        try FileManager.default.createDirectory(
            atPath: "/" + folder.joined(separator: "/"), withIntermediateDirectories: true)
        try world.folder.write("#!/bin/sh\necho \"on $BROKER_SOCKET, $#: $*\"\n", to: path)
        chmod(world.folder.file(path), 0o755)
    }

    @Test(arguments: [
        ("phone", "callbroker-phone"), ("screen", "callbroker-screen"),
    ])
    func `without the screen it tells how to install it`(verb: String, program: String) throws {
        let run = try run([verb])
        #expect(run.end == .exited(2))
        #expect(run.errors.contains("\(program) is not installed"))
        #expect(run.errors.contains("make install"))
    }

    @Test(arguments: ["bin/callbroker-phone", "libexec/callbroker/callbroker-phone"])
    func `it runs the screen beside it`(path: String) throws {
        try install(path)
        let run = try run(["phone", "--socket", "/run/some.sock"])
        #expect(run.end == .exited(0) && run.output == "on /run/some.sock, 0: \n", "\(run.errors)")
    }

    @Test(arguments: [(["--port", "7787"], "3: --port 7787 --open"), (["--print"], "0: ")])
    func `the page's server opens the browser, unless it is to print the address only`(
        options: [String], arguments: String
    ) throws {
        try install("bin/callbroker-screen")
        let run = try run(["screen", "--socket", "/run/some.sock"] + options)
        #expect(
            run.end == .exited(0) && run.output == "on /run/some.sock, \(arguments)\n",
            "\(run.errors)")
    }
}
