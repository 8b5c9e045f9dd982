import Glibc
import Testing

/// What `callbroker plugin new` makes, under the broker's care.
extension PluginTests {
    /// A doorbell in a folder of its own, whose button is ours.
    private func makeDoorbell(_ language: String) throws {
        let command = #"cd "$1" && exec "$2" plugin new "$3" bell"#
        let tool = try Tool(
            finishing: ChildProcess([
                "sh", "-c", command, "sh", folder.path, executablePath, language,
            ]))
        try #require(tool.end == .exited(0), "\(tool.errors)")
    }

    @Test(arguments: ["python", "shell"])
    func `what plugin new makes is started, and comes back when it is killed`(
        _ language: String
    ) throws {
        try makeDoorbell(language)
        let daemon = try TestDaemon(
            arguments: ["--test-mode", "--plugin-dir", folder.file("bell")],
            environment: ["XDG_RUNTIME_DIR": folder.path])
        let client = try user(of: daemon)
        let first = try wait(for: "ready", client)
        #expect(first["name"] == .string("Bell"))
        press("front")
        #expect(try event("call.added", to: client)["remote"]?["value"] == .string("front"))
        let pid = try #require(first["pid"]?.integer)
        kill(pid_t(pid), SIGKILL)
        #expect(try event("call.removed", to: client)["cause"]?["rule"] == .string("26"))
        _ = try wait(for: "backoff", client)
        // The pause is on the virtual clock.
        try daemon.advance(600)
        let second = try wait(for: "ready", client)
        #expect(second["starts"] == .integer(2))
        #expect(second["pid"] != first["pid"])
        press("back")
        #expect(try event("call.added", to: client)["remote"]?["value"] == .string("back"))
    }
}
