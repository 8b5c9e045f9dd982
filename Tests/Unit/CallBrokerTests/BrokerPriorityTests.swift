import CallBroker
import CallProtocol
import CallTesting
import Testing

/// Priority callers and background calls, over the wire (rules 43 and 44).
struct BrokerPriorityTests {
    private let host = MemoryBroker()
    private let app: MemoryPeer
    private let admin: MemoryPeer

    init() {
        app = host.provider()
        admin = host.ready("admin", "controller")
    }

    private static let claim = #""priority":"priority_caller""#

    private func priority(of call: Int) -> String? {
        let reply = admin.lines(of: "call.get", #"{"call":"c\#(call)"}"#)
        return ["background", "normal", "priority_caller"].first {
            reply.contains(#""priority":"\#($0)""#)
        }
    }

    @Test func `an app's word for a caller counts by the policy`() {
        app.ring(1, Self.claim)
        #expect(priority(of: 1) == "normal")
        _ = admin.tell("policy.set", #"{"priority_claims":["org.a"]}"#)
        app.ring(2, Self.claim)
        #expect(priority(of: 2) == "priority_caller")
        let why = admin.lines(of: "call.explain", #"{"call":"c1"}"#)
        #expect(why.contains(#""rule":"43""#) && why.contains(#""ignored""#))
    }

    @Test func `no controller lets an app's word count`() {
        let user = host.controller()
        let reply = user.tell("policy.set", #"{"priority_claims":["org.a"]}"#)
        #expect(reply == ["1: -32003 role_not_granted field=/priority_claims"])
    }

    @Test(arguments: [
        (false, "1: -32008 do_not_disturb rule=32"),
        (true, #"1: {"call":"c1","state":"ringing","presentation":"ring"}"#),
    ])
    func `a screener's priority caller passes do-not-disturb where the user says so`(
        passes: Bool, outcome: String
    ) {
        _ = admin.tell(
            "policy.set", #"{"do_not_disturb":{"on":true,"priority_callers_pass":\#(passes)}}"#)
        let guardian = host.adviser(.screener, "org.guard")
        app.ring(1)
        guardian.answer("screener.check", #"{"verdict":"continue","priority":true}"#)
        #expect(app.brief() == [outcome])
        guard passes else { return }
        #expect(priority(of: 1) == "priority_caller")
        let why = admin.lines(of: "call.explain", #"{"call":"c1"}"#)
        #expect(why.contains("do-not-disturb is on, but priority callers pass"))
    }

    @Test(arguments: [false, true])
    func `do-not-disturb silences no priority caller that may pass`(passes: Bool) {
        _ = admin.tell("policy.set", #"{"priority_claims":["org.a"]}"#)
        app.ring(1, Self.claim)
        _ = admin.tell(
            "policy.set", #"{"do_not_disturb":{"on":true,"priority_callers_pass":\#(passes)}}"#)
        let call = admin.lines(of: "call.get", #"{"call":"c1"}"#)
        #expect(call.contains(#""silenced":\#(!passes)"#))
    }

    @Test func `a background call is refused beside another`() {
        app.ring(1)
        let other = host.provider("org.b")
        let refused = "-32006 busy rule=44"
        #expect(other.ring(2, #""priority":"background""#).last?.contains(refused) == true)
        let start =
            #"{"call":"c3","provider":"org.b","remote":{"type":"phone","value":"+15553"},"#
            + #""background":true}"#
        #expect(admin.tell("call.start", start).last?.contains(refused) == true)
    }

    @Test func `the app learns that its call is started in the background`() {
        let start =
            #"{"call":"c3","provider":"org.a","remote":{"type":"phone","value":"+15553"},"#
            + #""background":true}"#
        _ = admin.tell("call.start", start)
        #expect(app.lines().joined().contains(#""background":true"#))
        #expect(priority(of: 3) == "background")
    }
}

extension MemoryPeer {
    /// Sends a request, and returns what the broker sends.
    fileprivate func lines(of method: String, _ params: String) -> String {
        post(method, params)
        return lines().joined()
    }
}
