import CallBroker
import CallTesting
import Testing

/// What the broker is doing, for a bug report.
struct BrokerDumpTests {
    private let host = MemoryBroker { $0.makeRoom(for: 1_000) }
    private let a: MemoryPeer
    private let user: MemoryPeer

    init() {
        a = host.provider()
        user = host.controller()
    }

    private func dump() throws -> JSONTree {
        let admin = host.ready("admin")
        admin.post("broker.dump")
        let line = try #require(admin.lines().last)
        return try #require(try JSONTree(line)["result"])
    }

    @Test func `open transactions and actions have their age`() throws {
        a.ring(1)
        user.post(
            "call.answer",
            #"{"call":"c1","transaction":"11111111-2222-4333-8444-555555555555"}"#)
        host.turn(afterMS: 1_234)
        let dump = try dump()
        let transaction = try #require(dump["transactions"]?.elements.first)
        #expect(
            transaction["transaction"]?.string == "11111111-2222-4333-8444-555555555555")
        #expect(transaction["accepted"]?.boolean == true)
        #expect(transaction["age_ms"]?.integer == 1_234)
        #expect(transaction["client"]?.integer == 2)
        let action = try #require(dump["actions"]?.elements.first)
        #expect(action["kind"]?.string == "answer")
        #expect(action["provider"]?.string == "org.a")
        #expect(action["age_ms"]?.integer == 1_234)
        a.fulfil(1)
        #expect(try self.dump()["transactions"]?.elements == [])
        #expect(try self.dump()["actions"]?.elements == [])
    }

    @Test func `timers are counted by purpose, with the time that is left`() throws {
        a.ring(1)
        host.turn(afterMS: 10_000)
        let timers = try dump()["timers"]?.elements ?? []
        let ring = try #require(timers.first { $0["what"]?.string == "ring" })
        #expect(ring["count"]?.integer == 1)
        #expect(ring["next_ms"]?.integer == 50_000)
    }

    @Test func `screens and subscriptions are listed`() throws {
        let screen = host.ready("ui", identity: "org.screen")
        screen.post("ui.claim")
        user.post("events.subscribe", #"{"topics":["call.added","host.*"]}"#)
        a.ring(1)
        let dump = try dump()
        let listed = try #require(dump["screens"]?.elements.first)
        #expect(listed["identity"]?.string == "org.screen")
        #expect(listed["primary"]?.boolean == true)
        let client = try #require(
            dump["connections"]?.elements.first { $0["client"]?.integer == 2 })
        let topics = client["subscriptions"]?.elements.first?["topics"]?.elements ?? []
        #expect(topics.compactMap(\.string).contains("call.added"))
        #expect(topics.compactMap(\.string).contains("host.changed"))
        #expect(client["roles"]?.elements.compactMap(\.string) == ["controller"])
    }

    @Test func `long lists are cut, and the dump fits into a frame`() throws {
        for _ in 1...80 { _ = host.ready("observer") }
        let dump = try dump()
        #expect(dump["more"]?.boolean == true)
        #expect(dump["connections"]?.elements.count == 64)
    }

    @Test func `nobody is named, and only an admin may read it`() throws {
        a.ring(1, #""display_name":"Ada""#)
        user.post("call.answer", #"{"call":"c1"}"#)
        let text = try dump().description
        #expect(!text.contains("Ada") && !text.contains("15551"))
        #expect(user.tell("broker.dump").joined().contains("-32003"))
    }
}
