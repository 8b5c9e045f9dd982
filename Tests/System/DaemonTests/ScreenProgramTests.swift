import Foundation
import Testing

/// `callbroker phone`: the tool makes way for the screen that is installed with it.
struct PhoneVerbTests {
    private let world: SetupWorld

    init() throws {
        world = try SetupWorld()
    }

    private func run(_ arguments: String...) throws -> Tool {
        try Tool(
            finishing: ChildProcess([world.program] + arguments, environment: world.variables))
    }

    private func install(_ path: String) throws {
        let folder = world.folder.file(path).split(separator: "/").dropLast()
        try FileManager.default.createDirectory(
            atPath: "/" + folder.joined(separator: "/"), withIntermediateDirectories: true)
        try world.folder.write("#!/bin/sh\necho \"phone on $BROKER_SOCKET, $#\"\n", to: path)
        chmod(world.folder.file(path), 0o755)
    }

    @Test func `without the screen it tells how to install it`() throws {
        let run = try run("phone")
        #expect(run.end == .exited(2))
        #expect(run.errors.contains("callbroker-phone is not installed"))
        #expect(run.errors.contains("make install-phone"))
    }

    @Test(arguments: ["bin/callbroker-phone", "libexec/callbroker/callbroker-phone"])
    func `it runs the screen beside it`(path: String) throws {
        try install(path)
        let run = try run("phone", "--socket", "/run/some.sock")
        #expect(
            run.end == .exited(0) && run.output == "phone on /run/some.sock, 0\n", "\(run.errors)")
    }
}
