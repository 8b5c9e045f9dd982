import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// What apps report about the quality of their calls.
struct BrokerQualityTests {
    private let host = MemoryBroker()
    private let app: MemoryPeer
    private let user: MemoryPeer
    private let observer: MemoryPeer

    init() {
        (app, user, observer) = host.conversation(observing: "call.quality")
    }

    private func report(_ members: String, of call: String = "c1", by peer: MemoryPeer? = nil)
        -> [String]
    {
        (peer ?? app).report("quality", of: call, members)
    }

    private func seen() -> [JSONTree] {
        observer.lines().compactMap { try? JSONTree($0)["params"] }
    }

    @Test func `a report is published, without a number of its own`() throws {
        let before = host.observer("*")
        #expect(
            report(#""loss_permille":12,"jitter_ms":8,"round_trip_ms":45"#).last?.contains("{}")
                == true)
        let event = try #require(seen().first)
        #expect(event["topic"] == .string("call.quality"))
        #expect(event["data"]?["loss_permille"]?.integer == 12)
        #expect(event["data"]?["jitter_ms"]?.integer == 8)
        #expect(event["data"]?["round_trip_ms"]?.integer == 45)
        #expect(event["seq"] == event["prev"])
        #expect(before.lines().count == 1)
    }

    @Test func `of several reports within a second the first counts`() {
        for loss in 1...3 { _ = report(#""loss_permille":\#(loss)"#) }
        host.turn(afterMS: 1_000)
        _ = report(#""loss_permille":4"#)
        #expect(seen().compactMap { $0["data"]?["loss_permille"]?.integer } == [1, 4])
    }

    @Test func `reports are in the time line, and push out nothing else`() throws {
        for _ in 0..<5_000 {
            _ = report(#""jitter_ms":8"#)
            host.turn(afterMS: 1_000)
        }
        var (entries, after): ([JSONTree], String?) = ([], nil)
        repeat {
            let more = after.map { #","after":"\#($0)""# } ?? ""
            let lines = user.ask(
                Frame.request(90, "call.timeline", #"{"call":"\#(ShortID.call(1))"\#(more)}"#))
            let page = try JSONTree(#require(lines.last))["result"]
            entries += page?["entries"]?.elements ?? []
            after = page?["next"]?.string
        } while after != nil
        #expect(entries.filter { $0["event"] == .string("quality") }.count == 4_096)
        #expect(entries.first?["decision"]?["decision"] == .string("rings"))
    }

    @Test(arguments: [
        (#""loss_permille":1001"#, "c1", "-32602"), (#""jitter_ms":-1"#, "c1", "-32602"),
        (#""jitter_ms":1"#, "c7", "-32004"), (#""jitter_ms":1"#, "c2", "-32004"),
    ])
    func `a report that cannot be is refused`(members: String, call: String, code: String) {
        host.provider("org.b").ring(2)
        #expect(report(members, of: call).last?.contains(code) == true)
        #expect(seen().isEmpty)
    }

    @Test func `only apps may report it, and not of a call that has ended`() {
        #expect(report(#""jitter_ms":1"#, by: user).last?.contains("-32003") == true)
        _ = app.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        #expect(report(#""jitter_ms":1"#).last?.contains("call_ended") == true)
    }
}
