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
}
