import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// The latest transactions, and how long they waited and ran.
struct BrokerTransactionLogTests {
    private let host = MemoryBroker()
    private let app: MemoryPeer
    private let user: MemoryPeer

    init() {
        app = host.provider()
        user = host.controller()
    }

    private func page(_ params: String = "{}") throws -> JSONTree {
        let lines = user.ask(Frame.request(90, "transaction.list", params))
        let reply = try JSONTree(#require(lines.last))
        return try #require(reply["result"])
    }

    private func list() throws -> [JSONTree] {
        try page()["transactions"]?.elements ?? []
    }

    /// What the first transaction says of its times.
    private func times() throws -> [Int?] {
        let latest = try #require(list().first)
        return [latest["wait_ms"]?.integer, latest["run_ms"]?.integer]
    }

    @Test func `a transaction runs from its first action to its last`() throws {
        #expect(try list().isEmpty)
        app.ring(1)
        _ = user.tell("call.answer", #"{"call":"c1"}"#)
        host.turn(afterMS: 40)
        #expect(try list().first?["state"] == .string("accepted"))
        #expect(try times() == [0, 40])
        host.settle(app)
        host.turn(afterMS: 500)
        let latest = try #require(list().first)
        #expect(latest["state"] == .string("completed"))
        #expect(try times() == [0, 40])
        #expect(latest["cause"]?["origin"] == .string("user"))
        #expect(latest["actions"]?.elements.first?["state"] == .string("fulfilled"))
    }

    @Test func `a transaction waits while a call in its way is ending`() throws {
        host.talk(1, of: app, by: user)
        let other = host.provider("org.b")
        other.ring(2)
        _ = user.tell("call.end", #"{"call":"c1"}"#)
        _ = user.tell("call.answer", #"{"call":"c2"}"#)
        host.turn(afterMS: 250)
        #expect(try times() == [250, nil])
        host.settle(app)
        host.turn(afterMS: 30)
        #expect(try times() == [250, 30])
    }

    @Test func `a failure has its reason`() throws {
        app.ring(1)
        _ = user.tell("call.answer", #"{"call":"c1"}"#)
        _ = app.brief()
        for id in app.audit.performs.keys { app.fail(id) }
        let latest = try #require(list().first)
        #expect(latest["state"] == .string("failed"))
        #expect(latest["reason"] == .string("provider_failed"))
    }

    @Test func `the last 1,000 are listed, page by page, the latest first`() throws {
        host.talk(1, of: app, by: user)
        for _ in 0..<600 {
            for flag in [true, false] {
                _ = user.tell("call.set_muted", #"{"call":"c1","muted":\#(flag)}"#)
                host.settle(app)
            }
        }
        var (times, after, ids): ([Int], String?, Set<String>) = ([], nil, [])
        repeat {
            let result = try page(after.map { #"{"after":"\#($0)"}"# } ?? "{}")
            let list = result["transactions"]?.elements ?? []
            times += list.compactMap { $0["accepted_at_ms"]?.integer }
            ids.formUnion(list.compactMap { $0["transaction"]?.string })
            after = result["next"]?.string
        } while after != nil
        #expect(times.count == 1_000 && ids.count == 1_000)
        #expect(times == times.sorted(by: >))
        #expect(try page(#"{"limit":3}"#)["transactions"]?.elements.count == 3)
    }
}
