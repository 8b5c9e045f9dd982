import Glibc
import Testing

/// `callbroker plugin install`, `update`, `remove` and `enable`: plugins as folders of the user.
struct PluginInstallTests {
    private let folder: TemporaryFolder
    private let plugins: String

    init() throws {
        folder = try TemporaryFolder()
        plugins = folder.file("config/callbroker/plugins")
    }

    // MARK: - What the tests use

    private var variables: [String: String] {
        [
            "XDG_CONFIG_HOME": folder.file("config"), "XDG_DATA_DIRS": "/nowhere",
            "HOME": folder.path,
        ]
    }

    private func run(_ arguments: String...) throws -> Tool {
        let words = ["plugin"] + arguments
        let process = try ChildProcess([executablePath] + words, environment: variables)
        return try Tool(finishing: process)
    }

    /// Runs a verb that must fail, and returns its message.
    private func refusal(_ code: Int32 = 1, _ arguments: String...) throws -> String {
        let process = try ChildProcess(
            [executablePath, "plugin"] + arguments, environment: variables)
        let tool = try Tool(finishing: process)
        #expect(tool.end == .exited(code), "\(tool)")
        #expect(tool.errors.split(separator: "\n").count == 1, "\(tool.errors)")
        return tool.errors
    }

    /// A broker as a user has it, whose plugin folder is that of the tests.
    private func daemon() throws -> TestDaemon {
        try TestDaemon(arguments: [], environment: variables)
    }

    /// Writes the source of a plugin that says nothing, and returns its folder.
    @discardableResult
    private func write(
        _ name: String, identity: String = "org.example.bell", version: String = "1",
        exec: String = #"["./run.sh"]"#
    ) throws -> String {
        let place = folder.file(name)
        mkdir(place, 0o700)
        try folder.write("#!/bin/sh\nexec cat >/dev/null\n", to: "\(name)/run.sh")
        chmod("\(place)/run.sh", 0o755)
        try folder.write(
            #"""
            {"manifest":1,"identity":"\#(identity)","version":"\#(version)","roles":["provider"],
            "exec":\#(exec),"handshake":"implicit","start":"boot",
            "provider":{"handle_types":["generic"]}}
            """#, to: "\(name)/\(identity).plugin.json")
        return place
    }

    /// Waits until the broker's list of plugins is as wanted; each answer is a turn of the daemon.
    private func wait(
        _ client: TestClient, until isWanted: ([JSON]) -> Bool
    ) throws {
        let deadline = ContinuousClock.now + ceiling
        while ContinuousClock.now < deadline {
            let reply = try client.request("plugin.list", "{}", isAlone: false)
            if isWanted(reply.result?["plugins"]?.elements ?? []) { return }
            sched_yield()
        }
        throw CeilingReached(waitedFor: "the list of plugins")
    }

    // MARK: - With a broker

    @Test
    func
        `a running broker starts what is installed, restarts what is updated, stops what is removed`()
        throws
    {
        let source = try write("bell")
        let daemon = try daemon()
        let client = try daemon.connectReady(#""roles":["admin"]"#)
        #expect(!namesInFolder(folder.path).contains("config"))
        let installed = try run("install", source, "--json")
        #expect(installed.end == .exited(0), "\(installed.errors)")
        #expect(try JSON(installed.output)["path"] == .string("\(plugins)/bell"))
        try wait(client) { $0.first?["state"] == "ready" && $0.first?["version"] == "1" }
        try write("bell", version: "2")
        let updated = try run("update", "bell")
        #expect(updated.end == .exited(0), "\(updated.errors)")
        try wait(client) { list in
            list.first?["version"] == "2" && list.first?["starts"] == .integer(2)
                && list.first?["state"] == "ready"
        }
        #expect(try run("remove", "bell").end == .exited(0))
        try wait(client, until: \.isEmpty)
        #expect(namesInFolder(plugins) == [".lock"])
    }

    @Test func `an update of the program alone restarts it, too`() throws {
        let source = try write("bell")
        let daemon = try daemon()
        let client = try daemon.connectReady(#""roles":["admin"]"#)
        _ = try run("install", source)
        try wait(client) { $0.first?["state"] == "ready" }
        #expect(try run("update", source).end == .exited(0))
        try wait(client) { $0.first?["state"] == "ready" && $0.first?["starts"] == .integer(2) }
    }

    @Test func `a Python plugin finds the SDK wherever it is installed`() throws {
        let source = try write("bell", exec: #"["python3","bell.py"]"#)
        try folder.write(
            "import asyncio, callbroker\n"
                + "app = callbroker.Provider('org.example.bell', 'Bell', handle_types=['generic'])\n"
                + "asyncio.run(app.serve())\n", to: "bell/bell.py")
        try folder.write(
            #"""
            {"manifest":1,"identity":"org.example.bell","roles":["provider"],"transport":"connect",
            "exec":["python3","bell.py"],"start":"boot"}
            """#, to: "bell/org.example.bell.plugin.json")
        let daemon = try daemon()
        let client = try daemon.connectReady(#""roles":["admin"]"#)
        #expect(try run("install", source).end == .exited(0))
        try wait(client) { $0.first?["state"] == "ready" }
    }

    @Test func `doctor says why a folder that looks like a plugin is none`() throws {
        let daemon = try daemon()
        let client = try daemon.connectReady(#""roles":["admin"]"#)
        #expect(try run("install", try write("bell")).end == .exited(0))
        try write("config/callbroker/plugins/other", identity: "org.example.other")
        let file = "\(plugins)/other/org.example.other.plugin.json"
        rename(file, "\(plugins)/other/plugin.json")
        _ = try client.request("plugin.rescan", "{}", isAlone: false)
        let doctor = try Tool(
            "plugin", "doctor", "--json", socketPath: daemon.socketPath, environment: variables)
        #expect(doctor.end == .exited(0))
        let ignored = try JSON(doctor.output)["ignored"]
        #expect(ignored?.elements?.count == 1)
        #expect(ignored?[0]?["path"] == .string("\(plugins)/other"))
        #expect(ignored?[0]?["message"] == "has a file plugin.json, but no manifest")
        let whole = try Tool("doctor", socketPath: daemon.socketPath, environment: variables)
        #expect(whole.output.contains("has a file plugin.json, but no manifest"))
    }

    // MARK: - Without a broker

    @Test func `two plugins never overwrite each other`() throws {
        #expect(try run("install", try write("bell")).end == .exited(0))
        let same = try write("gong")
        #expect(
            try refusal(1, "install", same).contains(
                "org.example.bell is installed already, as \(plugins)/bell: "
                    + "callbroker plugin update \(same)"))
        mkdir(folder.file("new"), 0o700)
        let other = try write("new/bell", identity: "org.example.other")
        #expect(
            try refusal(1, "install", other).contains(
                "\(plugins)/bell exists already, and is org.example.bell: rename \(other), or "
                    + "callbroker plugin remove org.example.bell"))
        #expect(try refusal(1, "install", "--link", other).contains("exists already"))
        #expect(namesInFolder(plugins) == [".lock", "bell"])
    }

    @Test func `what the broker could not start is not installed`() throws {
        #expect(try refusal(1, "install", folder.file("none")).contains("is not a folder"))
        mkdir(folder.file("bare"), 0o700)
        #expect(
            try refusal(1, "install", folder.file("bare")).contains(
                "has 0 files IDENTITY.plugin.json: write one"))
        let absent = try write("absent", exec: #"["./build/bell"]"#)
        #expect(
            try refusal(1, "install", absent).contains("/absent/build/bell cannot be run: build it")
        )
        let broken = try write("broken", exec: #""./run.sh""#)
        #expect(
            try refusal(1, "install", broken).contains(
                "org.example.bell.plugin.json:2: exec must be"))
        try write("broken", identity: "org.example.second")
        #expect(try refusal(1, "install", broken).contains("has 2 files IDENTITY.plugin.json"))
        #expect(!namesInFolder(folder.path).contains("config"))
    }

    @Test func `a link follows its source, and removing it leaves that`() throws {
        let source = try write("bell")
        #expect(try run("install", "--link", source).end == .exited(0))
        #expect(FileStatus("\(plugins)/bell")?.kind == .link)
        #expect(
            try refusal(1, "update", "bell").contains("is a link to \(source): nothing to update"))
        #expect(try run("remove", "org.example.bell").end == .exited(0))
        #expect(namesInFolder(plugins) == [".lock"])
        #expect(namesInFolder(source).count == 2)
    }

    @Test func `a link whose source has gone is removed by its name`() throws {
        let source = try write("bell")
        #expect(try run("install", "--link", source).end == .exited(0))
        mkdir(folder.file("new"), 0o700)
        rename(source, folder.file("new/bell"))
        #expect(
            try refusal(1, "install", folder.file("new/bell")).contains(
                "or callbroker plugin remove bell"))
        #expect(try run("remove", "bell").end == .exited(0))
        #expect(try run("install", folder.file("new/bell")).end == .exited(0))
        #expect(namesInFolder(plugins) == [".lock", "bell"])
    }

    @Test func `what a crash has left is removed, and nothing else`() throws {
        let source = try write("bell")
        #expect(try run("install", source).end == .exited(0))
        for name in [".bell.new", ".gong.old"] {
            mkdir("\(plugins)/\(name)", 0o700)
            try folder.write("half", to: "config/callbroker/plugins/\(name)/half")
        }
        #expect(try run("update", source).end == .exited(0))
        #expect(namesInFolder(plugins) == [".lock", "bell"])
        #expect(!namesInFolder("\(plugins)/bell").contains("half"))
    }

    @Test func `an update needs a source of the same plugin`() throws {
        let source = try write("bell")
        #expect(
            try refusal(1, "update", source).contains(
                "org.example.bell is not installed: callbroker plugin install"))
        #expect(try run("install", source).end == .exited(0))
        rename(source, folder.file("moved"))
        #expect(try refusal(1, "update", "bell").contains("\(source) is not a folder"))
        try write("bell", identity: "org.example.other")
        #expect(
            try refusal(1, "update", "bell").contains("is another plugin now, org.example.other"))
        #expect(try run("update", folder.file("moved")).end == .exited(0))
    }

    @Test func `names that mean nothing or several are refused`() throws {
        #expect(try refusal(1, "remove", "bell").contains("no plugin bell is installed in"))
        #expect(try run("install", try write("bell")).end == .exited(0))
        #expect(
            try run("install", try write("gong", identity: "org.example.gong")).end == .exited(0))
        #expect(try refusal(2, "remove", "example").contains("several plugins match"))
        #expect(try refusal(1, "remove", "bel1").contains("did you mean bell?"))
        #expect(namesInFolder(plugins) == [".lock", "bell", "gong"])
    }

    // MARK: - Bundled plugins

    private func available() throws -> [JSON] {
        let lines = try run("list", "--available", "--json").output.split(separator: "\n")
        return try lines.map { try JSON(String($0)) }
    }

    @Test func `plugins that came with the program are listed, and enabled by name`() throws {
        let before = try available()
        let names = before.compactMap { $0["name"]?.string }
        for name in [
            "baresip", "dialers", "keys", "liblinphone", "linphone", "links", "notify", "ofono",
            "pulse-endpoints", "pulse-guard", "search", "watcher", "web-calls",
        ] {
            #expect(names.contains(name))
        }
        #expect(before.allSatisfy { $0["installed"] == .boolean(false) })
        let enabled = try run("enable", "guard", "--json")
        #expect(enabled.end == .exited(0), "\(enabled.errors)")
        #expect(try JSON(enabled.output)["plugin"] == "org.callbroker.pulse-guard")
        #expect(FileStatus("\(plugins)/pulse-guard")?.kind == .link)
        let now = try available().filter { $0["installed"] == .boolean(true) }
        #expect(now.map { $0["name"] } == ["pulse-guard"])
        #expect(try run("remove", "pulse-guard").end == .exited(0))
        #expect(try available() == before)
    }

    @Test func `a bundled plugin is enabled with options by one command`() throws {
        let daemon = try daemon()
        func enable(_ setting: String) throws -> Tool {
            try Tool(
                "plugin", "enable", "ofono", setting, socketPath: daemon.socketPath,
                environment: variables)
        }
        for (word, problem) in [
            ("power", "expected an option as NAME=VALUE, not power"),
            ("powr=true", "org.callbroker.ofono has no option powr: did you mean power?"),
        ] {
            let wrong = try enable(word)
            #expect(wrong.end == .exited(2))
            #expect(wrong.errors.contains(problem), "\(wrong.errors)")
        }
        #expect(FileStatus("\(plugins)/ofono") == nil)
        #expect(try enable("power=true").end == .exited(0))
        let client = try daemon.connectReady(#""roles":["admin"]"#)
        try wait(client) { $0.first?["options"]?[1]?["value"] == .boolean(true) }
        // Also of one that is enabled already.
        #expect(try enable("modem=/ril_0").end == .exited(0))
        try wait(client) { $0.first?["options"]?[2]?["value"] == "/ril_0" }
    }

    @Test func `a bundled plugin is started where it is, also if it was disabled before`() throws {
        let daemon = try daemon()
        let client = try daemon.connectReady(#""roles":["admin"]"#)
        func enable() throws -> Tool {
            try Tool(
                "plugin", "enable", "ofono", socketPath: daemon.socketPath, environment: variables)
        }
        let first = try enable()
        #expect(first.end == .exited(0), "\(first.errors)")
        try wait(client) { $0.first?["pid"] != nil && $0.first?["failure"] == nil }
        _ = try client.request(
            "plugin.disable", #"{"plugin":"org.callbroker.ofono"}"#, isAlone: false)
        #expect(try run("remove", "ofono").end == .exited(0))
        try wait(client, until: \.isEmpty)
        #expect(try enable().end == .exited(0))
        try wait(client) { $0.first?["enabled"] == .boolean(true) }
    }
}
