import CallBroker
import CallTesting
import Testing

/// What the user is doing, in one word for all calls.
struct BrokerPresenceTests {
    private let host = MemoryBroker()
    private let user: MemoryPeer
    private let app: MemoryPeer

    /// The Unix time at which a broker in memory begins.
    private static let startMS: Int64 = 1_767_225_600_000

    init() {
        user = host.controller()
        app = host.provider("org.a")
        host.turn()
        host.forget()
    }

    /// The words and times that an observer was sent since the last call.
    private func told(_ observer: MemoryPeer) -> [String] {
        observer.lines().compactMap { line -> String? in
            guard let data = try? JSONTree(line)["params"]?["data"],
                let state = data["state"]?.string
            else { return nil }
            return "\(state) \((data["since_ms"]?.integer ?? 0) - Int(Self.startMS))"
        }
    }

    /// The app fulfills what it is asked for.
    private func perform() {
        _ = app.brief()
        for id in app.audit.performs.keys.sorted() { app.fulfil(id) }
    }

    private func presence() throws -> String? {
        let reply = user.ask(Frame.request(900, "host.get", "{}")).last ?? ""
        return try JSONTree(reply)["result"]?["presence"]?["state"]?.string
    }

    @Test func `each change is published once, at the end of the turn, with its time`() {
        let observer = host.observer("host.presence")
        host.turn(afterMS: 5_000)
        app.ring(1)
        #expect(told(observer) == [])
        host.turn()
        #expect(told(observer) == ["ringing 5000"])
        host.turn(afterMS: 1_000)
        user.post("call.answer", #"{"call":"c1"}"#)
        perform()
        host.turn()
        #expect(told(observer) == ["in_call 6000"])
        host.turn(afterMS: 1_000)
        #expect(told(observer) == [])
        user.post("call.set_held", #"{"call":"c1","held":true}"#)
        perform()
        host.turn()
        #expect(told(observer) == ["on_hold 7000"])
        app.ring(2)
        host.turn()
        #expect(told(observer) == ["ringing_in_call 7000"])
        app.post("call.report_ended", #"{"call":"c2","reason":"remote_ended"}"#)
        app.post("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        host.turn()
        #expect(told(observer) == ["free 7000"])
    }

    @Test func `the host's state has it, also before the end of the turn`() throws {
        #expect(try presence() == "free")
        app.ring(1)
        #expect(try presence() == "ringing")
    }

    @Test func `do-not-disturb is on until its time has come, without a request`() throws {
        let observer = host.observer("host.presence")
        user.post(
            "policy.set", #"{"do_not_disturb":{"on":true,"until_at_ms":\#(Self.startMS + 60_000)}}"#
        )
        host.turn()
        #expect(told(observer) == ["do_not_disturb 0"])
        host.turn(afterMS: 59_999)
        #expect(told(observer) == [])
        host.turn(afterMS: 1)
        #expect(told(observer) == ["free 60000"])
        #expect(try presence() == "free")
    }

    @Test func `one that goes on from a cursor is sent the current presence, without a number`()
        throws
    {
        let subscribed = host.ready("observer").ask(
            Frame.request(1, "events.subscribe", #"{"topics":["host.*"],"snapshot":false}"#))
        let reply = try #require(subscribed.first.flatMap { try JSONTree($0)["result"] })
        let (epoch, seq) = (reply["epoch"]?.string ?? "", reply["seq"]?.integer ?? 0)
        app.ring(1)
        host.turn()
        let again = host.ready("observer").ask(
            Frame.request(
                1, "events.subscribe",
                #"{"topics":["host.*"],"cursor":{"epoch":"\#(epoch)","seq":\#(seq)}}"#))
        let events = try again.dropFirst().map { try JSONTree($0)["params"] }
        #expect(events.map { $0?["topic"]?.string } == ["host.changed", "host.presence"])
        #expect(events.last??["data"]?["state"] == .string("ringing"))
        #expect(events.last??["seq"] == events.first??["seq"])
    }
}
