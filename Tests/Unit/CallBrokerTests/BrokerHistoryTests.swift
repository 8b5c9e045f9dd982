import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// What the history says of a call whose app is gone.
struct BrokerHistoryTests {
    private let host = MemoryBroker()
    private let process = ProcessWatch()
    private let app: MemoryPeer

    init() {
        app = host.connect(process: process)
        _ = app.ask(Frame.hello(#""roles":["provider"],"identity":"org.a""#))
        app.register()
        app.ring(1)
    }

    private func names(
        _ store: MemoryStore, of host: MemoryBroker, member: String = "provider_name"
    ) throws -> [String?] {
        store.settle()
        let user = host.controller()
        user.post("history.list")
        store.settle()
        let reply = try JSONTree(#require(user.lines().last))
        return reply["result"]?["entries"]?.elements.map { $0[member]?.string } ?? []
    }

    @Test func `the history knows an app by its name, though its process has exited`() throws {
        let store = try MemoryStore(of: host)
        host.exit(process)
        #expect(try names(store, of: host) == ["A"])
    }

    @Test func `the history knows a line by its label, though its app goes with the call`() throws {
        let store = try MemoryStore(of: host)
        for (index, end) in ["exit", "unregister"].enumerated() {
            let process = ProcessWatch()
            let app = host.connect(process: process)
            _ = app.ask(Frame.hello(#""roles":["provider"],"identity":"org.\#(end)""#))
            app.register(#""lines":[{"line":"home","label":"House"}]"#)
            app.ring(index + 2, #""line":"home""#)
            _ = app.tell("provider.update", #"{"lines":[{"line":"home","label":"Home"}]}"#)
            if end == "exit" { host.exit(process) } else { _ = app.tell("provider.unregister") }
        }
        #expect(try names(store, of: host, member: "line_label") == ["Home", "Home"])
    }

    @Test func `the same after a restart, if the app does not come back`() throws {
        let next = try MemoryBroker(goingOnAfter: host)
        let store = try MemoryStore(of: next)
        next.turn(afterMS: 600_000)
        #expect(try names(store, of: next) == ["A"])
    }

    /// Ends a call, and says which calls are in the history then, the latest first.
    private func end(_ calls: String..., of store: MemoryStore) throws -> [String] {
        for call in calls {
            _ = app.tell("call.report_ended", #"{"call":"\#(call)","reason":"remote_ended"}"#)
            host.turn(afterMS: 1)
        }
        return try entries(store)
    }

    private func entries(_ store: MemoryStore) throws -> [String] {
        store.settle()
        let user = host.controller()
        user.post("history.list")
        store.settle()
        let reply = try JSONTree(#require(user.lines().last))
        return reply["result"]?["entries"]?.elements
            .compactMap { $0["call"]?.string.map { ShortID.short($0) } } ?? []
    }

    private func set(_ history: String) {
        _ = host.controller().tell("policy.set", #"{"history":{\#(history)}}"#)
    }

    @Test func `what the user does not want to keep goes at once, with the badge`() throws {
        let store = try MemoryStore(of: host)
        for call in 2...4 { app.ring(call) }
        #expect(try end("c1", "c2", "c3", "c4", of: store) == ["c4", "c3", "c2", "c1"])
        let observer = host.observer("history.*")
        set(#""entries":2"#)
        #expect(try entries(store) == ["c4", "c3"])
        #expect(observer.brief() == ["history.changed missed=2"])
        app.ring(5)
        #expect(try end("c5", of: store) == ["c5", "c4"])
    }

    @Test func `a call that is missed while the user looks at the history stays on the badge`()
        throws
    {
        let store = try MemoryStore(of: host)
        app.ring(2)
        _ = try end("c1", of: store)
        let observer = host.observer("history.*")
        host.controller().post("history.mark_seen")
        _ = app.tell("call.report_ended", #"{"call":"c2","reason":"remote_ended"}"#)
        store.settle()
        #expect(observer.brief() == ["history.changed missed=2", "history.changed missed=1"])
    }

    @Test func `none is kept if none is wanted`() throws {
        let store = try MemoryStore(of: host)
        set(#""entries":0"#)
        #expect(try end("c1", of: store) == [])
    }

    @Test func `what is too old goes after a day, however few calls there are`() throws {
        let store = try MemoryStore(of: host)
        set(#""days":2"#)
        #expect(try end("c1", of: store) == ["c1"])
        for day in 2...4 {
            host.turn(afterMS: 86_400_000)
            app.ring(day)
            let kept = try end("c\(day)", of: store)
            #expect(kept == (day - 1...day).reversed().map { "c\($0)" })
        }
    }

    @Test(arguments: [true, false])
    func `a wall clock that is wrong while a call ends takes nothing`(isSynchronised: Bool) throws {
        let store = try MemoryStore(of: host)
        for call in 2...4 { app.ring(call) }
        _ = try end("c1", "c2", of: store)
        host.host.isSynchronised = isSynchronised
        host.host.wallAheadMS = 10 * 365 * 86_400_000
        host.turn(afterMS: 1)
        set(#""days":100"#)
        #expect(try end("c3", of: store) == ["c3", "c2", "c1"])
        host.host.wallAheadMS = 0
        host.turn(afterMS: 1)
        #expect(try end("c4", of: store).sorted() == ["c1", "c2", "c3", "c4"])
    }

    @Test func `an app that ends calls faster than the store takes them waits, and nobody else`()
        throws
    {
        let store = try MemoryStore(of: host)
        let gate = try store.hold()
        let user = host.controller()
        app.send(
            (1_000..<6_000).flatMap { call in
                [
                    Frame.request(2 * call, "call.report_incoming", app.long(Self.incoming(call))),
                    Frame.request(2 * call + 1, "call.report_ended", app.long(Self.ended(call))),
                ]
            })
        var replies = 0
        for _ in 0..<200 {
            replies += app.drain().count
            host.turn()
        }
        #expect((8_192...8_400).contains(replies))
        #expect(!host.broker.hasWork)
        let other = host.provider("org.b")
        #expect(other.ring(9_000).joined().contains("presentation"))
        gate.signal()
        for _ in 0..<400 {
            store.settle()
            host.turn()
            replies += app.drain().count
        }
        #expect(replies == 10_000)
        _ = user.lines()
        let badge = store.tell(user, "history.list", #"{"limit":1}"#)
        #expect(badge.joined().contains(#""missed":5000"#))
    }

    private static func incoming(_ call: Int) -> String {
        #"{"call":"c\#(call)","remote":{"type":"phone","value":"+1555\#(call)"}}"#
    }

    private static func ended(_ call: Int) -> String {
        #"{"call":"c\#(call)","reason":"remote_ended"}"#
    }

    @Test func `an entry that is asked for comes alone`() throws {
        let store = try MemoryStore(of: host)
        app.ring(2)
        for call in ["c1", "c2"] {
            _ = app.tell("call.report_ended", #"{"call":"\#(call)","reason":"remote_ended"}"#)
        }
        store.settle()
        let user = host.controller()
        user.post("history.list", #"{"filter":{"entry":2}}"#)
        store.settle()
        let result = try JSONTree(#require(user.lines().last))["result"]
        #expect(result?["entries"]?.elements.map { $0["entry"]?.integer } == [2])
    }

    @Test func `a call lasted as long as the answers of its app say`() throws {
        let store = try MemoryStore(of: host)
        let user = host.controller()
        host.turn(afterMS: 10_000)
        user.post("call.answer", #"{"call":"c1"}"#)
        app.send(Frame.result(1, #"{"at_ms":1767225604000}"#))
        user.post("call.end", #"{"call":"c1"}"#)
        app.send(Frame.result(2, #"{"at_ms":1767225609000}"#))
        store.settle()
        user.post("history.list")
        store.settle()
        let result = try JSONTree(#require(user.lines().last))["result"]
        #expect(result?["entries"]?.elements.map { $0["duration_ms"]?.integer } == [5_000])
    }
}
