import Foundation
import Testing

/// `callbroker screen`: the tool makes way for the server of the page that is installed with it.
struct ScreenVerbTests {
    private let world: SetupWorld

    init() throws {
        world = try SetupWorld()
    }

    private func run(_ arguments: String...) throws -> Tool {
        try Tool(
            finishing: ChildProcess([world.program] + arguments, environment: world.variables))
    }

    private func install() throws {
        let path = "bin/callbroker-screen"
        try world.folder.write("#!/bin/sh\necho \"screen on $BROKER_SOCKET: $*\"\n", to: path)
        chmod(world.folder.file(path), 0o755)
    }

    @Test func `without the screen it tells how to install it`() throws {
        let run = try run("screen")
        #expect(run.end == .exited(2))
        #expect(run.errors.contains("callbroker-screen is not installed"))
        #expect(run.errors.contains("make install"))
    }

    @Test func `it runs the screen beside it, which opens the browser`() throws {
        try install()
        let run = try run("screen", "--socket", "/run/some.sock", "--port", "7787")
        #expect(
            run.end == .exited(0)
                && run.output == "screen on /run/some.sock: --port 7787 --open\n", "\(run.errors)")
    }

    @Test func `it only prints the address if it is told so`() throws {
        try install()
        let run = try run("screen", "--socket", "/run/some.sock", "--print")
        #expect(run.output == "screen on /run/some.sock: \n", "\(run.errors)")
    }
}
