import BrokerSocket
import CallTesting
import Testing

/// The time line of a call: everything that has happened to it.
struct BrokerTimelineTests {
    private let host = MemoryBroker()
    private let app: MemoryPeer
    private let user: MemoryPeer

    init() {
        app = host.provider()
        user = host.controller()
    }

    private func reply(
        _ call: String, _ members: String = "", _ peer: MemoryPeer? = nil
    ) throws -> JSONTree {
        let lines = (peer ?? user).ask(
            Frame.request(90, "call.timeline", #"{"call":"\#(call)"\#(members)}"#))
        return try JSONTree(#require(lines.last))
    }

    /// Returns an entry on one line.
    private func line(_ entry: JSONTree) -> String {
        let event = entry["event"]?.string ?? "?"
        let members = entry[event] ?? .null
        let words = ["rule", "decision", "state", "kind", "end_reason", "anomaly"].compactMap {
            members[$0]?.string
        }
        let changed = members["changed"]?.elements.compactMap(\.string) ?? []
        let flag = members["active"].map { $0 == .boolean(true) ? ["on"] : ["off"] } ?? []
        return ([event] + words + changed + flag).joined(separator: " ")
    }

    private func timeline(_ call: String, _ peer: MemoryPeer? = nil) throws -> [String] {
        try reply(call, "", peer)["result"]?["entries"]?.elements.map(line) ?? []
    }

    private func talk() {
        app.ring(1)
        _ = user.tell("call.answer", #"{"call":"c1"}"#)
        host.settle(app)
    }

    @Test func `a call that has ended has its whole life in its time line`() throws {
        talk()
        _ = app.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        let entries = try timeline(ShortID.call(1))
        #expect(
            entries == [
                "decision 1 rings", "change ringing", "action dispatched answer",
                "change ringing pending_action", "action fulfilled answer",
                "change active state pending_action", "audio on", "decision 39 ended remote_ended",
                "change ended state", "audio off",
            ])
        let result = try reply(ShortID.call(1))["result"]
        #expect(result?["provider"] == .string("org.a"))
        #expect(result?["direction"] == .string("incoming"))
        let numbers = result?["entries"]?.elements.compactMap { $0["seq"]?.integer } ?? []
        #expect(numbers == numbers.sorted())
    }

    @Test func `an action that failed is there with the reason of its app`() throws {
        talk()
        _ = user.tell("call.set_held", #"{"call":"c1","held":true}"#)
        _ = app.brief()
        for id in app.audit.performs.keys { app.fail(id) }
        let actions = try reply(ShortID.call(1))["result"]?["entries"]?.elements.compactMap {
            $0["action"]
        }
        #expect(actions?.last?["state"] == .string("failed"))
        #expect(actions?.last?["failure"]?["reason"] == .string("remote_refused"))
    }

    @Test func `changes have the new values of what a picture needs`() throws {
        talk()
        _ = app.tell("call.report_muted", #"{"call":"c1","muted":true}"#)
        app.ring(2)
        _ = user.tell("call.answer", #"{"call":"c2"}"#)
        host.settle(app)
        let changes = try reply(ShortID.call(1))["result"]?["entries"]?.elements.compactMap {
            $0["change"]
        }
        #expect(changes?.compactMap { $0["muted"] } == [.boolean(true)])
        let others = changes?.compactMap { $0["held_because_of"]?.string }
        #expect(others == [ShortID.call(2)])
        #expect(changes?.first?["muted"] == nil && changes?.first?["group"] == nil)
    }

    @Test func `a call that filters kept from ringing is there, too`() throws {
        _ = host.ready("admin").tell("policy.set", #"{"busy_in_call":true}"#)
        talk()
        app.ring(2)
        let entries = try timeline(ShortID.call(2))
        #expect(
            entries == ["decision 2 refused", "decision 2 ended filtered", "change ended state"])
    }

    @Test func `a client that does not know a state gets the older word`() throws {
        _ = user.tell(
            "call.start",
            #"{"call":"c1","provider":"org.a","remote":{"type":"phone","value":"+1555"}}"#)
        host.settle(app)
        _ = app.tell("call.report_alerting", #"{"call":"c1"}"#)
        let old = host.connect()
        _ = old.ask(Frame.hello(#""roles":["observer"],"features":[]"#))
        let entries = try timeline(ShortID.call(1), old)
        #expect(entries.last == "change dialing state")
    }

    @Test func `there is no time line of a call that there never was`() throws {
        #expect(try reply(ShortID.call(7))["error"]?["code"]?.integer == -32_004)
    }

    @Test func `a long time line has pages`() throws {
        talk()
        for _ in 0..<400 {
            for flag in [true, false] {
                _ = app.tell("call.report_muted", #"{"call":"c1","muted":\#(flag)}"#)
            }
        }
        var (entries, after, pages): ([String], String?, Int) = ([], nil, 0)
        repeat {
            let more = after.map { #","after":"\#($0)""# } ?? ""
            let page = try reply(ShortID.call(1), more)["result"]
            entries += page?["entries"]?.elements.map(line) ?? []
            after = page?["next"]?.string
            pages += 1
        } while after != nil
        #expect(pages > 1)
        #expect(entries.filter { $0 == "change active muted" }.count == 800)
        #expect(entries.first == "decision 1 rings")
        let limited = try reply(ShortID.call(1), #","limit":2"#)["result"]
        #expect(limited?["entries"]?.elements.count == 2 && limited?["next"] != nil)
        let wrong = try reply(ShortID.call(1), #","after":"x""#)
        #expect(wrong["error"]?["data"]?["field"] == .string("/after"))
    }
}
