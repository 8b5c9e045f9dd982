import Testing

/// `--config FILE`: what is wrong with it, and where.
struct ConfigurationTests {
    @Test(arguments: [
        (#"{"limits":{"depth":8"#, "line 1"), ("{\n  \"limits\": x}", "line 2"),
        (#"{"limits":{"nope":8}}"#, "limits.nope"), (#"{"limits":{"depth":"8"}}"#, "limits.depth"),
        (#"{"limits":{"depth":0}}"#, "limits.depth"), (#"{"limits":{"depth":-1}}"#, "limits.depth"),
        (#"{"limits":{"depth":1.5}}"#, "limits.depth"), (#"{"limits":{"batch":null}}"#, "batch"),
        (#"{"limits":[]}"#, "limits"), (#"{"nope":1}"#, "nope"), ("[]", "object"), ("", "line 1"),
        (#"{"limits":{"depth":8,"depth":9}}"#, "line 1"),
    ])
    func `what is wrong is told with its place`(text: String, place: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(text, to: "broken.json")
        let arguments = ["--test-mode", "--config", path]
        let refusal = try TestDaemon.refusal(arguments: arguments, in: folder)
        #expect(refusal.end != .exited(0))
        #expect(refusal.message.contains(path))
        #expect(refusal.message.contains(place))
        #expect(refusal.message.split(separator: "\n").count == 1)
        #expect(FileStatus(folder.file("broker.sock")) == nil)
    }

    @Test func `a file that is missing is told`() throws {
        let folder = try TemporaryFolder()
        let arguments = ["--test-mode", "--config", folder.file("none.json")]
        let refusal = try TestDaemon.refusal(arguments: arguments, in: folder)
        #expect(refusal.end != .exited(0))
        #expect(refusal.message.contains(folder.file("none.json")))
    }

    @Test(arguments: ["{}", #"{"limits":{}}"#, " {\n \"limits\" : { \"depth\" : 9 }\n}\n"])
    func `what is right is served`(text: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(text, to: "fine.json")
        let daemon = try TestDaemon(arguments: ["--test-mode", "--config", path], in: folder)
        let depth = try daemon.connect().hello().result?["limits"]?["depth"]
        #expect(depth == (text.contains("9") ? 9 : 32))
    }

    @Test(arguments: ["loud", ""])
    func `an unknown log level is a matter of usage`(level: String) throws {
        #expect(try Tool("serve", "--log-level", level).end == .exited(2))
    }
}
