import Testing

/// What `callbroker doctor` finds where a phone stays silent although everything works.
struct SilenceTests {
    private let world: ToolWorld

    init() throws {
        world = try ToolWorld()
    }

    private func doctor() throws -> String {
        let run = try world.run("doctor", isOnTerminal: true)
        #expect(run.end == .exited(0))
        return run.output
    }

    @Test func `do-not-disturb is named while it is on, or scheduled for now`() throws {
        #expect(try !doctor().contains("do-not-disturb"))
        _ = try world.run("dnd", "on")
        #expect(try doctor().contains("do-not-disturb: it is on: calls do not ring"))
        #expect(try doctor().contains("callbroker dnd off"))
        _ = try world.run("dnd", "off")
        _ = try world.run("dnd", "schedule", "00:00-12:00", "12:00-00:00")
        #expect(try doctor().contains("do-not-disturb: its schedule is in effect now"))
    }

    @Test func `unknown callers that do not ring are named`() throws {
        #expect(try !doctor().contains("unknown callers"))
        _ = try world.run("policy", "set", "unknown_callers=silence")
        let output = try doctor()
        #expect(output.contains("callers who are no contacts do not ring (silence)"))
        #expect(output.contains("callbroker policy set unknown_callers=ring"))
    }

    @Test func `a line that is not registered is named, and one of which its app reports more`()
        throws
    {
        let lines = [
            #"{"line":"ann","label":"Ann","state":"failed","reason":"403 Forbidden"}"#,
            #"{"line":"bob","label":"Bob","state":"registered","reason":"answers by itself"}"#,
            #"{"line":"work","label":"Work","state":"registered"}"#,
        ]
        let app = try ScriptedProvider(
            world.daemon, "org.example.lines",
            members: #""lines":[\#(lines.joined(separator: ","))]"#)
        let output = try doctor()
        #expect(output.contains("line: ann of org.example.lines: failed: 403 Forbidden"))
        #expect(output.contains("check the password and the registrar"))
        #expect(output.contains("line: bob of org.example.lines: registered: answers by itself"))
        #expect(!output.contains("work of"))
        withExtendedLifetime(app) {}
    }

    @Test func `a scheme that no app opens is named`() throws {
        let output = try doctor()
        #expect(output.contains("no app opens links with sip:"))
        #expect(!output.contains("with tel:"))
        let other = try ScriptedProvider(
            world.daemon, "org.example.sip", members: #""url_schemes":["sip"]"#)
        #expect(try !doctor().contains("no app opens"))
        withExtendedLifetime(other) {}
    }

    @Test func `without a folder of plugins there is a command that makes one`() throws {
        // In test mode no folder is read.
        let folder = try TemporaryFolder()
        let daemon = try TestDaemon(
            arguments: [],
            environment: [
                "XDG_CONFIG_HOME": folder.file("config"), "XDG_DATA_DIRS": folder.file("data"),
                "XDG_CONFIG_DIRS": folder.file("etc"),
            ])
        let run = try Tool("doctor", "--flat", socketPath: daemon.socketPath)
        #expect(run.output.contains("there is no folder of plugins"))
        #expect(run.output.contains("mkdir -p \(folder.file("config"))/callbroker/plugins"))
    }

    @Test func `a path that no socket can have is named`() throws {
        let path = "/tmp/" + String(repeating: "x", count: 120)
        let run = try Tool("doctor", "--flat", "--socket", path)
        #expect(run.end == .exited(3))
        #expect(run.output.contains("the path has 125 bytes, and a socket takes 107"))
    }

    @Test func `a runtime folder that does not exist is named`() throws {
        let run = try Tool(
            "doctor", "--flat", environment: ["XDG_RUNTIME_DIR": "/nowhere/user/1000"])
        #expect(run.end == .exited(3))
        #expect(run.output.contains("the runtime folder /nowhere/user/1000 does not exist"))
        #expect(run.output.contains("loginctl enable-linger"))
    }

    /// A program that runs another one without network sockets, as systemd does with
    /// `RestrictAddressFamilies=AF_UNIX`: `socket` fails with EAFNOSUPPORT for AF_INET.
    private static let restriction = """
        import ctypes, os, platform, struct, sys
        number = {"x86_64": 41, "aarch64": 198}[platform.machine()]
        program = b"".join(struct.pack("HBBI", *step) for step in [
            (0x20, 0, 0, 0), (0x15, 0, 3, number), (0x20, 0, 0, 16), (0x15, 0, 1, 2),
            (0x06, 0, 0, 0x50000 | 97), (0x06, 0, 0, 0x7FFF0000)])
        steps = ctypes.create_string_buffer(program)
        filter = struct.pack("HP", len(program) // 8, ctypes.addressof(steps))
        libc = ctypes.CDLL(None, use_errno=True)
        assert libc.prctl(38, 1, 0, 0, 0) == 0
        assert libc.prctl(22, 2, ctypes.c_char_p(filter), 0, 0) == 0
        os.execv(sys.argv[1], sys.argv[1:])
        """

    @Test func `a plugin that may not open network sockets is named`() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            {"manifest":1,"identity":"org.example.sip","name":"SIP","version":"1",
            "protocol":{"min":1,"max":1},"roles":["provider"],"exec":["/bin/sleep","600"],
            "transport":"connect","start":"boot",
            "provider":{"display_name":"SIP","handle_types":["generic"]}}
            """, to: "org.example.sip.plugin.json")
        let script = try folder.write(Self.restriction, to: "restrict.py")
        let arguments = ["--test-mode", "--plugin-dir", folder.path]
        let free = try TestDaemon(arguments: arguments)
        #expect(try !Tool("doctor", socketPath: free.socketPath).output.contains("network"))
        let restricted = try TestDaemon(arguments: arguments, wrapper: ["python3", script])
        let run = try Tool("doctor", "--flat", socketPath: restricted.socketPath)
        #expect(run.end == .exited(1))
        #expect(
            run.output.contains("the service manager refuses network sockets to org.example.sip"))
        #expect(run.output.contains("RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6"))
    }
}
