import CallBroker
import CallTesting
import Testing

/// Tones with pauses (rule 35): call 1 of an app is active.
struct BrokerToneTests {
    private let host = MemoryBroker()
    private let app: MemoryPeer
    private let user: MemoryPeer

    init() {
        app = host.ready("provider", "controller", identity: "org.a")
        app.register(#""url_schemes":["tel"]"#)
        app.lastID = 0
        user = host.controller()
        host.talk(1, of: app, by: user)
        host.forget()
    }

    private func play(_ digits: String) -> String {
        user.tell("call.play_dtmf", #"{"call":"c1","digits":"\#(digits)"}"#).joined()
    }

    private func `continue`(_ members: String = "", of call: String = "c1") -> String {
        user.tell("call.continue_tones", #"{"call":"\#(call)"\#(members)}"#).joined()
    }

    /// The digits that the app was sent since the last time, which it plays at once.
    private func played() throws -> [String] {
        try app.lines().compactMap { line in
            let frame = try JSONTree(line)
            guard let id = frame["id"]?.integer, let params = frame["params"] else { return nil }
            app.send(Frame.result(id))
            guard let digits = params["arguments"]?["digits"]?.string else { return nil }
            return "\(digits) \(params["arguments"]?["style"]?.string ?? "single")"
        }
    }

    private func waiting(of call: String = "c1") throws -> String? {
        user.post("call.get", #"{"call":"\#(call)"}"#)
        let tones = try JSONTree(#require(user.lines().last))["result"]?["paused_tones"]
        return tones.map { "\($0["digits"]?.string ?? "") \($0["until"]?.string ?? "")" }
    }

    @Test func `what follows a soft pause is sent two seconds later`() throws {
        _ = play("12,3")
        #expect(try played() == ["12 single"])
        #expect(try waiting() == "3 time")
        host.turn(afterMS: 1_999)
        #expect(try played() == [])
        host.turn(afterMS: 1)
        #expect(try played() == ["3 soft_pause"])
        #expect(try waiting() == nil)
    }

    @Test func `what follows a hard pause waits for the user`() throws {
        _ = play("1w2,3")
        #expect(try played() == ["1 single"])
        host.turn(afterMS: 600_000)
        #expect(try played() == [])
        #expect(try waiting() == "2,3 user")
        #expect(`continue`().contains("accepted"))
        #expect(try played() == ["2 hard_pause"])
        #expect(try waiting() == "3 time")
        host.turn(afterMS: 2_000)
        #expect(try played() == ["3 soft_pause"])
        #expect(`continue`().contains("invalid_state"))
    }

    @Test func `the user may drop what waits, and need not wait for time`() throws {
        _ = play("1,2")
        _ = try played()
        _ = `continue`()
        #expect(try played() == ["2 soft_pause"])
        _ = play("1;2")
        _ = try played()
        #expect(!`continue`(#","send":false"#).contains("-32"))
        #expect(try waiting() == nil)
    }

    @Test func `a hold drops the rest, and a resume does not bring it back`() throws {
        _ = play("1,2")
        _ = try played()
        _ = user.tell("call.set_held", #"{"call":"c1","held":true}"#)
        host.settle(app)
        _ = user.tell("call.set_held", #"{"call":"c1","held":false}"#)
        host.settle(app)
        host.turn(afterMS: 60_000)
        #expect(try waiting() == nil)
        #expect(try played() == [])
    }

    @Test func `a hold while a part is played drops the rest`() throws {
        _ = play("1,2")
        _ = user.tell("call.set_held", #"{"call":"c1","held":true}"#)
        host.settle(app)
        host.turn(afterMS: 60_000)
        #expect(try waiting() == nil)
    }

    @Test func `the end of the call drops the rest`() throws {
        _ = play("1,2")
        _ = try played()
        _ = app.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        host.turn(afterMS: 60_000)
        #expect(try played() == [])
        #expect(`continue`().contains("-32"))
    }

    @Test func `a failed part ends the string`() throws {
        _ = play("1,2")
        let frame = try JSONTree(#require(app.lines().last))
        let id = try #require(frame["id"]?.integer)
        app.send(Frame.error("\(id)", -32_603, "broken", "no tones"))
        host.turn(afterMS: 60_000)
        #expect(try played() == [])
        #expect(try waiting() == nil)
    }

    @Test
    func `a key beside a pause is sent at once, and a new string takes the place of the rest`()
        throws
    {
        _ = play("1;2")
        _ = try played()
        _ = play("9")
        #expect(try played() == ["9 single"])
        #expect(try waiting() == "2 user")
        _ = play("5;6")
        _ = try played()
        #expect(try waiting() == "6 user")
    }

    @Test func `a string that begins with a pause is refused`() {
        #expect(play(",1").contains("-32602"))
    }

    @Test func `tones after a dialed number are sent once the call is active`() throws {
        _ = app.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        host.forget()
        _ = user.tell("call.dial", #"{"uri":"tel:+15,,12w34","call":"c2"}"#)
        let frame = try #require(app.lines().last)
        #expect(frame.contains(#""value":"+15""#))
        app.send(Frame.result(try #require(JSONTree(frame)["id"]?.integer)))
        host.turn(afterMS: 10_000)
        #expect(try waiting(of: "c2") == nil)
        _ = app.tell("call.report_connected", #"{"call":"c2"}"#)
        #expect(try waiting(of: "c2") == "12w34 time")
        host.turn(afterMS: 4_000)
        #expect(try played() == ["12 soft_pause"])
        #expect(try waiting(of: "c2") == "34 user")
    }

    @Test func `an emergency number with tones after it is one`() throws {
        _ = user.tell("call.dial", #"{"uri":"tel:112,,1","call":"c2"}"#)
        host.settle(app)
        user.post("call.get", #"{"call":"c2"}"#)
        #expect(user.lines().joined().contains(#""priority":"emergency""#))
    }

    @Test func `an app gets the strings that it requests for its own calls whole`() throws {
        app.post("call.play_dtmf", #"{"call":"c1","digits":",1,2"}"#)
        let digits = try app.lines().compactMap {
            try JSONTree($0)["params"]?["arguments"]?["digits"]?.string
        }
        #expect(digits == [",1,2"])
    }

    @Test func `an app may not continue the tones of the user`() throws {
        _ = play("1;2")
        _ = try played()
        #expect(
            app.tell("call.continue_tones", #"{"call":"c1"}"#).joined().contains("not_your_call"))
        #expect(try waiting() == "2 user")
    }

    @Test func `subscribers see what waits, and that it was sent`() throws {
        let observer = host.observer("call.allowed_changed")
        _ = play("1;2")
        _ = try played()
        host.turn()
        #expect(
            observer.lines().last?.contains(#""paused_tones":{"digits":"2","until":"user"}"#)
                == true)
        _ = `continue`()
        host.turn()
        let last = try #require(observer.lines().last)
        #expect(!last.contains("paused_tones"))
    }

    @Test func `the rest of a string is known after no restart`() throws {
        _ = play("1,2")
        _ = try played()
        host.turn(afterMS: 2_000)
        _ = try played()
        try host.expectThatItsJournalTellsAll()
    }
}
