import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// Clients that the policy names, and that may delay the audio of a call.
struct BrokerHandoverTests {
    private let host = MemoryBroker()
    private let app: MemoryPeer
    private let user: MemoryPeer
    private let recorder: MemoryPeer

    init() {
        app = host.provider()
        user = host.controller()
        recorder = host.ready("observer", identity: "org.recorder")
        let admin = host.ready("admin")
        _ = admin.tell("policy.set", #"{"handover":{"observers":["org.recorder"]}}"#)
        host.forget()
    }

    private func answer(_ call: Int = 1) {
        app.ring(call)
        user.post("call.answer", #"{"call":"c\#(call)"}"#)
        fulfil("answer")
    }

    /// Fulfils what the app was asked.
    private func fulfil(_ kind: String) {
        for request in app.asked("provider.perform") where request.params["kind"]?.string == kind {
            app.fulfil(request.id)
        }
    }

    private func audio() -> [String] {
        app.brief().filter { $0.hasPrefix("audio") }
    }

    private func explanations(_ call: Int = 1) throws -> [String] {
        user.post("call.explain", #"{"call":"c\#(call)"}"#)
        let steps = try JSONTree(#require(user.lines().last))["result"]?["steps"]?.elements ?? []
        return steps.filter { $0["decision"]?.string == "audio_granted" }.compactMap {
            $0["explanation"]?.json
        }
    }

    @Test func `the audio of an answered call waits for the observer, its state does not`() throws {
        answer()
        #expect(audio() == [])
        user.post("call.get", #"{"call":"c1"}"#)
        #expect(user.lines().last?.contains(#""state":"active""#) == true)
        let asked = try #require(recorder.asked("audio.handover").first)
        #expect(
            ShortID.short(asked.params.json)
                == #"{"provider":"org.a","group":"c1","calls":["c1"],"deadline_ms":2000}"#)
        host.turn(afterMS: 120)
        recorder.send(Frame.result(asked.id))
        #expect(audio() == ["audio.activated c1: c1"])
        #expect(try explanations() == [#"{"by":"org.recorder","text":"ready after 120 ms"}"#])
    }

    @Test func `an observer that is late is not waited for`() throws {
        answer()
        let asked = try #require(recorder.asked("audio.handover").first)
        host.turn(afterMS: 1_999)
        #expect(audio() == [])
        host.turn(afterMS: 1)
        #expect(audio() == ["audio.activated c1: c1"])
        #expect(recorder.brief().contains("cancel \(asked.id)"))
        #expect(
            try explanations() == [
                #"{"by":"broker","text":"org.recorder did not answer within 2000 ms"}"#
            ])
        recorder.send(Frame.result(asked.id))
        #expect(audio() == [])
    }

    @Test func `an error is an answer, as an observer denies nothing`() throws {
        answer()
        for request in recorder.asked("audio.handover") { recorder.fail(request.id) }
        #expect(audio() == ["audio.activated c1: c1"])
        #expect(
            try explanations() == [#"{"by":"broker","text":"org.recorder returned an error"}"#])
    }

    @Test func `an observer that disconnects is not waited for`() throws {
        answer()
        recorder.vanish()
        #expect(audio() == ["audio.activated c1: c1"])
        #expect(
            try explanations() == [
                #"{"by":"broker","text":"org.recorder disconnected before it answered"}"#
            ])
    }

    @Test func `one that is not connected delays nothing, and is named`() throws {
        recorder.vanish()
        answer()
        #expect(audio() == ["audio.activated c1: c1"])
        #expect(
            try explanations() == [
                #"{"by":"broker","text":"org.recorder is not connected"}"#
            ])
    }

    @Test func `a call that ends meanwhile was never given the audio`() throws {
        answer()
        let asked = try #require(recorder.asked("audio.handover").first)
        _ = app.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        #expect(recorder.brief().contains("cancel \(asked.id)"))
        recorder.send(Frame.result(asked.id))
        host.turn(afterMS: 5_000)
        #expect(audio() == [])
    }

    @Test func `a call that resumes is not asked about again`() {
        answer()
        recorder.answer("audio.handover", "{}")
        #expect(audio() == ["audio.activated c1: c1"])
        user.post("call.set_held", #"{"call":"c1","held":true}"#)
        fulfil("set_held")
        #expect(audio() == ["audio.deactivated c1: c1"])
        user.post("call.set_held", #"{"call":"c1","held":false}"#)
        fulfil("set_held")
        #expect(audio() == ["audio.activated c1: c1"])
        #expect(recorder.asked("audio.handover").isEmpty)
    }

    @Test func `a dialed call has its ringback tone, and waits when it connects`() {
        user.post(
            "call.start",
            #"{"provider":"org.a","remote":{"type":"phone","value":"+15551"},"#
                + #""call":"c1"}"#)
        fulfil("start")
        #expect(audio() == ["audio.activated c1: c1"])
        _ = app.tell("call.report_alerting", #"{"call":"c1"}"#)
        #expect(recorder.asked("audio.handover").isEmpty)
        app.post("call.report_connected", #"{"call":"c1"}"#)
        #expect(audio() == ["audio.deactivated c1: c1"])
        recorder.answer("audio.handover", "{}")
        #expect(audio() == ["audio.activated c1: c1"])
    }

    @Test func `a member that joins a conference does not interrupt it`() {
        answer()
        recorder.answer("audio.handover", "{}")
        _ = audio()
        app.post("call.report_connected", #"{"call":"c1"}"#)
        app.post("call.report_muted", #"{"call":"c1","muted":true}"#)
        #expect(audio() == [])
        #expect(recorder.asked("audio.handover").isEmpty)
    }

    @Test func `nothing delays an emergency`() {
        user.post(
            "call.start",
            #"{"provider":"org.a","remote":{"type":"phone","value":"112"},"call":"c1"}"#)
        fulfil("start")
        app.post("call.report_connected", #"{"call":"c1"}"#)
        #expect(audio() == ["audio.activated c1: c1"])
        #expect(recorder.asked("audio.handover").isEmpty)
    }

    @Test func `all observers are waited for`() {
        let other = host.ready("observer", identity: "org.light")
        _ = host.ready("admin").tell(
            "policy.set", #"{"handover":{"observers":["org.recorder","org.light"],"wait_ms":500}}"#)
        host.forget()
        answer()
        other.answer("audio.handover", "{}")
        #expect(audio() == [])
        recorder.answer("audio.handover", "{}")
        #expect(audio() == ["audio.activated c1: c1"])
    }

    @Test func `an app that comes back while observers are awaited gets its audio once`() {
        answer()
        app.vanish()
        let again = host.ready("provider", identity: "org.a")
        again.register(
            #""calls":[{"call":"\(ShortID.call(1))","direction":"incoming","state":"active","#
                + #""remote":{"type":"phone","value":"+15551"}}]"#)
        #expect(again.brief().filter { $0.hasPrefix("audio") } == [])
        recorder.answer("audio.handover", "{}")
        #expect(again.brief().filter { $0.hasPrefix("audio") } == ["audio.activated c1: c1"])
        host.turn(afterMS: 2_000)
        #expect(again.brief().filter { $0.hasPrefix("audio") } == [])
    }

    @Test func `an app that resumes its session gets the audio that it was to get while away`()
        throws
    {
        let app = host.connect()
        let reply = app.ask(Frame.hello(#""roles":["provider"],"identity":"org.b""#)).joined()
        let session = try #require(try JSONTree(reply)["result"]?["session"])
        app.register()
        app.lastID = 0
        app.ring(2)
        user.post("call.answer", #"{"call":"c2"}"#)
        for request in app.asked("provider.perform") { app.fulfil(request.id) }
        app.vanish()
        recorder.answer("audio.handover", "{}")
        let again = host.connect()
        let resume =
            #""resume":{"session":\#(session["session"] ?? .null),"#
            + #""secret":\#(session["secret"] ?? .null)}"#
        _ = again.ask(Frame.hello(#""roles":["provider"],"identity":"org.b",\#(resume)"#))
        let calls =
            #""calls":[{"call":"\#(ShortID.call(2))","direction":"incoming","state":"active","#
            + #""remote":{"type":"phone","value":"+15552"}}]"#
        let told = again.register(calls)
        #expect(told.count { $0.contains("audio.activated") } == 1, "\(told)")
    }

    @Test func `only an admin names observers`() {
        let reply = user.tell("policy.set", #"{"handover":{"observers":["org.recorder"]}}"#)
        #expect(reply.last?.contains("-32003") == true)
    }

    @Test func `the observers are known after a restart`() throws {
        answer()
        recorder.answer("audio.handover", "{}")
        try host.expectThatItsJournalTellsAll()
    }
}
