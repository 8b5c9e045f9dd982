import CallBroker
import CallJournal
import CallProtocol
import CallTesting
import Testing

/// An app that is denied while it has calls (rule 33), over the wire.
struct BrokerRevocationTests {
    private let host = MemoryBroker()
    private let a: MemoryPeer
    private let user: MemoryPeer
    private let admin: MemoryPeer
    private let observer: MemoryPeer

    private static let denied = #""authorization":{"org.a":"denied"}"#
    private static let reset = #"provider.reset {"reason":"admin"}"#
    private static let told = #"provider.authorization_changed {"status":"denied"}"#

    init() {
        a = host.provider()
        user = host.controller()
        admin = host.ready("admin")
        observer = host.observer("provider.*", "call.*")
    }

    private func set(_ members: String, by admin: MemoryPeer? = nil) {
        let admin = admin ?? self.admin
        admin.post("policy.set", "{\(members)}")
        _ = admin.lines()
    }

    private func live(_ number: Int) -> String {
        #"{"call":"c\#(number)","direction":"incoming","state":"active","#
            + #""remote":{"type":"phone","value":"+1555\#(number)"}}"#
    }

    private func comeBack(to host: MemoryBroker, _ calls: Int...) -> String {
        let list = calls.map { live($0) }.joined(separator: ",")
        let peer = host.ready("provider", identity: "org.a")
        return ShortID.short(peer.register(#""calls":[\#(list)]"#).joined(separator: "\n"))
    }

    // MARK: - While it is there

    @Test func `a denied app hears why, loses the audio and drops its calls`() throws {
        host.talk(1, of: a, by: user)
        set(Self.denied)
        #expect(a.brief() == [Self.told, "audio.deactivated c1: c1", Self.reset])
        #expect(
            observer.brief() == [
                "provider.changed org.a calls 1",
                "~ c1 ended away failed (state end_reason end_cause) admin/33", "- c1 admin/33",
                "provider.removed provider=org.a reason=revoked", "provider.added org.a calls 0",
            ])
        try host.expectThatItsJournalTellsAll()
    }

    @Test func `what it says afterwards is refused as from one that was denied before`() throws {
        host.talk(1, of: a, by: user)
        set(Self.denied)
        host.forget()
        a.lastID = 10
        #expect(a.ring(2) == ["11: -32003 unentitled rule=33"])
        #expect(
            a.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
                == ["12: -32004 call_ended rule=31"])
        #expect(user.tell("call.list").last?.hasSuffix(#"{"calls":[]}"#) == true)
        set(#""authorization":{"org.a":"authorized"}"#)
        _ = a.brief()
        #expect(a.ring(3).last?.contains("ringing") == true)
        try host.expectThatItsJournalTellsAll()
    }

    @Test func `whoever waits for it is told that it may have no calls`() throws {
        host.talk(1, of: a, by: user)
        user.lastID = 0
        user.post("call.set_held", #"{"call":"c1","held":true,"wait":"completed"}"#)
        set(Self.denied)
        let error = try JSONTree(#require(user.lines().first))["error"]
        #expect(error?["code"] == .integer(-32_003))
        #expect(error?["data"]?["reason"] == .string("unentitled"))
        #expect(error?["data"]?["rule"] == .string("33"))
        #expect(error?["data"]?["hint"]?.string?.contains("authorization") == true)
        // It may have done so all the same: too late.
        _ = a.brief()
        for id in a.audit.performs.keys.sorted() { a.fulfil(id) }
        #expect(user.tell("call.list").last?.hasSuffix(#"{"calls":[]}"#) == true)
        try host.expectThatItsJournalTellsAll()
    }

    @Test func `a call that a screener looks at never rings`() throws {
        let guardian = host.adviser(.screener, "org.guard")
        a.ring(1)
        host.forget()
        set(Self.denied)
        #expect(a.brief().first == Self.told)
        guardian.answer("screener.check", #"{"verdict":"continue"}"#)
        #expect(observer.brief().contains { $0.contains("c1") } == false)
        try host.expectThatItsJournalTellsAll()
    }

    @Test func `the report of a call that a screener looks at is refused`() {
        _ = host.adviser(.screener, "org.guard")
        a.ring(1)
        set(Self.denied)
        #expect(a.brief() == [Self.told, "1: -32003 unentitled rule=33", Self.reset])
    }

    @Test func `what was held for its call is offered, and the user resumes it`() throws {
        let b = host.provider("org.b")
        host.talk(1, of: b, by: user)
        a.ring(2)
        _ = user.tell("call.answer", #"{"call":"c2"}"#)
        host.settle(a, b)
        set(Self.denied)
        #expect(observer.brief().contains { $0.hasPrefix("call.resume_offered call=c1") })
        _ = user.tell("call.set_held", #"{"call":"c1","held":false}"#)
        #expect(b.brief().last?.contains("set_held c1 held=false") == true)
        try host.expectThatItsJournalTellsAll()
    }

    @Test func `nobody loses a call by what is said of others`() {
        host.talk(1, of: a, by: user)
        set(#""authorization":{"org.b":"denied"},"limits":{"ringing":2}"#)
        set(#""authorization":{"org.a":"authorized"},"new_providers":"deny""#)
        #expect(a.brief() == [])
        #expect(user.tell("call.list").last?.contains("c1 active") == true)
    }

    @Test func `to deny all that nobody has spoken of denies those that are there`() throws {
        host.talk(1, of: a, by: user)
        set(#""new_providers":"deny""#)
        #expect(a.brief() == [Self.told, "audio.deactivated c1: c1", Self.reset])
        set(Self.denied)
        #expect(a.brief() == [])
        try host.expectThatItsJournalTellsAll()
    }

    @Test func `one that the user is to be asked about keeps its calls, and gets no more`() throws {
        host.talk(1, of: a, by: user)
        set(#""new_providers":"ask""#)
        #expect(
            a.brief() == [#"provider.authorization_changed {"status":"not_determined"}"#])
        a.vanish()
        let reply = comeBack(to: host, 1, 2)
        #expect(reply.contains(#""calls":["c1"],"dropped":["c2"]"#))
        #expect(user.tell("call.list").last?.contains("c1 active") == true)
        try host.expectThatItsJournalTellsAll()
    }

    // MARK: - While it is not

    @Test func `one that is away loses its calls at once, and they do not come back with it`()
        throws
    {
        host.talk(1, of: a, by: user)
        a.vanish()
        host.forget()
        set(Self.denied)
        #expect(
            observer.brief() == [
                "provider.changed org.a calls 1",
                "~ c1 ended away failed (state end_reason end_cause) admin/33", "- c1 admin/33",
                "provider.removed provider=org.a reason=revoked",
            ])
        let reply = comeBack(to: host, 1)
        #expect(reply.contains(#""authorization":"denied""#))
        #expect(reply.contains(#""calls":[],"dropped":["c1"]"#))
        try host.expectThatItsJournalTellsAll()
    }

    @Test func `one that comes back and says nothing of its calls is told to drop them`() throws {
        host.talk(1, of: a, by: user)
        a.vanish()
        let back = host.ready("provider", identity: "org.a")
        set(Self.denied)
        #expect(back.brief() == [Self.told, "audio.deactivated c1: c1"])
        #expect(back.register().first == Self.reset)
        try host.expectThatItsJournalTellsAll()
    }

    @Test func `no call of one that is denied is taken over when it registers`() throws {
        set(#""authorization":{"org.b":"denied"}"#)
        let b = host.ready("provider", identity: "org.b")
        let reply = b.register(#""calls":[\#(live(7))]"#).map { ShortID.short($0) }.joined()
        #expect(reply.contains(#""calls":[],"dropped":["c7"]"#))
        #expect(user.tell("call.list").last?.hasSuffix(#"{"calls":[]}"#) == true)
        try host.expectThatItsJournalTellsAll()
    }

    // MARK: - A broker that was killed

    @Test func `a broker that was killed afterwards knows`() throws {
        host.talk(1, of: a, by: user)
        user.post("call.set_held", #"{"call":"c1","held":true,"wait":"completed"}"#)
        set(Self.denied)
        let next = try MemoryBroker(goingOnAfter: host)
        #expect(comeBack(to: next, 1).contains(#""calls":[],"dropped":["c1"]"#))
        #expect(next.controller().tell("call.list").last?.hasSuffix(#"{"calls":[]}"#) == true)
        #expect(next.broker.snapshot().waiting.isEmpty)
        try next.expectThatItsJournalTellsAll()
    }

    @Test func `one that is denied before it is back after a kill loses its calls`() throws {
        host.talk(1, of: a, by: user)
        let next = try MemoryBroker(goingOnAfter: host)
        set(Self.denied, by: next.ready("admin"))
        #expect(next.controller().tell("call.list").last?.hasSuffix(#"{"calls":[]}"#) == true)
        #expect(comeBack(to: next, 1).contains(#""calls":[],"dropped":["c1"]"#))
        try next.expectThatItsJournalTellsAll()
    }
}
