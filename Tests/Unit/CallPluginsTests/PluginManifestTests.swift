import CallModel
import CallPlugins
import CallProtocol
import Testing

struct PluginManifestTests {
    private static let file = "/etc/xdg/callbroker/plugins/org.example.bell.plugin.json"

    private func read(_ text: String, file: String = file) throws(ManifestFault) -> PluginManifest?
    {
        try PluginManifest.read(Array(text.utf8), file: file)
    }

    /// The manifest of a provider, with more members.
    private func bell(_ members: String) throws(ManifestFault) -> PluginManifest? {
        try read(
            """
            {
              "manifest": 1,
              "identity": "org.example.bell",
              "roles": ["provider"],
              \(members)
            }
            """)
    }

    private func fault(_ members: String) -> String? {
        do throws(ManifestFault) {
            _ = try bell(members)
            return nil
        } catch {
            return error.description.hasPrefix(Self.file)
                ? String(error.description.dropFirst(Self.file.count)) : error.description
        }
    }

    @Test func `a directory says how long it is waited for, and which of several counts`() throws {
        let manifest = try read(
            #"""
            {"manifest":1,"identity":"org.example.bell","roles":["directory"],
            "directory":{"budget_ms":900,"priority":-3}}
            """#)
        #expect(manifest?.directory?.budgetMS == 900)
        #expect(manifest?.directory?.priority == -3)
    }

    @Test func `a short manifest has the defaults for the rest`() throws {
        var expected = PluginManifest(
            identity: "org.example.bell", name: "org.example.bell", roles: .provider)
        expected.program = PluginManifest.Program(["./bell", "--loud"])
        #expect(try bell(#""exec": ["./bell", "--loud"]"#) == expected)
    }

    @Test func `members that begin with x_ are its author's own`() throws {
        var expected = PluginManifest(
            identity: "org.example.bell", name: "org.example.bell", roles: .provider)
        expected.provider = ProviderConfiguration(
            displayName: "org.example.bell", handleKinds: [.generic])
        #expect(
            try bell(#""x_ring": [1], "provider": {"handle_types": ["generic"], "x_a": 1}"#)
                == expected)
    }

    @Test func `every member is read`() throws {
        var expected = PluginManifest(
            identity: "org.example.bell", name: "Bell", roles: [.provider, RoleSet(.screener), .ui])
        expected.version = "1.2"
        expected.summary = "A bell."
        var program = PluginManifest.Program(["bell"])
        program.transport = .fd3
        program.environment = [PluginManifest.Variable("LOUD", "1")]
        program.passedVariables = ["DISPLAY"]
        program.folder = "/tmp"
        program.memoryMB = 64
        program.descriptors = 32
        program.children = .outlive
        expected.program = program
        expected.start = .boot
        expected.restart = .always
        var provider = ProviderConfiguration(displayName: "Bell", handleKinds: [.generic])
        provider.maxCallGroups = 1
        expected.provider = provider
        var screening = PluginManifest.Screening()
        screening.failsClosed = true
        screening.budgetMS = 3_000
        expected.screener = screening
        expected.screen = PluginManifest.Screen(priority: 5, rings: false)
        expected.events = TopicSet(pattern: "call.*") ?? []
        expected.options = [
            PluginOption(
                "volume", .int, fallback: .int(3), summary: "How loud.", isDynamic: true),
            PluginOption("doors", .list, fallback: .list(["front"])),
            PluginOption("token", .secret, isAsked: true),
        ]
        expected.needs = [
            PluginManifest.Need(.program("bell"), package: "bells"),
            PluginManifest.Need(.module("ring")),
            PluginManifest.Need(.service("org.example.Bell", .session)),
            PluginManifest.Need(.service("org.example.Tower", .system)),
            PluginManifest.Need(
                .oneOf([
                    PluginManifest.Need(.program("gong"), options: ["volume": "1"]),
                    PluginManifest.Need(.module("chime"), package: "chimes"),
                ])),
        ]
        expected.stopTimeoutMS = 100
        expected.isPinged = false
        let manifest = try read(
            """
            {"manifest":1,"identity":"org.example.bell","name":"Bell","version":"1.2",
            "description":"A bell.","protocol":{"min":1,"max":3},
            "roles":["provider","screener","ui"],"exec":["bell"],"transport":"fd3",
            "handshake":"explicit","start":"boot","restart":"always",
            "provider":{"handle_types":["generic"],"max_call_groups":1},
            "screener":{"fail":"closed","budget_ms":3000},"ui":{"priority":5},
            "events":["call.*"],"env":{"LOUD":"1"},"env_pass":["DISPLAY"],"cwd":"/tmp",
            "options":[{"option":"volume","type":"int","default":3,"description":"How loud.",
            "dynamic":true},{"option":"doors","type":"list","default":["front"]},
            {"option":"token","type":"secret","setup":true}],
            "needs":[{"program":"bell","package":"bells"},{"module":"ring"},
            {"bus_name":"org.example.Bell"},{"bus_name":"org.example.Tower","bus":"system"},
            {"one_of":[{"program":"gong","options":{"volume":"1"}},
            {"module":"chime","package":"chimes"}]}],
            "stop_timeout_ms":100,"ping":false,"memory_mb":64,"nofile":32,"children":"outlive","x_mine":[1]}
            """)
        expected.protocolMajors = 1...3
        #expect(manifest == expected)
    }

    @Test func `an empty object hides what has the same name`() throws {
        #expect(try read("{}") == nil)
    }

    @Test func `what is no JSON is told with its line`() {
        #expect(fault(#""exec": ["bell",]"#)?.hasPrefix(":5: ") == true)
    }

    @Test(
        arguments: [
            (
                #""exce": ["bell"]"#,
                "exce is not a member of manifests; custom members begin with x_"
            ),
            (#""exec": "bell""#, "exec must be an array, not a string"),
            (#""exec": []"#, "exec must have 1 to 64 elements"),
            (
                #""exec": ["bell"], "transport": "pipe""#,
                "transport must be one of stdio, fd3, connect"
            ),
            (
                #""memory_mb": 64"#,
                "memory_mb applies only to plugins that the broker starts: exec is missing"
            ),
            (
                #""exec": ["bell"], "transport": "fd3", "handshake": "implicit""#,
                "handshake can be implicit only with the transport stdio"
            ),
            (
                #""exec": ["bell"], "handshake": "implicit""#,
                "handshake is implicit, which requires the member provider"
            ),
            (
                #""screener": {}"#,
                "screener applies only to plugins with that role: add it to roles"
            ),
            (#""provider": {}"#, "provider.handle_types is required"),
            (
                #""events": ["call.*", "cal.*"]"#,
                "events.1 matches no topic; rpc.discover lists them"
            ),
            (#""events": ["plugin.log"]"#, "events.0 requires the role admin"),
            (
                #""children": "end""#,
                "children applies only to plugins that the broker starts: exec is missing"
            ),
            (#""exec": ["bell"], "children": "live""#, "children must be one of end, outlive"),
            (#""exec": ["bell"], "nofile": 3"#, "nofile must be from 16 to 1048576"),
            (
                #""exec": ["bell"], "env": {"A": 1}"#,
                "env.A must be a string of at most 4096 bytes"
            ),
            (
                #""exec": ["bell"], "env": {"BROKER_SOCKET": "x"}"#,
                "env has a member that is not a valid variable name"
            ),
            (
                #""exec": ["bell"], "env_pass": ["A B"]"#,
                "env_pass.0 is not a valid variable name"
            ),
            (
                #""options": [{"option": "a", "type": "bool", "default": 1}]"#,
                "options.0.default must be true or false"
            ),
            (
                #""options": [{"option": "a", "type": "int"}, {"option": "a", "type": "int"}]"#,
                "options.1.option repeats the name of an earlier option"
            ),
            (
                #""needs": [{"program": "a"}, {"package": "b"}]"#,
                "needs.1 must have one of program, module, bus_name and one_of"
            ),
            (
                #""needs": [{"program": "a", "module": "b"}]"#,
                "needs.0 must have one of program, module, bus_name and one_of"
            ),
            (
                #""needs": [{"one_of": [{"program": "a"}, {"package": "b"}]}]"#,
                "needs.0.one_of.1 must have one of program, module, bus_name and one_of"
            ),
            (
                #""needs": [{"one_of": [{"program": "a", "options": {"b": 1}}, {"program": "c"}]}]"#,
                "needs.0.one_of.0.options.b must be a string"
            ),
            (
                #""needs": [{"program": "a", "bus": "system"}]"#,
                "needs.0.bus applies only to a bus_name"
            ),
            (
                #""protocol": {"min": 7, "max": 8}"#,
                "protocol includes no version that the broker supports (1 to 1)"
            ),
        ])
    func `what is wrong is told with its place`(_ members: String, _ reason: String) {
        #expect(fault(members) == ":5: \(reason)")
    }

    @Test func `the line is that of the member, however deep it is`() {
        let members = #"""
            "exec": [
                "bell"
              ],
              "options": [
                { "option": "a", "type": "int", "default": 1 },
                { "option": "}{\"", "type": "int",
                  "default": "b" }
              ]
            """#
        #expect(fault(members) == ":11: options.1.default must be an integer")
    }

    @Test func `the file has to be named after the plugin`() {
        #expect(
            throws: ManifestFault(
                "/a/b.plugin.json", line: 1, "identity must match the name of the file")
        ) {
            try read(
                #"{"manifest":1,"identity":"org.example.bell","roles":["provider"]}"#,
                file: "/a/b.plugin.json")
        }
    }
}
