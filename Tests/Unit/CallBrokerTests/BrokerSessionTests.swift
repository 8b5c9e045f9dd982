import CallBroker
import CallTesting
import Testing

/// Providers that go and come back.
struct BrokerSessionTests {
    private let host = MemoryBroker()
    private let user: MemoryPeer
    private let observer: MemoryPeer

    init() {
        user = host.controller()
        observer = host.observer("provider.*", "call.*", "action.*")
    }

    private func hello(_ members: String = "") -> String {
        Frame.hello(#""roles":["provider"],"identity":"org.a"\#(members)"#)
    }

    /// A provider and what its next connection needs to know.
    private func provider() throws -> (peer: MemoryPeer, resume: String) {
        let peer = host.connect()
        let session = try #require(
            try JSONTree(peer.ask(hello()).joined())["result"]?["session"])
        peer.register()
        peer.lastID = 0
        let resume =
            #","resume":{"session":\#(session["session"] ?? .null),"#
            + #""secret":\#(session["secret"] ?? .null)}"#
        return (peer, resume)
    }

    private func call(_ number: Int, _ state: String = "active") -> String {
        #"{"call":"c\#(number)","direction":"incoming","state":"\#(state)","#
            + #""remote":{"type":"phone","value":"+1555\#(number)"}}"#
    }

    private func comeBack(_ members: String = "") -> MemoryPeer {
        let peer = host.connect()
        _ = peer.ask(hello(members))
        return peer
    }

    // MARK: - Resuming

    @Test func `a session is resumed with its secret`() throws {
        let (old, resume) = try provider()
        old.ring(1)
        old.vanish()
        let peer = host.connect()
        let session = try JSONTree(peer.ask(hello(resume)).joined())["result"]?["session"]
        #expect(session?["resumed"] == .boolean(true))
        #expect(session?["grace_ms"] == .integer(5_000))
    }

    @Test func `one that shows the secret takes over from a connection that lives`() throws {
        let (old, resume) = try provider()
        old.ring(1)
        host.forget()
        let new = comeBack(resume)
        #expect(old.brief() == ["goodbye superseded"])
        #expect(old.isClosed)
        host.turn()
        let line = new.register(#""calls":[\#(call(1, "ringing"))]"#).joined()
        #expect(line.contains(#""calls":["c1"],"dropped":[]"#))
        #expect(user.tell("call.list") == ["1: [c1 ringing]"])
        // The calls belong to the new one: nothing ends with the old one's grace.
        host.turn(afterMS: 30_000)
        #expect(user.tell("call.list") == ["2: [c1 ringing]"])
    }

    @Test func `a wrong secret is not let in beside a connection that lives`() throws {
        let (old, _) = try provider()
        let wrong =
            #","resume":{"session":"\#(ShortID.call(1))","secret":"0123456789abcdef"}"#
        let peer = host.connect()
        #expect(
            peer.ask(hello(wrong)).map { Brief.line($0) } == ["0: -32005 identity field=/identity"])
        #expect(peer.ask(hello()).map { Brief.line($0) } == ["0: -32005 identity field=/identity"])
        #expect(!old.isClosed)
        #expect(old.ring(1).count == 1)
    }

    @Test func `one that has hung up, and has frames waiting, does not keep its identity`() throws {
        let (old, _) = try provider()
        for number in 1...70 { old.post("broker.ping", #"{"payload":\#(number)}"#) }
        old.hangUp()
        let peer = host.connect()
        let session = try JSONTree(peer.ask(hello()).joined())["result"]?["session"]
        #expect(session?["resumed"] == .boolean(false))
    }

    // MARK: - Taken by somebody else

    @Test func `one that was away has its identity and calls again from a stranger who took it`()
        throws
    {
        let (owner, resume) = try provider()
        owner.ring(1)
        owner.vanish()
        let stranger = comeBack()
        stranger.register(#""calls":[\#(call(1, "ringing"))]"#)
        _ = stranger.tell(
            "call.report_incoming", #"{"call":"c2","remote":{"type":"phone","value":"+15552"}}"#)
        let back = host.connect()
        let session = try JSONTree(back.ask(hello(resume)).joined())["result"]?["session"]
        #expect(session?["resumed"] == .boolean(true))
        #expect(resume.contains(session?["secret"]?.string ?? "none"))
        #expect(stranger.brief().last == "goodbye superseded")
        #expect(stranger.isClosed)
        let line = back.register(#""calls":[\#(call(1, "ringing"))]"#).joined()
        #expect(line.contains(#""calls":["c1"],"dropped":[]"#))
        #expect(user.tell("call.list") == ["1: [c1 ringing]"])
    }

    @Test func `one that had no calls, or never registered, has it again as well`() throws {
        for registers in [true, false] {
            let host = MemoryBroker()
            let owner = host.connect()
            let session = try JSONTree(owner.ask(hello()).joined())["result"]?["session"]
            if registers { owner.register() }
            owner.vanish()
            let stranger = host.connect()
            _ = stranger.ask(hello())
            stranger.register()
            let resume =
                #","resume":{"session":\#(session?["session"] ?? .null),"#
                + #""secret":\#(session?["secret"] ?? .null)}"#
            #expect(host.connect().ask(hello(resume)).joined().contains(#""resumed":true"#))
            #expect(stranger.isClosed)
        }
    }

    @Test func `so it is after a restart of the broker, whoever came first`() throws {
        let (owner, resume) = try provider()
        owner.ring(1)
        let next = try MemoryBroker(goingOnAfter: host)
        let stranger = next.connect()
        _ = stranger.ask(hello())
        stranger.register()
        let back = next.connect()
        #expect(back.ask(hello(resume)).joined().contains(#""resumed":true"#))
        #expect(stranger.isClosed)
        let line = back.register(#""calls":[\#(call(1, "ringing"))]"#).joined()
        #expect(line.contains(#""calls":["c1"],"dropped":[]"#))
    }

    @Test func `and when the broker restarts after the stranger came`() throws {
        let (owner, resume) = try provider()
        owner.ring(1)
        owner.vanish()
        comeBack().register(#""calls":[\#(call(1, "ringing"))]"#)
        let next = try MemoryBroker(goingOnAfter: host)
        #expect(next.connect().ask(hello(resume)).joined().contains(#""resumed":true"#))
    }

    @Test func `the stranger's secret counts for nothing then`() throws {
        let (owner, resume) = try provider()
        owner.ring(1)
        owner.vanish()
        let stranger = host.connect()
        let session = try JSONTree(stranger.ask(hello()).joined())["result"]?["session"]
        stranger.register(#""calls":[\#(call(1, "ringing"))]"#)
        let back = comeBack(resume)
        let strange =
            #","resume":{"session":\#(session?["session"] ?? .null),"#
            + #""secret":\#(session?["secret"] ?? .null)}"#
        #expect(host.connect().ask(hello(strange)).joined().contains(#""reason":"identity""#))
        #expect(!back.isClosed)
    }

    @Test func `one that wakes after half a minute ends nothing`() throws {
        let (owner, resume) = try provider()
        owner.ring(1)
        owner.vanish()
        let stranger = comeBack()
        stranger.register()
        host.turn(afterMS: 30_000)
        #expect(host.connect().ask(hello(resume)).joined().contains(#""reason":"identity""#))
        #expect(!stranger.isClosed)
    }

    @Test func `a secret of one identity opens no other`() throws {
        let (owner, resume) = try provider()
        owner.vanish()
        let other = host.provider("org.b")
        let hello = Frame.hello(#""roles":["provider"],"identity":"org.b"\#(resume)"#)
        #expect(host.connect().ask(hello).joined().contains(#""reason":"identity""#))
        #expect(!other.isClosed)
    }

    // MARK: - Lost

    @Test func `calls of a lost connection stay for its grace`() throws {
        let (a, _) = try provider()
        a.ring(1)
        host.forget()
        a.vanish()
        #expect(
            observer.brief() == [
                "provider.lost provider=org.a grace_ms=5000 calls=[c1]",
                "~ c1 ringing away (provider_connected) provider/27",
            ])
        #expect(user.tell("call.list") == ["1: [c1 ringing away]"])
        host.turn(afterMS: 4_999)
        #expect(observer.brief() == [])
        host.turn(afterMS: 1)
        #expect(
            observer.brief() == [
                "~ c1 ended away failed (state end_reason end_cause) provider/27",
                "- c1 provider/27", "provider.removed provider=org.a reason=grace_expired",
            ])
        #expect(user.tell("call.list") == [#"2: {"calls":[]}"#])
    }

    @Test(arguments: [0, 30_000])
    func `the grace is what the provider asked for`(grace: Int) {
        let a = host.provider("org.b", #""grace_ms":\#(grace)"#)
        a.ring(1)
        host.forget()
        a.vanish()
        #expect(
            observer.brief().first
                == "provider.lost provider=org.b grace_ms=\(grace) calls=[c1]")
        if grace > 0 {
            host.turn(afterMS: grace - 1)
            #expect(observer.brief() == [])
        }
        host.turn(afterMS: 1)
        #expect(observer.brief().last?.hasPrefix("provider.removed") == true)
    }

    @Test func `an adapter has 15 s`() {
        let a = host.provider("org.b", #""app_process":"separate""#)
        a.ring(1)
        host.forget()
        a.vanish()
        #expect(
            observer.brief().first == "provider.lost provider=org.b grace_ms=15000 calls=[c1]")
    }

    @Test func `to shut the writing side is to be lost`() throws {
        let (a, _) = try provider()
        a.ring(1)
        host.forget()
        a.endInput()
        host.turn()
        #expect(observer.brief().first == "provider.lost provider=org.a grace_ms=5000 calls=[c1]")
    }

    @Test func `to say goodbye is to be lost`() throws {
        let (a, _) = try provider()
        a.ring(1)
        host.forget()
        a.send(Frame.notification("broker.goodbye", #"{"reason":"stop","resumable":true}"#))
        host.turn()
        #expect(observer.brief().first == "provider.lost provider=org.a grace_ms=5000 calls=[c1]")
        let again = comeBack()
        #expect(
            again.register(#""calls":[\#(call(1, "ringing"))]"#).joined()
                .contains(#""calls":["c1"],"dropped":[]"#))
    }

    @Test func `a provider without calls has nothing to wait for`() throws {
        let (a, _) = try provider()
        host.forget()
        a.vanish()
        #expect(
            observer.brief() == [
                "provider.lost provider=org.a grace_ms=0 calls=[]",
                "provider.removed provider=org.a reason=disconnected",
            ])
        #expect(user.tell("provider.list") == [#"1: {"providers":[]}"#])
    }

    // MARK: - Meanwhile

    @Test func `an end is done here, at once`() throws {
        let (a, _) = try provider()
        host.talk(1, of: a, by: user)
        a.vanish()
        host.forget()
        #expect(
            user.tell("call.end", #"{"call":"c1","wait":"completed"}"#) == [
                "2: completed #3 [#4 end c1 fulfilled]"
            ])
        let events = observer.brief()
        #expect(events.last == "- c1 user")
        #expect(events.contains { $0.hasPrefix("~ c1 ended away local_ended") })
        // It comes back with a call that is over here, and must tear it down.
        let line = comeBack().register(#""calls":[\#(call(1))]"#).joined()
        #expect(line.contains(#""calls":[],"dropped":["c1"]"#))
    }

    @Test func `what was asked meanwhile is sent when it comes back, and once`() throws {
        let (a, _) = try provider()
        host.talk(1, of: a, by: user)
        a.vanish()
        host.forget()
        #expect(user.tell("call.set_muted", #"{"call":"c1","muted":true}"#).count == 1)
        #expect(user.tell("call.set_muted", #"{"call":"c1","muted":false}"#).count >= 1)
        #expect(user.tell("call.set_muted", #"{"call":"c1","muted":true}"#).count >= 1)
        host.turn(afterMS: 1_000)
        let back = comeBack()
        let lines = back.register(#""calls":[\#(call(1))]"#)
        #expect(
            lines.dropFirst() == [
                "perform 1 #8 set_muted c1 muted=true user/34 4000 ms", "audio.activated c1: c1",
            ])
        #expect(back.fulfilling(1) == [])
        #expect(user.tell("call.list").last == "5: [c1 active muted]")
    }

    @Test func `what waits has its own deadline`() throws {
        let (a, _) = try provider()
        host.talk(1, of: a, by: user)
        a.vanish()
        host.forget()
        _ = user.tell(
            "call.set_muted", #"{"call":"c1","muted":true,"wait":"completed","deadline_ms":2000}"#)
        host.turn(afterMS: 1_999)
        #expect(user.brief() == [])
        host.turn(afterMS: 1)
        #expect(user.brief().map { $0.prefix(27) } == ["2: -32009 deadline_exceeded"])
        let lines = comeBack().register(#""calls":[\#(call(1))]"#)
        #expect(lines.dropFirst() == ["audio.activated c1: c1"])
    }

    @Test func `what was sent is sent again, with the time that is left`() throws {
        let (a, _) = try provider()
        a.ring(1)
        user.post("call.answer", #"{"call":"c1","wait":"completed"}"#)
        host.forget()
        a.vanish()
        host.turn(afterMS: 1_000)
        let back = comeBack()
        let lines = back.register(#""calls":[\#(call(1, "ringing"))]"#)
        #expect(lines.last == "perform 1 #2 answer c1 user 59000 ms attempt 2")
        #expect(back.fulfilling(1) == ["audio.activated c1: c1"])
        #expect(user.brief() == ["1: completed #1 [#2 answer c1 fulfilled]"])
        #expect(observer.brief().contains("action.fulfilled #2 answer c1 attempt 2"))
    }

    @Test func `an answer fails when its provider does not come back`() throws {
        let (a, _) = try provider()
        a.ring(1)
        user.post("call.answer", #"{"call":"c1","wait":"completed"}"#)
        a.vanish()
        host.turn(afterMS: 5_000)
        #expect(user.brief().map { $0.prefix(23) } == ["1: -32014 provider_gone"])
        #expect(user.tell("call.list") == [#"2: {"calls":[]}"#])
    }

    // MARK: - Reconciling

    @Test func `what it does not list is over`() throws {
        let (a, resume) = try provider()
        host.talk(1, of: a, by: user)
        a.ring(2)
        a.vanish()
        host.forget()
        let back = comeBack(resume)
        let line = back.register(#""calls":[\#(call(2, "ringing"))]"#).joined()
        #expect(line.contains(#""calls":["c2"],"dropped":[]"#))
        let events = observer.brief()
        #expect(events.first == "provider.resumed org.a calls 1")
        #expect(events.contains { $0.hasPrefix("~ c1 ended") && $0.contains(" failed ") })
        #expect(user.tell("call.list") == ["2: [c2 ringing]"])
    }

    @Test func `one that says nothing of its calls is told to drop them, and then let in`() throws {
        let (a, resume) = try provider()
        host.talk(1, of: a, by: user)
        a.vanish()
        let lines = comeBack(resume).register()
        #expect(
            lines.dropLast() == [
                "audio.deactivated c1: c1", #"provider.reset {"reason":"broker_reset"}"#,
            ])
        #expect(lines.last?.contains(#""calls":[],"dropped":[]"#) == true)
        #expect(user.tell("call.list") == [#"2: {"calls":[]}"#])
    }

    @Test(arguments: [#""calls":[]"#, #""calls":[],"more":true"#])
    func `one that says that it has none is not`(members: String) throws {
        let (a, resume) = try provider()
        host.talk(1, of: a, by: user)
        a.vanish()
        let lines = comeBack(resume).register(members)
        #expect(!lines.contains { $0.hasPrefix("provider.reset") })
    }

    @Test func `one that had no calls has none to drop`() throws {
        let (a, resume) = try provider()
        a.vanish()
        #expect(comeBack(resume).register().count == 1)
    }

    @Test func `one that comes too late is told that the calls that it does not name are over`()
        throws
    {
        let (a, resume) = try provider()
        host.talk(1, of: a, by: user)
        a.vanish()
        host.turn(afterMS: 5_000)
        let late = comeBack(resume)
        let lines = late.register()
        #expect(lines.first == #"provider.reset {"reason":"grace_expired"}"#)
        #expect(lines.count == 2)
        // Once.
        #expect(late.register().count == 1)
    }

    @Test func `one that comes too late and names its calls has them again`() throws {
        let (a, resume) = try provider()
        host.talk(1, of: a, by: user)
        a.vanish()
        host.turn(afterMS: 5_000)
        let lines = comeBack(resume).register(#""calls":[\#(call(1))]"#)
        #expect(lines.contains { $0.contains(#""calls":["c1"],"dropped":[]"#) })
        #expect(!lines.contains { $0.hasPrefix("provider.reset") })
    }

    @Test func `one whose session the broker never had may have any calls`() {
        let resume =
            #","resume":{"session":"\#(ShortID.call(1))","secret":"0123456789abcdef"}"#
        #expect(
            comeBack(resume).register().first == #"provider.reset {"reason":"broker_reset"}"#)
    }

    @Test func `one that comes for the first time has nothing to drop`() {
        #expect(comeBack().register().count == 1)
    }

    @Test func `what the broker does not know is taken over`() throws {
        let (a, _) = try provider()
        a.vanish()
        let back = comeBack()
        let lines = back.register(
            #""calls":[\#(call(1)),\#(call(2, "held")),\#(call(3, "ringing"))]"#)
        #expect(lines.joined().contains(#""calls":["c1","c2","c3"],"dropped":[]"#))
        #expect(lines.first == "audio.activated c1: c1")
        #expect(user.tell("call.list") == ["1: [c1 active, c2 held, c3 waiting]"])
    }

    @Test func `what finds no place is returned, and must be ended`() throws {
        let (a, b) = (try provider().peer, host.provider("org.b"))
        host.talk(9, of: b, by: user)
        a.vanish()
        let back = comeBack()
        let calls = (1...17).map { call($0, "held") }.joined(separator: ",")
        let line = back.register(#""calls":[\#(calls)]"#).joined()
        let result = try JSONTree(String(line.drop { $0 != "{" }))
        let taken = result["calls"]?.elements.count ?? 0
        let dropped = result["dropped"]?.elements.count ?? 0
        #expect(taken + dropped == 17)
        #expect(dropped > 0 && taken <= 16)
        let held = try JSONTree(
            user.ask(Frame.request(99, "call.list", #"{"filter":{"provider":"org.a"}}"#)).joined())
        #expect(held["result"]?["calls"]?.elements.count == taken)
    }

    @Test func `many are listed in several registrations, the last of which says so`() throws {
        let (a, _) = try provider()
        host.talk(1, of: a, by: user)
        a.ring(2)
        a.ring(3)
        a.vanish()
        host.forget()
        let back = comeBack()
        _ = back.register(#""more":true,"calls":[\#(call(1))]"#)
        #expect(!observer.brief().contains { $0.contains("ended") })
        let line = back.register(#""calls":[\#(call(3, "ringing"))]"#).joined()
        #expect(line.contains(#""calls":["c1","c3"],"dropped":[]"#))
        #expect(observer.brief().contains { $0.hasPrefix("~ c2 ended") })
    }

    @Test(arguments: [
        (#"{"call":"c1"}"#, "missing_member field=/calls/0/direction"),
        (
            #"{"call":"c1","direction":"incoming","state":"starting","remote":null}"#,
            "not_one_of field=/calls/0/state"
        ),
        (
            #"{"call":"c1","direction":"up","state":"held","remote":null}"#,
            "not_one_of field=/calls/0/direction"
        ),
        (
            #"{"call":"c1","direction":"incoming","state":"held"}"#,
            "missing_member field=/calls/0/remote"
        ),
    ])
    func `a call that is listed wrongly is named`(entry: String, fault: String) throws {
        let (a, _) = try provider()
        a.vanish()
        #expect(comeBack().register(#""calls":[\#(entry)]"#) == ["1: -32602 \(fault)"])
    }
}
