import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// Figures for monitoring.
struct BrokerMetricsTests {
    private let host = MemoryBroker { $0.makeRoom(for: 1_000) }
    private let a: MemoryPeer
    private let user: MemoryPeer
    private let admin: MemoryPeer

    init() {
        a = host.provider()
        user = host.controller()
        admin = host.ready("admin")
    }

    private func figures(of admin: MemoryPeer? = nil) throws -> JSONTree {
        let admin = admin ?? self.admin
        admin.post("broker.metrics")
        let line = try #require(admin.lines().last)
        return try #require(try JSONTree(line)["result"])
    }

    /// A list of counts, such as `ringing 1`.
    private func counts(_ list: JSONTree?, _ label: String) -> [String] {
        (list?.elements ?? []).map {
            "\($0[label]?.string ?? "?") \($0["count"]?.integer ?? -1)"
        }
    }

    /// The calls of each app, such as `org.a ringing 1`.
    private func calls() throws -> [String] {
        (try figures()["calls"]?.elements ?? []).map {
            ([$0["provider"]?.string ?? "?"] + counts($0["states"], "state"))
                .joined(separator: " ")
        }
    }

    private func samples(_ latency: JSONTree?) -> Int {
        (latency?["counts"]?.elements ?? []).reduce(0) { $0 + ($1.integer ?? 0) }
    }

    @Test func `calls are counted by app and state, with each change`() throws {
        let b = host.provider("org.b")
        #expect(try calls() == [])
        a.ring(1)
        a.ring(2)
        b.ring(3)
        #expect(try calls() == ["org.a ringing 1 waiting 1", "org.b waiting 1"])
        user.post("call.answer", #"{"call":"c1"}"#)
        a.fulfil(1)
        #expect(try calls() == ["org.a waiting 1 active 1", "org.b waiting 1"])
        _ = b.tell("call.report_ended", #"{"call":"c3","reason":"remote_ended"}"#)
        _ = a.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        #expect(try calls() == ["org.a ringing 1"])
        _ = a.tell("call.report_ended", #"{"call":"c2","reason":"remote_ended"}"#)
        #expect(try calls() == [])
    }

    @Test func `the calls of a restored broker are counted, its earlier requests are not`() throws {
        host.talk(1, of: a, by: user)
        let next = try MemoryBroker(goingOnAfter: host)
        let figures = try figures(of: next.ready("admin"))
        #expect(figures["calls"]?.elements.count == 1)
        #expect(figures["transactions"]?.elements == [])
        #expect(samples(figures["transaction_latency"]) == 0)
    }

    @Test func `apps beyond the limit are counted together`() throws {
        for number in 1...66 {
            host.provider("org.p\(number)").ring(number)
        }
        let figures = try figures()
        #expect(figures["calls"]?.elements.count == 64)
        #expect(figures["other_calls"]?.integer == 2)
    }

    @Test func `transactions and actions are measured until their end`() throws {
        a.ring(1)
        user.post("call.answer", #"{"call":"c1"}"#)
        #expect(try figures()["pending"]?.integer == 1)
        host.turn(afterMS: 40)
        a.fulfil(1)
        let after = try figures()
        #expect(after["pending"]?.integer == 0)
        #expect(counts(after["transactions"], "state") == ["completed 1"])
        #expect(after["transaction_latency"]?["sum_us"]?.integer == 40_000)
        let answer = try #require(
            after["actions"]?.elements.first { $0["kind"]?.string == "answer" })
        #expect(counts(answer["results"], "state") == ["fulfilled 1"])
        #expect(answer["latency"]?["sum_us"]?.integer == 40_000)
        #expect(samples(answer["latency"]) == 1)
    }

    @Test func `refusals are counted by their rule, dry runs are not`() throws {
        user.post("call.start", #"{"provider":"org.a","remote":{"type":"phone","value":"+1555"}}"#)
        let again = #""provider":"org.a","remote":{"type":"phone","value":"+1556"}"#
        user.post("call.start", "{\(again)}")
        user.post("call.start", #"{\#(again),"dry_run":true}"#)
        user.post("call.answer", #"{"call":"c9"}"#)
        let figures = try figures()
        #expect(counts(figures["refusals"], "rule") == ["10 1", "31 1"])
        #expect(figures["other_refusals"]?.integer == 0)
    }

    @Test func `anomalies are counted`() throws {
        host.talk(1, of: a, by: user)
        _ = a.tell(
            "call.report_incoming",
            #"{"call":"c2","remote":{"type":"phone","value":"+1555"},"has_video":true}"#)
        #expect(counts(try figures()["anomalies"], "anomaly") == ["video_undeclared 1"])
    }

    @Test func `the journal and the store are there`() throws {
        a.ring(1)
        host.broker.commit()
        let figures = try figures()
        #expect(figures["journal"]?["is_kept"]?.boolean == true)
        #expect(figures["journal"]?["snapshots"]?.integer == 1)
        #expect(samples(figures["journal"]?["latency"]) > 0)
        #expect(
            figures["journal"]?["written_bytes"]?.integer
                == figures["journal"]?["bytes"]?.integer)
        #expect(figures["store"]?["is_kept"]?.boolean == false)
        #expect(try #require(figures["memory_bytes"]?.integer) > 1_000_000)
        #expect(figures["bounds_us"]?.elements.count == LatencyHistogram.boundsUS.count)
    }

    @Test func `nobody is named, and only an admin may read them`() throws {
        a.ring(1, #""display_name":"Ada""#)
        let text = try figures().description
        #expect(!text.contains("Ada") && !text.contains("15551"))
        #expect(user.tell("broker.metrics").joined().contains("-32003"))
    }
}
