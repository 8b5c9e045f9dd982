import CallBroker
import CallProtocol
import CallTesting
import Testing

/// Who says who somebody is, where several do; and that it is said anew of somebody else.
struct BrokerCallersTests {
    private typealias Stage = PluginHostStage

    private static func directory(_ identity: String, priority: Int? = nil) -> String {
        let member = priority.map { #","directory":{"priority":\#($0)}"# } ?? ""
        return #"""
            {"manifest":1,"identity":"\#(identity)","roles":["directory"],"exec":["./it"],"start":"boot"\#(member)}
            """#
    }

    /// Two directories that are there, the first in their order first, and an app.
    private struct Scene {
        let stage: Stage
        let first: MemoryPeer
        let second: MemoryPeer
        let app: MemoryPeer
        let observer: MemoryPeer

        init(_ manifests: [String: String]) {
            let stage = Stage(manifests)
            let peers = (0..<2).map { stage.plugin($0) }
            self.stage = stage
            for peer in peers { _ = peer.ask(Frame.hello(#""roles":["directory"]"#)) }
            (first, second) = (peers[0], peers[1])
            app = stage.memory.provider()
            observer = stage.memory.observer("call.*")
        }

        func says(_ directory: MemoryPeer, _ members: String) {
            directory.answer("directory.lookup", "{\(members)}")
        }

        /// What is told of the caller in the latest event.
        func caller() throws -> String? {
            let event = try observer.lines().last.map { try JSONTree($0) }
            return event?["params"]?["data"]?["caller"]?.json
        }
    }

    private static let names = [
        "org.a1": directory("org.a1", priority: 1), "org.a2": directory("org.a2", priority: 2),
    ]

    @Test(arguments: [false, true])
    func `the directory with the highest priority says who it is, whoever answers first`(
        isFirstQuicker: Bool
    ) throws {
        let scene = Scene(Self.names)
        scene.app.ring(1)
        let answers = [
            (scene.first, #""display_name":"Ada","label":"Private""#),
            (scene.second, #""label":"Company""#),
        ]
        for (directory, members) in isFirstQuicker ? answers : answers.reversed() {
            scene.says(directory, members)
        }
        #expect(try scene.caller() == #"{"label":"Company","source":"org.a2"}"#)
    }

    @Test func `of two with one priority that counts whose name comes first`() throws {
        let scene = Scene([
            "org.a1": Self.directory("org.a1"), "org.a2": Self.directory("org.a2"),
        ])
        scene.app.ring(1)
        scene.says(scene.second, #""display_name":"Bob","label":"Company""#)
        scene.says(scene.first, #""display_name":"Ada""#)
        #expect(try scene.caller() == #"{"name":"Ada","source":"org.a1"}"#)
    }

    @Test func `a late one takes the place of one that counts less, as a whole, and of no other`()
        throws
    {
        let scene = Scene(Self.names)
        scene.app.ring(1)
        scene.says(scene.first, #""display_name":"Ada","label":"Private""#)
        scene.stage.memory.turn(afterMS: 700)
        #expect(
            try scene.caller() == #"{"name":"Ada","label":"Private","source":"org.a1"}"#)
        scene.says(scene.second, #""label":"Company""#)
        #expect(try scene.caller() == #"{"label":"Company","source":"org.a2"}"#)
        scene.app.ring(2)
        scene.says(scene.second, #""label":"Company""#)
        scene.stage.memory.turn(afterMS: 700)
        _ = scene.observer.lines()
        scene.says(scene.first, #""display_name":"Ada""#)
        #expect(scene.observer.lines() == [])
    }

    @Test func `a contact counts before all, and is not mixed with anybody's label`() throws {
        let scene = Scene(Self.names)
        let store = try MemoryStore(of: scene.stage.memory)
        _ = store.tell(
            scene.stage.admin, "contact.put",
            #"{"name":"Ada","handles":[{"type":"phone","value":"+15551"}]}"#)
        _ = store.tell(
            scene.stage.admin, "directory.put_entries",
            #"{"source":"list","generation":1,"final":true,"entries":[{"number":15551,"label":"Shop"}]}"#
        )
        scene.app.ring(1)
        scene.says(scene.second, #""display_name":"A. L.","label":"Company""#)
        scene.says(scene.first, "")
        store.settle()
        #expect(try scene.caller() == #"{"name":"Ada","source":"contacts"}"#)
    }

    @Test func `what a screener says beside its verdict counts where nobody knows better`() throws {
        let host = MemoryBroker()
        let app = host.provider()
        let observer = host.observer("call.*")
        let guardian = host.adviser(.screener, "org.guard")
        app.ring(1)
        guardian.answer("screener.check", #"{"verdict":"continue","label":"Survey"}"#)
        let event = try JSONTree(#require(observer.lines().last))
        #expect(
            event["params"]?["data"]?["caller"]?.json
                == #"{"label":"Survey","source":"org.guard"}"#)
    }

    // MARK: - A call that is with somebody else

    private func change(_ app: MemoryPeer, to remote: String) {
        app.post("call.report_update", #"{"call":"c1","remote":\#(remote)}"#)
        _ = app.lines()
    }

    private static let other = #"{"type":"phone","value":"+15552"}"#

    @Test
    func `a call that is with somebody else is looked up again, and loses the name of before`()
        throws
    {
        let host = MemoryBroker()
        let app = host.provider()
        let observer = host.observer("call.*")
        let directory = host.adviser(.directory, "org.numbers")
        app.ring(1)
        directory.answer("directory.lookup", #"{"display_name":"Ada"}"#)
        _ = observer.lines()
        change(app, to: Self.other)
        #expect(
            observer.brief() == [
                "~ c1 ringing (remote) provider", "~ c1 ringing (caller) policy/32",
            ])
        let asked = directory.asked("directory.lookup")
        #expect(asked.map { $0.params["remote"]?["value"]?.string } == ["+15552"])
        for (id, _) in asked { directory.send(Frame.result(id, #"{"display_name":"Bob"}"#)) }
        let event = try JSONTree(#require(observer.lines().last))["params"]?["data"]
        #expect(event?["caller"]?.json == #"{"name":"Bob","source":"org.numbers"}"#)
        #expect(event?["changed"]?.json == #"["caller"]"#)
    }

    @Test func `nobody's name is left where the new one is not known`() throws {
        let host = MemoryBroker()
        let store = try MemoryStore(of: host)
        let (app, user) = (host.provider(), host.controller())
        _ = store.tell(
            user, "contact.put",
            #"{"name":"Ada","handles":[{"type":"phone","value":"+15551"}]}"#)
        app.ring(1)
        store.settle()
        let observer = host.observer("call.*")
        change(app, to: Self.other)
        store.settle()
        let event = try JSONTree(#require(observer.lines().last))["params"]?["data"]
        #expect(event?["changed"]?.json == #"["caller"]"#)
        #expect(event?["caller"] == nil)
        change(app, to: #"{"type":"phone","value":"+15551"}"#)
        store.settle()
        #expect(observer.lines().last?.contains(#""name":"Ada""#) == true)
        _ = app.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        try host.expectThatItsJournalTellsAll()
    }

    @Test func `an answer about the one of before says nothing of the new one`() {
        let host = MemoryBroker()
        let app = host.provider()
        let directory = host.adviser(.directory, "org.numbers")
        app.ring(1)
        host.turn(afterMS: 700)
        let asked = directory.asked("directory.lookup")
        change(app, to: Self.other)
        let observer = host.observer("call.*")
        for (id, _) in asked { directory.send(Frame.result(id, #"{"display_name":"Ada"}"#)) }
        #expect(observer.lines() == [])
    }

    @Test func `whoever has not rung yet is looked at anew`() {
        let host = MemoryBroker()
        let app = host.provider()
        let guardian = host.adviser(.screener, "org.guard")
        app.ring(1)
        let before = guardian.asked("screener.check")
        change(app, to: Self.other)
        for (id, _) in before { guardian.send(Frame.result(id, #"{"verdict":"allow"}"#)) }
        #expect(app.brief() == [])
        let asked = guardian.asked("screener.check")
        #expect(asked.map { $0.params["remote"]?["value"]?.string } == ["+15552"])
        for (id, _) in asked { guardian.send(Frame.result(id, #"{"verdict":"block"}"#)) }
        #expect(app.brief() == ["1: -32008 screener rule=32"])
    }

    @Test func `an update that leaves the other side as it is asks nobody`() {
        let host = MemoryBroker()
        let app = host.provider()
        let directory = host.adviser(.directory, "org.numbers")
        app.ring(1)
        directory.answer("directory.lookup", "{}")
        app.post("call.report_update", #"{"call":"c1","has_video":false,"display_name":"A"}"#)
        change(app, to: #"{"type":"phone","value":"+15551"}"#)
        #expect(directory.asked("directory.lookup").isEmpty)
    }

    @Test func `a call that skips the filters is looked up, too`() {
        let host = MemoryBroker()
        let app = host.provider()
        let directory = host.adviser(.directory, "org.numbers")
        host.letClaimEmergencies("org.a")
        app.ring(1, #""priority":"emergency""#)
        #expect(directory.asked("directory.lookup").count == 1)
    }
}
