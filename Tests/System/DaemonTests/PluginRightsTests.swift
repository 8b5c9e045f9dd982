import Glibc
import Testing

/// What the processes of a plugin may do on connections of their own.
struct PluginRightsTests {
    /// The output of the tool, when a plugin that is an observer runs it.
    ///
    /// - Parameter way: how the plugin runs it.
    private func answer(to arguments: String, by way: String = "") throws -> String {
        let folder = try TemporaryFolder()
        let answer = folder.file("answer")
        try #require(mkfifo(answer, 0o600) == 0)
        try folder.write(
            """
            (grep -c callbroker-plugins- /proc/self/cgroup
            \(way) "\(executablePath)" \(arguments) 2>&1; echo "exit $?") >answer
            exec tail -f /dev/null
            """, to: "it.sh")
        try folder.write(
            #"""
            {"manifest":1,"identity":"org.example.it","roles":["observer"],"exec":["sh","it.sh"],
            "start":"boot","handshake":"implicit"}
            """#, to: "org.example.it.plugin.json")
        let daemon = try TestDaemon(arguments: ["--test-mode", "--plugin-dir", folder.path])
        defer { withExtendedLifetime(daemon) {} }
        return try contents(of: answer)
    }

    @Test func `a plugin that observes cannot do more on a second connection`() throws {
        let refusal = try answer(to: "policy set allows_emergency=false")
        #expect(refusal.contains("exit 5"), "\(refusal)")
        let list = try answer(to: "policy show")
        #expect(list.contains("exit 0"), "\(list)")
    }

    /// Where the host has cgroups for us, the first line is their number.
    @Test func `nor by a process that leaves its group, if the plugin has a cgroup`() throws {
        let answer = try answer(to: "policy set allows_emergency=false", by: "setsid --wait")
        let isBound = !answer.hasPrefix("0\n")
        #expect(answer.contains(isBound ? "exit 5" : "exit 0"), "\(answer)")
    }
}
