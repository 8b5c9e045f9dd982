import CallBroker
import CallTesting
import Testing

/// Who rings for a call: its app, or the screen that presents it.
struct BrokerPresentationTests {
    private let host = MemoryBroker()
    private let user: MemoryPeer

    init() {
        user = host.controller()
        host.forget()
    }

    /// An app, registered, that can be told how its calls are to sound.
    private func app(
        _ name: String = "a", _ members: String = #","features":["presentation","tone"]"#
    )
        -> MemoryPeer
    {
        let peer = host.connect()
        _ = peer.ask(
            Frame.hello(#""roles":["provider"],"identity":"org.\#(name)"\#(members)"#))
        _ = peer.tell(
            "provider.register", #"{"display_name":"App","handle_types":["phone"]}"#)
        peer.lastID = 0
        return peer
    }

    private func screen(_ name: String, _ members: String = #""sound":true"#) -> MemoryPeer {
        let peer = host.ready("ui", identity: "org.\(name)")
        peer.post("ui.claim", "{\(members)}")
        return peer
    }

    private func answer(_ screen: MemoryPeer, _ isPresented: Bool) {
        screen.answer("ui.present", #"{"presented":\#(isPresented)}"#)
    }

    private func rings(_ id: Int, _ presentation: String, _ state: String = "ringing") -> String {
        #"\#(id): {"call":"c\#(id)","state":"\#(state)","presentation":"\#(presentation)"}"#
    }

    private func told(_ call: Int, _ presentation: String) -> String {
        #"call.presentation {"call":"c\#(call)","presentation":"\#(presentation)"}"#
    }

    @Test func `while a screen that rings has the call, its app is silent`() {
        let a = app()
        let screen = screen("s")
        #expect(a.ring(1) == [rings(1, "silent")])
        answer(screen, true)
        #expect(a.brief() == [])
        #expect(screen.tell("ui.release").last?.contains("primary") == true)
        #expect(a.brief() == [told(1, "ring")])
    }

    @Test func `one that declines, or says nothing, leaves the ringing to the app`() {
        let a = app()
        let screen = screen("s")
        #expect(a.ring(1) == [rings(1, "silent")])
        answer(screen, false)
        #expect(a.brief() == [told(1, "ring")])
        #expect(a.ring(2) == [rings(2, "silent", "waiting")])
        host.turn(afterMS: 2_000)
        #expect(a.brief() == [told(2, "ring")])
    }

    @Test func `a screen that comes while the call rings takes over the ringing`() {
        let a = app()
        #expect(a.ring(1) == [rings(1, "ring")])
        let screen = screen("s")
        #expect(a.brief() == [told(1, "silent")])
        answer(screen, true)
        screen.vanish()
        #expect(a.brief() == [told(1, "ring")])
    }

    @Test(arguments: [#""sound":false"#, ""])
    func `a screen without sound changes nothing`(members: String) {
        let a = app()
        let screen = screen("s", members)
        #expect(a.ring(1) == [rings(1, "ring")])
        answer(screen, true)
        #expect(a.brief() == [])
    }

    @Test(arguments: ["", #","features":["x_unknown"]"#])
    func `an app that does not name the feature rings beside the screen`(members: String) {
        let a = app("a", members)
        let screen = screen("s")
        #expect(a.ring(1) == [rings(1, "ring")])
        answer(screen, true)
        _ = user.tell("call.silence", #"{"call":"c1"}"#)
        #expect(a.brief() == [])
    }

    @Test func `what the user silences is silent at its app, too`() {
        let a = app()
        a.ring(1)
        host.forget()
        _ = user.tell("call.silence", #"{"call":"c1"}"#)
        #expect(a.brief() == [told(1, "silent")])
    }

    @Test func `one that becomes an emergency beside a live call may ring at its app`() {
        host.letClaimEmergencies("org.a")
        let a = app()
        host.talk(1, of: a, by: user)
        #expect(a.ring(2).last?.contains("tone") == true)
        a.post("call.report_update", #"{"call":"c2","priority":"emergency"}"#)
        #expect(a.brief().contains(told(2, "ring")))
    }

    @Test func `do-not-disturb that is switched on silences what rings, but for emergencies`() {
        let a = app()
        a.ring(1)
        host.forget()
        _ = user.tell("policy.set", #"{"do_not_disturb":{"on":true}}"#)
        #expect(a.brief() == [told(1, "silent")])
        let call = user.tell("call.get", #"{"call":"c1"}"#).joined()
        #expect(call.contains(#""silenced":true"#))
        _ = user.tell("policy.set", #"{"do_not_disturb":{"on":false}}"#)
        host.letClaimEmergencies("org.a")
        a.ring(2, #""priority":"emergency""#)
        host.forget()
        _ = user.tell("policy.set", #"{"do_not_disturb":{"on":true}}"#)
        #expect(a.brief() == [])
        let emergency = user.tell("call.get", #"{"call":"c2"}"#).joined()
        #expect(emergency.contains(#""silenced":false"#))
    }

    @Test func `one that waits behind a conversation rings once that is over`() {
        let a = app()
        host.talk(1, of: a, by: user)
        #expect(a.ring(2).last?.hasSuffix(#""state":"waiting","presentation":"tone"}"#) == true)
        let lines = a.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        #expect(lines.contains(told(2, "ring")))
    }

    @Test func `an answered call is not told of any more`() {
        let a = app()
        a.ring(1)
        _ = user.tell("call.answer", #"{"call":"c1"}"#)
        host.settle(a)
        host.forget()
        let screen = screen("s")
        answer(screen, true)
        #expect(a.brief() == [])
    }

    @Test func `an app that comes back is told anew`() {
        let a = app()
        a.ring(1)
        let screen = screen("s")
        answer(screen, true)
        a.vanish()
        host.turn()
        let again = host.connect()
        _ = again.ask(
            Frame.hello(
                #""roles":["provider"],"identity":"org.a","features":["presentation"]"#))
        let calls =
            #"[{"call":"c1","direction":"incoming","state":"ringing","#
            + #""remote":{"type":"phone","value":"+15551"}}]"#
        let lines = again.tell(
            "provider.register",
            #"{"display_name":"App","handle_types":["phone"],"calls":\#(calls)}"#)
        #expect(lines.last == told(1, "silent"))
    }
}
