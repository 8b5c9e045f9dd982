import BrokerSocket
import CallTesting
import Foundation
import Testing

/// What the conformance kit and scenario files start.
struct ProviderProgramTests {
    /// The environment of a program, as its manifest describes it.
    private func environment(_ members: String) throws -> [String: String] {
        let folder = URL.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let manifest = folder.appending(path: "org.bell.plugin.json")
        let text =
            #"{"manifest":1,"identity":"org.bell","name":"Bell","roles":["provider"],"exec":["./bell"]\#(members)}"#
        try Data(text.utf8).write(to: manifest)
        return try ProviderProgram(
            manifest: manifest.path, [], environment: ["HOME": "/root", "OTHERS": "1"]
        ).environment
    }

    @Test func `a program is told the defaults of its options, as by the broker`() throws {
        let options = """
            ,"options":[{"option":"volume","type":"int","default":3},{"option":"door","type":"string"},
            {"option":"token","type":"secret","default":"hunter2"}]
            """
        #expect(
            try environment(options) == [
                "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/root",
                "BROKER_OPTIONS": #"{"volume":3}"#,
            ])
    }

    @Test func `without options there is no such variable, whatever the manifest sets`() throws {
        #expect(
            try environment(#","env":{"BROKER_OPTIONS":"mine"}"#) == [
                "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/root",
            ])
    }

    /// Registers if the reply to its hello has its options, and ends otherwise.
    private static let script = #"""
        echo '{"jsonrpc":"2.0","id":1,"method":"broker.hello","params":{"protocol":{"min":1,"max":1},"roles":["provider","controller"],"identity":"org.bell","client":{"name":"sh","version":"1"}}}'
        read -r reply
        case $reply in
          *'"granted_roles":["provider"]'*'"options":{"volume":3,"token":"hunter2"}'*) ;;
          *) exit 9 ;;
        esac
        echo '{"jsonrpc":"2.0","id":2,"method":"provider.register","params":{"display_name":"Bell","handle_types":["phone"]}}'
        cat >/dev/null
        """#
    private static let manifest = #"""
        {"manifest":1,"identity":"org.bell","roles":["provider"],"exec":["sh","bell.sh"],
        "options":[{"option":"volume","type":"int","default":3},{"option":"door","type":"string"},
        {"option":"token","type":"secret","default":"hunter2"}]}
        """#

    /// Somebody runs the program of that manifest.
    private func withManifest(_ body: (String) throws -> Void) throws {
        let folder = URL.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let manifest = folder.appending(path: "org.bell.plugin.json")
        try Data(Self.manifest.utf8).write(to: manifest)
        try Data(Self.script.utf8).write(to: folder.appending(path: "bell.sh"))
        try body(manifest.path)
    }

    @Test func `the reply to its hello is the one it gets as a plugin, when it is checked`() throws
    {
        try withManifest { manifest in
            let program = try ProviderProgram(
                manifest: manifest, [], environment: Environment.current)
            let verdicts = try Conformance(program)
                .run(Scenario.all.filter { $0.name == "registers" })
            #expect(verdicts.map(\.outcome) == [.passed])
        }
    }

    @Test func `the commands of its manifest cause calls, and others are not applicable`() throws {
        try withManifest { manifest in
            let text = try String(contentsOfFile: manifest, encoding: .utf8)
            let members = #""x_priority":"urgent","x_background":"later","options""#
            try text.replacing(#""options""#, with: members)
                .write(toFile: manifest, atomically: true, encoding: .utf8)
            var program = try ProviderProgram(
                manifest: manifest, [], environment: Environment.current)
            #expect([program.priority, program.background] == ["urgent", "later"])
            (program.priority, program.background) = (nil, nil)
            let names = ["registers", "claims_priority", "takes_busy"]
            let verdicts = try Conformance(program)
                .run(Scenario.all.filter { names.contains($0.name) })
            let reasons = verdicts.dropFirst().map { verdict in
                if case .notApplicable(let reason) = verdict.outcome { reason } else { "" }
            }
            #expect(reasons.count == 2)
            #expect(reasons[0].contains("--priority") && reasons[1].contains("--background"))
        }
    }

    @Test func `the same in a scenario`() throws {
        try withManifest { manifest in
            let text = "# A bell.\nprogram bell manifest=\(manifest)\n= gone call=1\n"
            let file = try ScenarioFile(Array(text.utf8))
            let run = ScenarioRun(path: "x.scenario", environment: Environment.current)
            #expect(run.run(try #require(file.sections.first)) == nil)
        }
    }
}
