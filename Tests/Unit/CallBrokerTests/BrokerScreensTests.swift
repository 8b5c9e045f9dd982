import BrokerSocket
import CallBroker
import CallProtocol
import CallTesting
import Testing

/// Calls are given to one screen at a time.
struct BrokerScreensTests {
    private let host = MemoryBroker()
    private let a: MemoryPeer
    private let user: MemoryPeer

    init() {
        a = host.provider()
        user = host.controller()
        host.forget()
    }

    /// A screen that has claimed, and has read what came of it.
    private func screen(_ name: String, priority: Int? = nil) -> MemoryPeer {
        let peer = host.ready("ui", identity: "org.\(name)")
        claim(peer, priority: priority)
        return peer
    }

    private func claim(_ peer: MemoryPeer, priority: Int? = nil) {
        peer.post("ui.claim", priority.map { #"{"priority":\#($0)}"# })
    }

    /// What came, on short lines: `1: present c1` is a request of the broker.
    private func news(_ peer: MemoryPeer) -> [String] {
        peer.lines().map { line in
            guard let json = try? JSONTree(ShortID.short(line)),
                json["method"]?.string == "ui.present", let id = json["id"]?.integer
            else { return Brief.line(line) }
            return "\(id): present \(json["params"]?["call"]?.string ?? "?")"
        }
    }

    /// What came but the reply to the claim.
    private func asked(_ peer: MemoryPeer) -> [String] {
        news(peer).filter { !$0.contains("primary") }
    }

    private func answer(_ peer: MemoryPeer, _ id: Int, _ isPresented: Bool = true) {
        peer.send(Frame.result(id, #"{"presented":\#(isPresented)}"#))
    }

    private func dismissed(_ call: Int, _ reason: String) -> String {
        #"ui.dismiss {"call":"c\#(call)","reason":"\#(reason)"}"#
    }

    // MARK: - Claims

    @Test func `who claims first, or with the highest priority, is told that it holds the screen`()
    {
        let first = screen("first")
        let second = screen("second")
        let third = screen("third", priority: 1)
        #expect(news(first) == [#"1: {"primary":true}"#])
        #expect(news(second) == [#"1: {"primary":false}"#])
        #expect(news(third) == [#"1: {"primary":true}"#])
        claim(second, priority: 1_000)
        #expect(news(second) == [#"2: {"primary":true}"#])
        #expect(second.tell("ui.release") == [#"3: {"primary":false}"#])
        #expect(third.tell("ui.claim", #"{"priority":1}"#) == [#"2: {"primary":true}"#])
    }

    @Test(arguments: [
        (#"{"priority":1001}"#, "out_of_range"), (#"{"priority":-1001}"#, "out_of_range"),
        (#"{"priority":"high"}"#, "wrong_type"), (#"{"priority":1.5}"#, "wrong_type"),
        (#"{"place":1}"#, "unknown_member"),
    ])
    func `a claim that is none is refused`(params: String, reason: String) {
        let peer = host.ready("ui", identity: "org.screen")
        #expect(peer.tell("ui.claim", params).first?.hasPrefix("1: -32602 \(reason)") == true)
        a.ring(1)
        #expect(peer.lines() == [])
    }

    @Test(arguments: ["ui.claim", "ui.release"])
    func `it needs the role`(method: String) {
        #expect(user.tell(method) == ["1: -32003 role_not_granted"])
    }

    @Test func `to be a screen is not to claim`() {
        let peer = host.ready("ui", identity: "org.screen")
        a.ring(1)
        #expect(peer.lines() == [])
        #expect(peer.tell("ui.release") == [#"1: {"primary":false}"#])
    }

    @Test func `of seventeen screens the last one is denied, until another has gone`() {
        let screens = (1...16).map { host.ready("ui", identity: "org.s\($0)") }
        let hello = Frame.hello(#""roles":["ui"],"identity":"org.late""#)
        let denied = #""denied_roles":[{"role":"ui","reason":"taken"}]"#
        #expect(host.connect().ask(hello).joined().contains(denied))
        screens[7].vanish()
        #expect(host.connect().ask(hello).joined().contains(#""granted_roles":["ui"]"#))
        #expect(host.connect().ask(hello).joined().contains(denied))
    }

    @Test func `how many there may be can be set`() {
        let host = MemoryBroker { $0.limits.screens = 1 }
        _ = host.ready("ui", identity: "org.a")
        let hello = Frame.hello(#""roles":["ui"],"identity":"org.b""#)
        #expect(host.connect().ask(hello).joined().contains(#""reason":"taken""#))
    }

    @Test func `who holds the screen is no secret`() throws {
        let info = { [user] in try JSONTree(user.ask(Frame.request(9, "broker.info"))[0]) }
        #expect(try info()["result"]?["screen"] == nil)
        let first = screen("first")
        _ = screen("second")
        #expect(try info()["result"]?["screen"] == .string("org.first"))
        first.vanish()
        #expect(try info()["result"]?["screen"] == .string("org.second"))
    }

    // MARK: - Presenting

    @Test func `a call is presented as it is, behind its event, with what the user may do`() throws
    {
        let screen = host.ready("ui", identity: "org.screen")
        _ = screen.tell("events.subscribe", #"{"topics":["call.*"],"snapshot":false}"#)
        _ = screen.tell("ui.claim")
        a.ring(1, #""display_name":"Ada""#)
        let frames = try screen.lines().map { try JSONTree($0) }
        #expect(frames.map { $0["method"]?.string } == ["event", "ui.present"])
        var shown = try #require(frames[1]["params"])
        #expect(shown["deadline_ms"] == .integer(2_000))
        #expect(shown["actions"] == shown["allowed"])
        #expect(shown["suggested"] == nil)
        shown = shown.without("actions", "deadline_ms")
        #expect(shown == frames[0]["params"]?["data"]?.without("cause"))
    }

    @Test func `what the host has found out is suggested`() throws {
        let directory = host.adviser(.directory, "org.numbers")
        let screen = screen("screen")
        _ = news(screen)
        a.ring(1)
        directory.answer("directory.lookup", #"{"display_name":"Ada","label":"Family"}"#)
        let shown = try JSONTree(#require(screen.lines().last))["params"]
        #expect(shown?["suggested"]?.json == #"{"name":"Ada","label":"Family"}"#)
    }

    @Test func `the holder is asked, and nobody else if it presents the call`() {
        let first = screen("first")
        let second = screen("second", priority: 1)
        a.ring(1)
        #expect(asked(second) == ["1: present c1"])
        answer(second, 1)
        host.turn(afterMS: 10_000)
        #expect(asked(first) == [])
        #expect(asked(second) == [])
    }

    @Test func `a call that the user starts is presented as well`() {
        let screen = screen("screen")
        _ = user.tell(
            "call.start",
            #"{"provider":"org.a","call":"c1","remote":{"type":"phone","value":"+1555"}}"#)
        #expect(asked(screen) == ["1: present c1"])
    }

    @Test func `without a claim nothing is different`() {
        a.ring(1)
        #expect(host.broker.nextDeadline == host.now.advanced(milliseconds: 60_000))
    }

    // MARK: - Not presenting

    @Test(arguments: [
        #""result":{"presented":false}"#, #""result":{}"#, #""result":{"presented":"yes"}"#,
        #""result":[true]"#, #""result":null"#,
        #""error":{"code":-32601,"message":"no","data":{"reason":"unknown_method"}}"#,
        #""error":"no""#,
    ])
    func `whatever is no yes is a no, and the next one is asked`(answer: String) {
        let first = screen("first", priority: 1)
        let second = screen("second")
        a.ring(1)
        #expect(asked(first) == ["1: present c1"])
        #expect(asked(second) == [])
        first.send(#"{"jsonrpc":"2.0","id":1,\#(answer)}"#)
        #expect(asked(second) == ["1: present c1"])
        #expect(asked(first) == [])
    }

    @Test func `when all have declined the call is an event only`() {
        let first = screen("first", priority: 1)
        let second = screen("second")
        a.ring(1)
        answer(first, 1, false)
        answer(second, 1, false)
        host.turn(afterMS: 10_000)
        #expect(asked(first) == ["1: present c1"])
        #expect(asked(second) == ["1: present c1"])
    }

    @Test func `who says nothing for 2 s is not waited for, and is told so`() {
        let first = screen("first", priority: 1)
        let second = screen("second")
        a.ring(1)
        host.turn(afterMS: 1_999)
        #expect(asked(first) == ["1: present c1"])
        #expect(asked(second) == [])
        host.turn(afterMS: 1)
        #expect(asked(first) == ["cancel 1", dismissed(1, "timed_out")])
        #expect(asked(second) == ["1: present c1"])
    }

    @Test func `a screen that answers too late is asked once more, and then has the call`() {
        let only = screen("only")
        a.ring(1)
        host.turn(afterMS: 2_000)
        #expect(asked(only) == ["1: present c1", "cancel 1", dismissed(1, "timed_out")])
        answer(only, 1)
        #expect(asked(only) == ["2: present c1"])
        answer(only, 2)
        host.turn(afterMS: 10_000)
        #expect(asked(only) == [])
        _ = a.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        #expect(asked(only) == [dismissed(1, "ended")])
    }

    @Test func `a screen that is late each time is not asked a third time`() {
        let only = screen("only")
        a.ring(1)
        for request in 1...3 {
            host.turn(afterMS: 2_000)
            answer(only, request)
        }
        #expect(
            asked(only).filter { $0.contains("present") } == ["1: present c1", "2: present c1"])
    }

    @Test func `an answer that comes too late counts for nothing by itself`() {
        let first = screen("first", priority: 1)
        let second = screen("second")
        a.ring(1)
        host.turn(afterMS: 2_000)
        answer(first, 1)
        answer(second, 1, false)
        #expect(asked(first).count == 4)
        answer(first, 2, false)
        claim(second)
        #expect(asked(second) == ["1: present c1", "2: present c1"])
        answer(first, 1)
        answer(second, 2)
        host.turn(afterMS: 10_000)
        #expect(asked(second) == [])
    }

    @Test
    func `fifteen screens that say nothing delay a sixteenth by 2 s, and its next call by nothing`()
    {
        let silent = (1...15).map { screen("silent\($0)", priority: 1) }
        let real = screen("real")
        a.ring(1)
        host.turn(afterMS: 2_000)
        #expect(asked(real) == ["1: present c1"])
        #expect(silent.map { asked($0).count } == [3] + Array(repeating: 1, count: 14))
        answer(real, 1)
        let taken = ["cancel 1", dismissed(1, "taken")]
        #expect(silent.map { asked($0) } == [[]] + Array(repeating: taken, count: 14))
        _ = a.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        host.turn(afterMS: 2_000)
        #expect(silent.allSatisfy { asked($0) == [] })
    }

    @Test func `a yes that comes second is told that the call is taken, and changes nothing`() {
        let first = screen("first", priority: 2)
        let second = screen("second", priority: 1)
        let third = screen("third")
        a.ring(1)
        host.turn(afterMS: 2_000)
        answer(third, 1)
        answer(second, 1)
        #expect(asked(second) == ["1: present c1", "cancel 1", dismissed(1, "taken")])
        host.turn(afterMS: 10_000)
        third.vanish()
        #expect(asked(second) == ["2: present c1"])
        #expect(asked(first).count == 3)
    }

    @Test func `a screen that was silent gets no new call before the others, until it answers`() {
        let first = screen("first", priority: 1)
        let second = screen("second")
        a.ring(1)
        host.turn(afterMS: 2_000)
        answer(second, 1)
        a.ring(2)
        #expect(asked(second) == ["1: present c1", "2: present c2"])
        answer(first, 1)
        a.ring(3)
        #expect(
            asked(first) == [
                "1: present c1", "cancel 1", dismissed(1, "timed_out"), "2: present c3",
            ])
        #expect(asked(second) == [])
    }

    @Test func `a screen that hangs is passed over once it owes too much`() {
        let host = MemoryBroker { $0.makeRoom(for: 300) }
        let provider = host.provider()
        let hung = host.ready("ui", identity: "org.hung")
        let other = host.ready("ui", identity: "org.other")
        hung.post("ui.claim", #"{"priority":1}"#)
        other.post("ui.claim")
        for call in 1...257 { provider.ring(call) }
        let count = { (peer: MemoryPeer) in
            peer.lines().count { $0.contains(#""method":"ui.present""#) }
        }
        #expect(count(hung) == 256)
        #expect(count(other) == 1)
        host.turn(afterMS: 2_000)
        #expect(count(other) == 255)
    }

    // MARK: - Screens that come and go

    @Test func `a claim gets every call that nobody presents, oldest first`() {
        for call in [3, 1, 2] { a.ring(call) }
        let screen = screen("screen")
        #expect(asked(screen) == ["1: present c3", "2: present c1", "3: present c2"])
    }

    @Test func `a higher claim gets new calls, and none that is presented`() {
        let first = screen("first")
        a.ring(1)
        answer(first, 1)
        let second = screen("second", priority: 1)
        #expect(asked(second) == [])
        a.ring(2)
        #expect(asked(second) == ["1: present c2"])
        #expect(asked(first) == ["1: present c1"])
    }

    @Test func `what a screen presented, or was asked about, goes to the next when it goes`() {
        let first = screen("first", priority: 1)
        let second = screen("second")
        a.ring(1)
        answer(first, 1)
        a.ring(2)
        first.vanish()
        #expect(asked(second) == ["1: present c1", "2: present c2"])
        host.turn(afterMS: 1_999)
        #expect(asked(second) == [])
    }

    @Test(arguments: ["broker.goodbye", "half-close"])
    func `a screen that says no more presents nothing`(how: String) {
        let first = screen("first", priority: 1)
        let second = screen("second")
        a.ring(1)
        answer(first, 1)
        if how == "half-close" {
            first.endInput()
        } else {
            first.send(Frame.notification(how, #"{"reason":"done"}"#))
        }
        #expect(asked(second) == ["1: present c1"])
    }

    @Test func `a screen that releases is told what it has to let go of`() {
        let first = screen("first", priority: 1)
        let second = screen("second")
        a.ring(1)
        a.ring(2)
        answer(first, 1)
        _ = news(first)
        first.post("ui.release")
        #expect(
            news(first) == [
                dismissed(1, "released"), "cancel 2", dismissed(2, "released"),
                #"2: {"primary":false}"#,
            ])
        #expect(asked(second) == ["1: present c1", "2: present c2"])
        a.ring(3)
        #expect(news(first) == [])
    }

    @Test func `two that decline each other's calls come to rest`() {
        let first = screen("first")
        let second = screen("second")
        a.ring(1)
        for round in 1...50 {
            answer(first, round, false)
            answer(second, round, false)
            claim(first, priority: round % 2)
            claim(second, priority: (round + 1) % 2)
        }
        #expect(asked(first).count == 51)
        #expect(asked(second).count == 50)
    }

    @Test func `a claim in a batch is answered with it`() {
        let peer = host.ready("ui", identity: "org.screen")
        a.ring(1)
        peer.send(
            Frame.batch(Frame.request(1, "ui.claim"), Frame.request(2, "broker.ping")))
        #expect(asked(peer).first == "1: present c1")
    }

    // MARK: - The end of a call

    @Test func `a call that is over is dismissed, by whom it was presented`() {
        let first = screen("first", priority: 1)
        let second = screen("second")
        a.ring(1)
        answer(first, 1)
        _ = news(first)
        _ = a.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        #expect(asked(first) == [dismissed(1, "ended")])
        #expect(asked(second) == [])
    }

    @Test func `it is dismissed by who is being asked, too, and that question is taken back`() {
        let screen = screen("screen")
        a.ring(1)
        _ = news(screen)
        _ = a.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        #expect(asked(screen) == ["cancel 1", dismissed(1, "ended")])
        answer(screen, 1)
        host.turn(afterMS: 2_000)
        #expect(asked(screen) == [])
    }

    @Test func `a call that is answered stays where it is`() {
        let screen = screen("screen")
        a.ring(1)
        answer(screen, 1)
        _ = user.tell("call.answer", #"{"call":"c1"}"#)
        host.settle(a)
        #expect(asked(screen) == [])
    }

    // MARK: - The broker itself

    @Test func `a broker that was killed presents its calls to whoever claims`() throws {
        let screen = screen("screen")
        a.ring(1)
        answer(screen, 1)
        let next = try MemoryBroker(goingOnAfter: host)
        let again = next.ready("ui", identity: "org.screen")
        again.post("ui.claim")
        #expect(asked(again) == ["1: present c1"])
    }

    @Test func `a broker that stops hands nothing from one to the next`() {
        let screens = ["a", "b", "c"].map { screen($0) }
        a.ring(1)
        host.forget()
        host.stop()
        #expect(screens.map { news($0) } == Array(repeating: ["goodbye restarting"], count: 3))
    }

    @Test func `rest is when no screen owes an answer`() {
        let admin = host.ready("admin")
        let screen = screen("screen")
        a.ring(1)
        admin.post("test.settle")
        host.broker.answerSettled()
        #expect(admin.lines() == [])
        admin.post("test.settle", #"{"ignore":["org.screen"]}"#)
        host.broker.answerSettled()
        #expect(admin.lines().count == 1)
        answer(screen, 1)
        host.broker.answerSettled()
        #expect(admin.lines().count == 1)
    }

    @Test func `timers of answers that came are gone`() {
        let screen = screen("screen")
        let deadline = { [host] in host.broker.nextDeadline }
        a.ring(1)
        #expect(deadline() == host.now.advanced(milliseconds: 2_000))
        answer(screen, 1)
        #expect(deadline() != host.now.advanced(milliseconds: 2_000))
    }
}
