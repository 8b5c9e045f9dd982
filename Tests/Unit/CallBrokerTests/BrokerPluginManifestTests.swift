import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// What manifests grant, and what becomes of them.
struct BrokerPluginManifestTests {
    private typealias Stage = PluginHostStage

    private func hello(_ roles: String, _ more: String = "") -> String {
        Frame.hello(#""roles":[\#(roles)]\#(more)"#)
    }

    @Test func `a plugin may be what its manifest says, and nothing else`() throws {
        let stage = Stage([
            "org.s": #"{"manifest":1,"identity":"org.s","roles":["screener","observer"],"#
                + #""exec":["s"],"start":"boot","events":["call.*"],"screener":{"fail":"closed"}}"#
        ])
        let plugin = stage.plugin()
        let reply = try JSONTree(
            plugin.ask(hello(#""screener","observer","admin""#)).first ?? "")["result"]
        #expect("\(reply?["granted_roles"] ?? .null)" == #"["observer","screener"]"#)
        #expect(
            "\(reply?["denied_roles"] ?? .null)" == #"[{"role":"admin","reason":"not_granted"}]"#)
        #expect(try stage.row()["state"] == .string("ready"))
    }

    @Test func `an app that the broker does not start is known by its identity`() throws {
        let stage = Stage([
            "org.s": #"{"manifest":1,"identity":"org.s","roles":["screener"]}"#
        ])
        #expect(try stage.row()["start"] == .string("external"))
        let stranger = stage.memory.connect()
        #expect(
            stranger.ask(hello(#""screener""#, #","identity":"org.t""#)).first?
                .contains(#""granted_roles":[]"#) == true)
        let app = stage.memory.connect()
        #expect(
            app.ask(hello(#""screener""#, #","identity":"org.s""#)).first?
                .contains(#""granted_roles":["screener"]"#) == true)
        #expect(try stage.row()["state"] == .string("ready"))
        app.vanish()
        stage.memory.turn()
        #expect(try stage.row()["state"] == .string("stopped"))
    }

    @Test func `a stranger in a sandbox is no plugin, whatever its identity`() throws {
        let stage = Stage([
            "org.s": #"{"manifest":1,"identity":"org.s","roles":["screener","observer"]}"#
        ])
        let stranger = stage.memory.connect(known: PeerProcess(sandbox: .other))
        let reply = stranger.ask(hello(#""screener","observer""#, #","identity":"org.s""#))
        #expect(reply.first?.contains(#""granted_roles":["observer"]"#) == true)
        #expect(try stage.row()["state"] == .string("stopped"))
        let app = stage.memory.connect()
        _ = app.ask(hello(#""screener""#, #","identity":"org.s""#))
        #expect(try stage.row()["state"] == .string("ready"))
    }

    @Test func `further connections of its processes are bound by its manifest`() throws {
        let stage = Stage([
            "org.s": #"{"manifest":1,"identity":"org.s","roles":["screener","observer"],"#
                + #""exec":["s"],"start":"boot"}"#
        ])
        _ = stage.plugin().ask(hello(#""screener""#))
        func connect(_ group: Int32, _ roles: String, _ more: String = "") -> String {
            stage.memory.connect(known: PeerProcess(group: group)).ask(hello(roles, more)).joined()
        }
        let own = stage.processes[0].pid
        let all = #""screener","observer","controller","admin""#
        #expect(connect(own, all).contains(#""granted_roles":["observer"]"#))
        #expect(connect(own, all, #","identity":"org.t""#).contains(#""reason":"identity""#))
        #expect(
            connect(own + 1, all).contains(#""granted_roles":["controller","observer","admin"]"#))
        stage.exit(0, .code(0))
        #expect(connect(own, all).contains(#""granted_roles":["controller","observer","admin"]"#))
    }

    @Test(
        arguments: [
            (
                "callbroker-plugin-org.s-7-1.service", "callbroker-plugin-org.s-7-1.service", nil,
                true
            ),
            (
                "callbroker-plugin-org.s-7-1.service", "callbroker-plugin-org.s-7-2.service", nil,
                false
            ),
            ("/user.slice/callbroker-plugins-7/1", nil, "/user.slice/callbroker-plugins-7/1", true),
            (
                "/user.slice/callbroker-plugins-7/1", nil, "/user.slice/callbroker-plugins-7/1/a/b",
                true
            ),
            (
                "/user.slice/callbroker-plugins-7/1", nil, "/user.slice/callbroker-plugins-7/11",
                false
            ),
            ("/user.slice/callbroker-plugins-7/1", nil, "/user.slice", false),
        ] as [(String, String?, String?, Bool)])
    func `so are those of processes that have left its group, by its unit or its cgroup`(
        place: String, unit: String?, controlGroup: String?, isBound: Bool
    ) throws {
        let stage = Stage([:])
        stage.place = place
        stage.manifests = [
            "org.s": #"{"manifest":1,"identity":"org.s","roles":["screener","observer"],"#
                + #""exec":["s"],"start":"boot"}"#
        ]
        _ = try stage.rescan()
        let process = PeerProcess(
            unit: unit, group: stage.processes[0].pid + 1, controlGroup: controlGroup)
        func roles() -> String {
            stage.memory.connect(known: process).ask(hello(#""observer","admin""#)).joined()
        }
        let granted = isBound ? #""observer""# : #""observer","admin""#
        #expect(roles().contains(#""granted_roles":[\#(granted)]"#))
        stage.exit(0, .code(0))
        #expect(roles().contains(#""granted_roles":["observer","admin"]"#))
    }

    @Test func `one that connects by the broker's socket is known by its identity, too`() throws {
        let stage = Stage(["org.bell": Stage.bell(#""start":"boot","transport":"connect""#)])
        let plugin = stage.memory.connect()
        _ = plugin.ask(hello(#""provider""#, #","identity":"org.bell""#))
        plugin.register()
        #expect(try stage.row()["state"] == .string("ready"))
        stage.exit(0, .code(1))
        #expect(plugin.brief().last == "goodbye process_exited")
    }

    @Test func `another identity than the manifest's is refused`() {
        let stage = Stage(["org.bell": Stage.bell(#""start":"boot""#)])
        let reply = stage.plugin().ask(hello(#""provider""#, #","identity":"org.other""#))
        #expect(reply.first?.contains(#""code":-32005"#) == true)
    }

    @Test func `further connections of its processes may have identities below the manifest's`() {
        let stage = Stage([
            "org.w":
                #"{"manifest":1,"identity":"org.w","roles":["provider"],"exec":["w"],"start":"boot"}"#,
            "org.w.taken": Stage.bell(#""transport":"connect""#, identity: "org.w.taken"),
        ])
        let own = stage.plugin()
        #expect(
            own.ask(hello(#""provider""#, #","identity":"org.w.app""#)).joined().contains("-32005"))
        _ = own.ask(hello(#""provider""#))
        let process = PeerProcess(group: stage.processes[0].pid)
        func reply(_ identity: String) -> String {
            let further = stage.memory.connect(known: process)
            return further.ask(hello(#""provider","admin""#, #","identity":"\#(identity)""#))
                .joined()
        }
        #expect(reply("org.w.app").contains(#""granted_roles":["provider"]"#))
        #expect(reply("org.wide").contains(#""reason":"identity""#))
        #expect(reply("org.w.taken").contains(#""reason":"identity""#))
    }

    @Test func `one that watches apps is ready without a registration of its own`() throws {
        func state(_ kind: String) throws -> JSONTree? {
            let provider =
                #""start":"boot","provider":{"handle_types":["generic"],"kind":"\#(kind)"}"#
            let stage = Stage(["org.bell": Stage.bell(provider)])
            _ = stage.plugin().ask(hello(#""provider""#))
            return try stage.row()["state"]
        }
        #expect(try state("watched") == .string("ready"))
        #expect(try state("adapter") == .string("starting"))
    }

    @Test func `where a manifest declares a screen, no other client is one`() {
        let stage = Stage([
            "org.ui":
                #"{"manifest":1,"identity":"org.ui","roles":["ui"],"exec":["u"],"start":"boot"}"#
        ])
        let stranger = stage.memory.connect()
        #expect(
            stranger.ask(hello(#""ui""#, #","identity":"org.x""#)).first?
                .contains("not_granted") == true)
        #expect(
            stage.plugin().ask(hello(#""ui""#)).first?.contains(#""granted_roles":["ui"]"#) == true)
    }

    private static func screen(_ members: String) -> String {
        #"{"manifest":1,"identity":"org.ui","roles":["ui"],"exec":["u"],"start":"boot"\#(members)}"#
    }

    @Test func `a screen claims by its hello if its manifest says how it presents calls`() throws {
        let stage = Stage(["org.ui": Self.screen(#","ui":{"priority":3}"#)])
        let plugin = stage.plugin()
        #expect(try stage.ask("broker.info")["screen"] == nil)
        _ = stage.memory.provider().ring(1)
        let frames = try plugin.ask(hello(#""ui""#)).map { try JSONTree($0) }
        #expect(frames.map { $0["method"]?.string } == [nil, "ui.present"])
        #expect(try stage.ask("broker.info")["screen"] == .string("org.ui"))
        let dismissed = #"ui.dismiss {"call":"c1","reason":"released"}"#
        #expect(
            plugin.tell("ui.release") == ["cancel 1", dismissed, #"1: {"primary":false}"#])
    }

    @Test func `one whose manifest does not say so claims for itself`() throws {
        let stage = Stage(["org.ui": Self.screen("")])
        _ = stage.plugin().ask(hello(#""ui""#))
        #expect(try stage.ask("broker.info")["screen"] == nil)
    }

    @Test func `one that says no hello claims as soon as it runs`() throws {
        let stage = Stage(["org.ui": Self.screen(#","handshake":"implicit","ui":{}"#)])
        #expect(try stage.ask("broker.info")["screen"] == .string("org.ui"))
        _ = stage.memory.provider().ring(1)
        let plugin = stage.plugin()
        #expect(plugin.lines().contains { $0.contains(#""method":"ui.present""#) })
        #expect(plugin.ask(hello(#""ui""#)).last?.contains(#"["ui"],"denied"#) == true)
    }

    // MARK: - Options

    private static let options =
        #""start":"boot","options":[{"option":"volume","type":"int","default":3,"dynamic":true},"#
        + #"{"option":"door","type":"string"},{"option":"token","type":"secret"}]"#

    @Test func `options come in the hello, secrets too, and a list does not show those`() throws {
        let stage = Stage(
            ["org.bell": Stage.bell(Self.options)],
            choices: #"{"plugins":{"org.bell":{"options":{"token":"hunter2","door":"front"}}}}"#)
        let plugin = stage.plugin()
        let reply = try JSONTree(plugin.ask(hello(#""provider""#)).first ?? "")["result"]
        #expect(
            "\(reply?["options"] ?? .null)" == #"{"volume":3,"door":"front","token":"hunter2"}"#)
        stage.log("logging in with hunter2\n")
        #expect(!"\(try stage.row())".contains("hunter2"))
        #expect(!"\(try stage.ask("plugin.logs", #"{"plugin":"org.bell"}"#))".contains("hunter2"))
        #expect(try stage.row()["stderr"]?.elements.first == .string("logging in with ***"))
    }

    @Test func `those that are no secrets are in its environment, for who has to know before`() {
        let stage = Stage(
            ["org.bell": Stage.bell(Self.options)],
            choices: #"{"plugins":{"org.bell":{"options":{"token":"hunter2","door":"\u0022"}}}}"#)
        #expect(
            stage.spawned.map { $0.environment.filter { $0.hasPrefix("BROKER_OPTIONS") } }
                == [[#"BROKER_OPTIONS={"volume":3,"door":"\""}"#]])
    }

    private func set(_ option: String, _ value: String) -> String {
        #"{"plugin":"org.bell","option":"\#(option)","value":\#(value)}"#
    }

    @Test func `a dynamic option is told, and kept`() throws {
        let stage = Stage(["org.bell": Stage.bell(Self.options)])
        let plugin = stage.plugin()
        _ = plugin.ask(hello(#""provider""#))
        let reply = try stage.ask("plugin.set_option", set("volume", "5"))
        #expect(reply["applies"] == .string("now"))
        #expect(
            plugin.lines() == [
                Frame.notification("plugin.options_changed", #"{"options":{"volume":5}}"#)
            ])
        #expect(
            stage.kept == [
                #"{"version":1,"plugins":{"org.bell":{"options":{"volume":5}}}}"# + "\n"
            ])
        _ = try stage.ask("plugin.set_option", set("volume", "null"))
        #expect(stage.kept.last == #"{"version":1,"plugins":{}}"# + "\n")
    }

    @Test func `another starts the plugin anew`() throws {
        let stage = Stage(["org.bell": Stage.bell(Self.options)])
        _ = try stage.ask("plugin.set_option", set("door", #""back""#))
        stage.exit(0, .code(0))
        #expect(stage.spawned.count == 2)
    }

    @Test(arguments: [
        ("volume", #""loud""#, "params.value must be an integer"),
        ("token", "1", "params.value must be a string of at most 4096 bytes"),
        ("colour", "1", "the plugin has no such option"),
    ])
    func `what does not fit is refused`(_ option: String, _ value: String, _ message: String) throws
    {
        let stage = Stage(["org.bell": Stage.bell(Self.options)])
        let reply = try stage.ask("plugin.set_option", set(option, value))
        #expect(reply["message"] == .string(message))
    }

    // MARK: - Manifests that change

    @Test func `a broken manifest is listed with its place, and harms no other`() throws {
        let stage = Stage([
            "org.a": "{\n  \"manifest\": 2\n}", "org.bell": Stage.bell(Stage.implicit),
        ])
        let row = try stage.row()
        #expect(row["state"] == .string("failed"))
        #expect(
            "\(row["fault"] ?? .null)"
                == #"{"file":"/plugins/org.a.plugin.json","line":2,"message":"manifest must be from 1 to 1"}"#
        )
        #expect(try stage.row(1)["state"] == .string("ready"))
        let refused = try stage.ask("plugin.start", #"{"plugin":"org.a"}"#)
        #expect(refused["data"]?["reason"] == .string("broken_manifest"))
        stage.manifests["org.a"] = Stage.bell(#""start":"boot""#, identity: "org.a")
        #expect(try stage.rescan()["broken"] == .integer(0))
        #expect(try stage.row()["state"] == .string("starting"))
    }

    private static func broken(_ count: Int) -> [String: String] {
        Dictionary(uniqueKeysWithValues: (1...count).map { ("org.n\(10_000 + $0)", "{") })
    }

    @Test func `of very many manifests some are read per turn, and a rescan is answered after all`()
        throws
    {
        let stage = Stage([:])
        stage.manifests = Self.broken(200)
        stage.admin.send(Frame.request(7, "plugin.rescan"))
        var counts: [Int] = []
        while stage.memory.broker.hasWork {
            let former = stage.memory.log.lines.count
            stage.memory.turn()
            counts.append(stage.memory.log.lines.count - former)
            if stage.memory.broker.hasWork {
                #expect(!stage.admin.lines().contains { $0.contains(#""id":7"#) })
            }
        }
        #expect(counts.max() == 8)
        #expect(counts.reduce(0, +) == 200)
        #expect(
            stage.admin.lines().last { $0.contains(#""id":7"#) }
                .map { Brief.line($0).hasPrefix(#"7: {"plugins":200,"broken":200"#) } == true)
    }

    @Test func `very many that are gone are forgotten some per turn`() throws {
        let stage = Stage(Self.broken(600))
        while stage.memory.broker.hasWork { stage.memory.turn() }
        stage.manifests = [:]
        stage.admin.send(Frame.request(7, "plugin.rescan"))
        var turns = 0
        while stage.memory.broker.hasWork {
            stage.memory.turn()
            turns += 1
        }
        #expect(turns >= 600 / 8)
        #expect(try stage.ask("plugin.list")["plugins"]?.elements.count == 0)
    }

    @Test func `long manifests are fewer per turn`() throws {
        let stage = Stage([:])
        let text = #"{"manifest":1,"x_long":""# + String(repeating: "x", count: 30_000) + #""}"#
        stage.manifests = ["org.a": text, "org.b": text, "org.c": text]
        stage.admin.send(Frame.request(70, "plugin.rescan"))
        stage.memory.turn()
        #expect(try stage.ask("plugin.list")["plugins"]?.elements.count == 1)
    }

    @Test func `who asks while manifests are read is answered by the next reading`() throws {
        let stage = Stage([:])
        stage.manifests = Self.broken(20)
        stage.admin.send(Frame.request(7, "plugin.rescan"))
        stage.memory.turn()
        stage.manifests = Self.broken(21)
        stage.admin.send(Frame.request(8, "plugin.rescan"))
        while stage.memory.broker.hasWork { stage.memory.turn() }
        let replies = stage.admin.lines().filter { $0.contains(#""broken":"#) }.map {
            Brief.line($0)
        }
        #expect(replies.map { $0.prefix(17) } == [#"7: {"plugins":20,"#, #"8: {"plugins":21,"#])
    }

    @Test func `plugins beyond the first few hundred start as well, with the calls that they had`()
        throws
    {
        let stage = Stage(
            Self.broken(600).merging(["org.z": Stage.bell(#""start":"boot""#, identity: "org.z")]) {
                $1
            })
        #expect(stage.spawned.isEmpty)
        while stage.memory.broker.hasWork { stage.memory.turn() }
        #expect(stage.spawned.count == 1)
    }

    @Test func `a changed manifest starts the plugin anew, once it has no calls`() throws {
        let stage = Stage(["org.bell": Stage.bell(Stage.implicit)])
        let plugin = stage.plugin()
        plugin.ring(1)
        stage.manifests["org.bell"] = Stage.bell(Stage.implicit + #","version":"2""#)
        stage.memory.turn()
        _ = try stage.rescan()
        #expect(try stage.row()["reloads"] == .boolean(true))
        _ = plugin.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        stage.memory.turn()
        #expect(plugin.brief().last == "goodbye stop")
        stage.exit(0, .code(0))
        #expect(stage.spawned.count == 2)
        #expect(try stage.row()["version"] == .string("2"))
    }

    @Test func `what is broken while it runs goes on as it was`() throws {
        let stage = Stage(["org.bell": Stage.bell(Stage.implicit)])
        stage.manifests["org.bell"] = "{"
        _ = try stage.rescan()
        #expect(try stage.row()["state"] == .string("ready"))
        #expect(try stage.row()["fault"]?["line"] == .integer(1))
    }

    @Test func `a masked one goes, and one whose manifest is gone is forgotten`() throws {
        let stage = Stage(["org.bell": Stage.bell(Stage.implicit)])
        stage.manifests["org.bell"] = "{}"
        _ = try stage.rescan()
        stage.exit(0, .code(0))
        #expect(try stage.row()["state"] == .string("masked"))
        stage.manifests = [:]
        #expect(try stage.rescan()["plugins"] == .integer(0))
    }

    @Test func `a plugin out of use stays so over a restart`() throws {
        let stage = Stage(["org.bell": Stage.bell(Stage.implicit)])
        _ = try stage.ask("plugin.disable", #"{"plugin":"org.bell"}"#)
        stage.exit(0, .code(0))
        let next = Stage(stage.manifests, choices: stage.kept.last ?? "")
        #expect(next.spawned.isEmpty)
        #expect(try next.row()["state"] == .string("disabled"))
        #expect(
            try next.ask("plugin.enable", #"{"plugin":"org.bell"}"#)["state"] == .string("ready"))
        #expect(next.spawned.count == 1)
    }

    @Test func `after a restart of the broker a plugin that had calls is started again`() throws {
        let stage = Stage([
            "org.bell": Stage.bell(
                #""handshake":"implicit","provider":{"handle_types":["generic"]}"#)
        ])
        _ = try stage.ask("plugin.start", #"{"plugin":"org.bell"}"#)
        stage.plugin().ring(1)
        let next = Stage(
            stage.manifests, memory: try MemoryBroker(goingOnAfter: stage.memory))
        #expect(next.spawned.count == 1)
        // It has named no call: what it had is over.
        #expect(try next.ask("call.list")["calls"]?.elements.isEmpty == true)
    }
}
