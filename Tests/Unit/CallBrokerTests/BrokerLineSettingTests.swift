import CallBroker
import CallTesting
import Testing

/// What networks keep for lines: reported by apps with their lines, changed on request of users.
struct BrokerLineSettingTests {
    private let host = MemoryBroker()
    private let app: MemoryPeer
    private let user: MemoryPeer

    private static let lines = """
        "lines":[{"line":"sim","label":"Testnet","settings":[{"setting":"forward_busy","on":false},\
        {"setting":"forward_no_reply","on":false},{"setting":"call_waiting","on":true}]}]
        """
    private static let busy = #""on":true,"to":{"type":"phone","value":"+15550199"}"#

    init() {
        app = host.provider("org.a", Self.lines)
        user = host.controller()
    }

    private func params(_ setting: String, _ values: String, line: String = "sim") -> String {
        #"{"provider":"org.a","line":"\#(line)","setting":"\#(setting)",\#(values)}"#
    }

    /// Sends the user's change, and returns the id of the request to the app.
    private func change() throws -> Int {
        user.post("line.set_setting", params("forward_busy", Self.busy))
        let request = try #require(app.lines().last)
        #expect(
            request.contains(
                #""method":"line.change_setting","params":{"line":"sim","setting":"forward_busy","#
                    + #""on":true,"to":{"type":"phone","value":"+15550199"},"deadline_ms":60000}"#))
        return try #require(try JSONTree(request)["id"]?.integer)
    }

    @Test func `a provider's lines have their settings`() throws {
        user.post("provider.list")
        let list = user.lines().joined()
        #expect(
            list.contains(
                #""settings":[{"setting":"forward_busy","on":false},"#
                    + #"{"setting":"forward_no_reply","on":false},"#
                    + #"{"setting":"call_waiting","on":true}]"#))
    }

    @Test func `the app is asked, and its answer is the user's`() throws {
        let id = try change()
        #expect(user.lines().isEmpty)
        app.send(Frame.result(id))
        #expect(user.lines().last?.contains(#""result":{"seq":"#) == true)
    }

    @Test func `the settings are those that the app reports`() throws {
        let observer = host.observer("provider.changed")
        _ = app.tell(
            "provider.update",
            #"{"lines":[{"line":"sim","label":"Testnet","settings":[{"setting":"forward_busy",\#(Self.busy)}]}]}"#
        )
        #expect(observer.lines().last?.contains(#""settings":[{"setting":"forward_busy","#) == true)
    }

    @Test func `settings of an unknown kind are dropped, and one kind twice is refused`() {
        func update(_ settings: String) -> String? {
            let lines = #"[{"line":"sim","label":"Testnet","settings":[\#(settings)]}]"#
            return app.tell("provider.update", #"{"lines":\#(lines)}"#).last
        }
        #expect(update(#"{"setting":"x_new","on":true}"#)?.contains("-32") == false)
        #expect(
            update(#"{"setting":"call_waiting","on":true},{"setting":"call_waiting","on":false}"#)
                == "\(app.lastID): -32602 invalid_value field=/lines")
    }

    @Test func `the network's reason for a refusal reaches the user`() throws {
        app.send(Frame.error("\(try change())", -32_000, "not_subscribed", "no contract"))
        let error = user.lines().joined()
        #expect(error.contains(#""reason":"provider_failed""#))
        #expect(error.contains(#""reason":"not_subscribed""#))
    }

    @Test func `an app that does not answer is cancelled after a minute`() throws {
        let id = try change()
        host.turn(afterMS: 60_000)
        #expect(
            app.lines().last?.contains(#""broker.cancel","params":{"request":\#(id)}"#) == true)
        #expect(user.lines().joined().contains(#""reason":"deadline_exceeded""#))
        app.send(Frame.result(id))
        #expect(user.lines().isEmpty)
    }

    @Test func `the user may cancel a change`() throws {
        let id = try change()
        user.send(
            #"{"jsonrpc":"2.0","method":"broker.cancel","params":{"request":\#(user.lastID)}}"#)
        #expect(
            app.lines().last?.contains(#""broker.cancel","params":{"request":\#(id)}"#) == true)
        #expect(user.lines().joined().contains(#""reason":"cancelled""#))
    }

    @Test func `a change fails when its app goes away`() throws {
        _ = try change()
        app.endInput()
        #expect(user.lines().joined().contains(#""reason":"provider_gone""#))
        #expect(
            user.tell("line.set_setting", params("call_waiting", #""on":false"#)).last
                == "\(user.lastID): -32004 unknown_provider field=/provider")
    }

    @Test(arguments: [
        (
            #"{"provider":"org.b","line":"sim","setting":"call_waiting","on":true}"#,
            "-32004 unknown_provider field=/provider"
        ),
        (
            #"{"provider":"org.a","line":"x","setting":"call_waiting","on":true}"#,
            "-32004 unknown_line field=/line"
        ),
        (
            #"{"provider":"org.a","line":"sim","setting":"caller_id_hidden","on":true}"#,
            "-32004 unknown_setting field=/setting"
        ),
        (
            #"{"provider":"org.a","line":"sim","setting":"forward_busy","on":true}"#,
            "-32602 missing_member field=/to"
        ),
        (
            #"{"provider":"org.a","line":"sim","setting":"call_waiting","on":true,"to":{"type":"phone","value":"1"}}"#,
            "-32602 invalid_value field=/to"
        ),
        (
            #"{"provider":"org.a","line":"sim","setting":"forward_no_reply","on":false,"after_ms":5000}"#,
            "-32602 invalid_value field=/after_ms"
        ),
    ])
    func `what cannot be changed is refused, and nobody is asked`(params: String, error: String) {
        host.forget()
        #expect(user.tell("line.set_setting", params).last == "\(user.lastID): \(error)")
        #expect(app.lines().isEmpty)
    }

    @Test func `an app changes its own lines only`() {
        let other = host.connect()
        _ = other.ask(Frame.hello(#""roles":["provider","controller"],"identity":"org.b""#))
        other.post("line.set_setting", params("call_waiting", #""on":false"#))
        #expect(other.lines().joined().contains(#""reason":"role_not_granted""#))
    }

    @Test func `at most sixteen changes wait for one app`() {
        for _ in 0..<16 { user.post("line.set_setting", params("call_waiting", #""on":false"#)) }
        host.forget()
        #expect(
            user.tell("line.set_setting", params("call_waiting", #""on":false"#)).last
                == "\(user.lastID): -32012 pending")
    }
}
