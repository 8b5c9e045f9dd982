import CallBroker
import CallTesting
import Testing

/// Video that is added to a call, and asked for by the far end (rules 21 and 45).
struct BrokerVideoTests {
    private let host = MemoryBroker()
    private let app: MemoryPeer
    private let user: MemoryPeer

    init() {
        app = host.provider("org.a", #""supports_video":true"#)
        user = host.controller()
    }

    private func answered(_ members: String = #""supports_set_video":true"#) {
        app.ring(1, members)
        _ = user.tell("call.answer", #"{"call":"c1"}"#)
        host.settle(app)
        host.forget()
    }

    private func requestID(_ frame: String) -> Int? {
        (try? JSONTree(frame))?["id"]?.integer
    }

    private func call() -> String {
        user.post("call.get", #"{"call":"c1"}"#)
        return user.lines().joined()
    }

    @Test func `an app is asked for video, and the call has it then`() throws {
        answered()
        #expect(call().contains(#""play_dtmf","set_video"]"#))
        let observer = host.observer("call.changed")
        _ = user.tell("call.set_video", #"{"call":"c1","video":"send"}"#)
        let perform = try #require(app.lines().last)
        #expect(perform.contains(#""kind":"set_video""#))
        #expect(perform.contains(#""arguments":{"video":"send"}"#))
        #expect(observer.lines().joined().contains(#""pending_action":"changing_video""#))
        app.send(Frame.result(try #require(requestID(perform))))
        let changed = observer.lines().joined()
        #expect(changed.contains(#""changed":["pending_action","has_video","video"]"#))
        #expect(changed.contains(#""has_video":true"#))
        #expect(changed.contains(#""video":"send""#))
    }

    @Test func `a request of the far end is shown, and nothing is sent before the user decides`()
        throws
    {
        answered()
        let observer = host.observer("call.changed")
        _ = app.tell("call.report_video_request", #"{"call":"c1","video":"both"}"#)
        #expect(!app.lines().joined().contains("provider.perform"))
        let asked = observer.lines().joined()
        #expect(asked.contains(#""changed":["video_request"]"#))
        #expect(asked.contains(#""video_request":"both""#))
        #expect(asked.contains(#""has_video":false"#))
        _ = user.tell("call.set_video", #"{"call":"c1","video":"off"}"#)
        let perform = try #require(app.lines().last)
        #expect(perform.contains(#""arguments":{"video":"off"}"#))
        app.send(Frame.result(try #require(requestID(perform))))
        #expect(!call().contains("video_request"))
    }

    @Test func `a request can be withdrawn`() {
        answered()
        _ = app.tell("call.report_video_request", #"{"call":"c1","video":"receive"}"#)
        #expect(call().contains(#""video_request":"receive""#))
        _ = app.tell("call.report_video_request", #"{"call":"c1","video":null}"#)
        #expect(!call().contains("video_request"))
    }

    @Test(arguments: [
        (#"{"call":"c1"}"#, "-32602 missing_member field=/video"),
        (#"{"call":"c1","video":"off"}"#, "-32602 not_one_of field=/video"),
        (#"{"call":"c1","video":7}"#, "-32602 wrong_type field=/video"),
    ])
    func `a request that is none is refused`(params: String, error: String) {
        answered()
        let reply = app.tell("call.report_video_request", params).last
        #expect(reply?.contains(error) == true, "\(reply ?? "")")
    }

    @Test func `a call that does not declare it gets no request for video`() {
        answered(#""has_video":false"#)
        #expect(!call().contains("set_video"))
        #expect(
            user.tell("call.set_video", #"{"call":"c1","video":"both"}"#).last?
                .contains("-32006 not_supported") == true)
        #expect(app.lines().isEmpty)
    }

    @Test func `an app of release 0.1 that reports video has both directions`() {
        answered(#""has_video":true"#)
        #expect(call().contains(#""video":"both""#))
    }

    @Test func `the user's start with video goes on as audio, and the decision is shown`() {
        let plain = host.provider("org.b")
        host.forget()
        let start =
            #"{"call":"c1","provider":"org.b","has_video":true,"remote":{"type":"phone","value":"1"}"#
        let plan = user.tell("call.start", start + #","dry_run":true}"#).last
        #expect(plan?.contains("video_fallback=audio") == true)
        #expect(user.tell("call.start", start + "}").last?.contains("video_fallback=audio") == true)
        #expect(plain.lines().joined().contains(#""kind":"start""#))
        #expect(call().contains(#""has_video":false"#))
        user.post("call.explain", #"{"call":"c1"}"#)
        #expect(user.lines().joined().contains(#""decision":"without_video""#))
    }

    @Test func `the reply is silent about video where there is some, or none was requested`() {
        let (plain, able) = (
            host.provider("org.b"), host.provider("org.c", #""supports_video":true"#)
        )
        host.forget()
        for (provider, video) in [("org.b", false), ("org.c", true)] {
            let reply = user.tell(
                "call.start",
                #"{"provider":"\#(provider)","has_video":\#(video),"dry_run":true,"#
                    + #""remote":{"type":"phone","value":"1"}}"#)
            #expect(reply.last?.contains("dry_run=true") == true)
            #expect(reply.last?.contains("video_fallback") == false)
        }
        #expect(plain.lines().isEmpty && able.lines().isEmpty)
    }

    @Test func `a start that is done says at its end that it has no video`() {
        let plain = host.provider("org.b")
        host.forget()
        user.post(
            "call.start",
            #"{"call":"c1","provider":"org.b","has_video":true,"wait":"completed","#
                + #""remote":{"type":"phone","value":"1"}}"#)
        _ = plain.brief()
        for id in plain.audit.performs.keys.sorted() { plain.fulfil(id) }
        #expect(user.lines().joined().contains(#""video_fallback":"audio""#))
    }

    @Test func `the user's start with video is refused if the policy says so`() {
        let plain = host.provider("org.b")
        _ = host.ready("admin").tell("policy.set", #"{"video_fallback":"refuse"}"#)
        host.forget()
        let reply = user.tell(
            "call.start",
            #"{"call":"c1","provider":"org.b","has_video":true,"remote":{"type":"phone","value":"1"}}"#
        )
        #expect(reply.last?.contains("-32006 not_supported") == true)
        #expect(plain.lines().isEmpty)
    }

    @Test func `a call is answered without video once its app has set that up`() throws {
        app.ring(1, #""supports_set_video":true,"has_video":true"#)
        host.forget()
        let reply = user.tell("call.answer", #"{"call":"c1","video":"off"}"#).last
        #expect(reply?.contains("set_video c1 queued") == true)
        #expect(reply?.contains("answer c1 queued") == true)
        let first = app.lines()
        #expect(first.joined().contains(#""arguments":{"video":"off"}"#))
        #expect(!first.joined().contains(#""kind":"answer""#))
        let perform = try #require(first.last)
        app.send(Frame.result(try #require(requestID(perform))))
        #expect(app.lines().joined().contains(#""kind":"answer""#))
        #expect(call().contains(#""has_video":false"#))
    }

    @Test func `an audio call is answered without video by any app`() {
        app.ring(1)
        host.forget()
        _ = user.tell("call.answer", #"{"call":"c1","video":"off"}"#)
        let asked = app.lines().joined()
        #expect(asked.contains(#""kind":"answer""#))
        #expect(!asked.contains("set_video"))
    }
}
