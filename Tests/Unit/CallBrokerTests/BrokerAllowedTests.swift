import CallBroker
import CallTesting
import Testing

/// What the user may do with a call changes with other calls, and is told: call 1 of app A is active, call 2
/// of app B waits.
struct BrokerAllowedTests {
    private let host = MemoryBroker()
    private let user: MemoryPeer
    private let a: MemoryPeer
    private let b: MemoryPeer

    init() {
        user = host.controller()
        a = host.provider("org.a")
        b = host.provider("org.b")
        host.talk(1, of: a, by: user)
        b.ring(2)
        host.turn()
        host.forget()
    }

    private func told(_ call: Int, _ verbs: String, canHold: Bool = false) -> String {
        "call.allowed_changed c\(call) [\(verbs)]\(canHold ? " can hold" : "")"
    }

    @Test func `a call that cannot be held any more makes the plain answer of another go`() {
        let observer = host.observer("call.allowed_changed", "call.changed")
        a.post("call.report_update", #"{"call":"c1","supports_holding":false}"#)
        #expect(observer.brief() == ["~ c1 active (supports_holding) provider"])
        host.turn()
        #expect(observer.brief() == [told(2, "end_and_answer decline silence")])
        host.turn()
        #expect(observer.brief() == [])
    }

    @Test func `what was told with the call itself is not told again`() {
        let observer = host.observer("call.allowed_changed", "call.changed")
        user.post("call.silence", #"{"call":"c2"}"#)
        _ = observer.brief()
        host.turn()
        #expect(observer.brief() == [])
    }

    @Test func `one that does not want to know of the calls themselves is told of them too`() {
        let observer = host.observer("call.allowed_changed")
        user.post("call.silence", #"{"call":"c2"}"#)
        host.turn()
        #expect(
            observer.brief() == [
                told(2, "answer hold_and_answer end_and_answer decline")
            ])
    }

    @Test func `it takes no number`() throws {
        let observer = host.observer("call.allowed_changed", "call.changed")
        a.post("call.report_update", #"{"call":"c1","supports_holding":false}"#)
        host.turn()
        let numbers = try observer.lines().compactMap {
            try JSONTree($0)["params"]?["seq"]?.integer
        }
        #expect(numbers.count == 2 && numbers.first == numbers.last)
    }

    @Test func `a call that can be merged again says with which`() throws {
        let host = MemoryBroker()
        let (app, user) = (host.provider("org.a"), host.controller())
        for call in [1, 2] { host.talk(call, of: app, by: user) }
        app.post("call.report_update", #"{"call":"c1","supports_grouping":false}"#)
        host.turn()
        let observer = host.observer("call.allowed_changed")
        app.post("call.report_update", #"{"call":"c1","supports_grouping":true}"#)
        host.turn()
        let partners = try observer.lines().map {
            try JSONTree($0)["params"]?["data"]?["merge_with"]?.elements
        }
        #expect(partners == [[.string(ShortID.call(2))], [.string(ShortID.call(1))]])
    }

    @Test func `one that goes on from a cursor is told of every call`() throws {
        let first = host.observer("call.allowed_changed")
        let subscribed = host.ready("observer").ask(
            Frame.request(1, "events.subscribe", #"{"topics":["call.*"],"snapshot":false}"#))
        let reply = try #require(subscribed.first.flatMap { try JSONTree($0)["result"] })
        let (epoch, seq) = (reply["epoch"]?.string ?? "", reply["seq"]?.integer ?? 0)
        let cursor = #"{"epoch":"\#(epoch)","seq":\#(seq)}"#
        let second = host.ready("observer")
        second.post(
            "events.subscribe",
            #"{"topics":["call.allowed_changed"],"snapshot":false,"cursor":\#(cursor)}"#)
        #expect(
            second.brief().dropFirst() == [
                told(1, "end hold mute play_dtmf", canHold: true),
                told(2, "answer hold_and_answer end_and_answer decline silence"),
            ])
        host.turn()
        #expect(first.brief() == [])
    }

    @Test func `with more than 32 calls nobody is told, and with 32 again of every call`() {
        let host = MemoryBroker { $0.makeRoom(for: 64) }
        let a = host.provider("org.a")
        let observer = host.observer("call.allowed_changed")
        for call in 1...33 { a.ring(call) }
        host.turn()
        #expect(observer.brief() == [])
        a.post("call.report_ended", #"{"call":"c33","reason":"remote_ended"}"#)
        host.turn()
        #expect(observer.brief().count == 32)
    }
}
