import CallBroker
import CallTesting
import Testing

/// The lines of apps: registered, chosen for a start, and part of their calls.
struct BrokerLineTests {
    private let host = MemoryBroker()
    private let user: MemoryPeer

    init() {
        user = host.controller()
    }

    private static let lines =
        #""lines":[{"line":"home","label":"Home","handle":{"type":"generic","value":"sip:me@home"},"#
        + #""default":true},{"line":"office","label":"Office","state":"failed","#
        + #""reason":"403 Forbidden","messages_waiting":2}]"#

    /// What the app is asked to start.
    private func asked(_ app: MemoryPeer) -> String {
        app.lines().first { $0.contains("provider.perform") } ?? "nothing"
    }

    private func start(_ members: String = "") -> [String] {
        user.tell(
            "call.start",
            #"{"call":"c1","provider":"org.a","remote":{"type":"phone","value":"1"}\#(members)}"#)
    }

    // MARK: - Registered

    @Test func `everybody sees the lines of an app, and their changes`() throws {
        let observer = host.observer("provider.*")
        let a = host.provider("org.a", Self.lines)
        let added = try #require(observer.lines().last)
        #expect(
            added.contains(
                #""lines":[{"line":"home","label":"Home","handle":{"type":"generic","#
                    + #""value":"sip:me@home"},"default":true,"state":"registered"},"#
                    + #"{"line":"office","label":"Office","default":false,"state":"failed","#
                    + #""reason":"403 Forbidden","messages_waiting":2}]"#))
        _ = a.tell("provider.update", #"{"lines":[{"line":"home","label":"Home"}]}"#)
        let changed = try #require(observer.lines().last)
        #expect(changed.contains("provider.changed") && !changed.contains("office"))
        _ = a.tell("provider.update", #"{"lines":[]}"#)
        #expect(observer.lines().last?.contains(#""lines""#) == false)
    }

    @Test(arguments: [
        #"[{"line":"1","label":"a"},{"line":"1","label":"b"}]"#,
        #"[{"line":"1","label":"a","default":true},{"line":"2","label":"b","default":true}]"#,
        #"[{"line":"1\n2","label":"a"}]"#,
    ])
    func `lines that cannot be told apart are refused`(lines: String) {
        let a = host.provider("org.a")
        let error = "-32602 invalid_value field=/lines"
        #expect(a.tell("provider.update", #"{"lines":\#(lines)}"#).last == "\(a.lastID): \(error)")
        #expect(a.register(#""lines":\#(lines)"#).last == "\(a.lastID): \(error)")
    }

    @Test func `an app has at most 32 lines`() {
        let a = host.provider("org.a")
        let lines = (1...33).map { #"{"line":"\#($0)","label":"\#($0)"}"# }.joined(separator: ",")
        let reply = a.tell("provider.update", #"{"lines":[\#(lines)]}"#)
        #expect(reply == ["\(a.lastID): -32602 too_many field=/lines"])
    }

    // MARK: - Chosen

    @Test func `a start goes to the line that is named, and its call has it`() throws {
        let a = host.provider("org.a", Self.lines)
        let observer = host.observer("call.added")
        _ = start(#","line":"office""#)
        #expect(asked(a).contains(#""line":"office""#))
        #expect(observer.lines().last?.contains(#""line":"office""#) == true)
    }

    @Test func `without a name it goes to the default, or the app chooses`() {
        let a = host.provider("org.a", Self.lines)
        _ = start()
        #expect(asked(a).contains(#""line":"home""#))
        let b = host.provider("org.b", #""lines":[{"line":"x","label":"X"}]"#)
        _ = user.tell("call.end", #"{"call":"c1"}"#)
        host.settle(a)
        _ = user.tell(
            "call.start",
            #"{"call":"c2","provider":"org.b","remote":{"type":"phone","value":"1"}}"#)
        let perform = asked(b)
        #expect(perform.contains(#""kind":"start""#) && !perform.contains(#""line""#))
    }

    @Test func `a line names its app, too`() {
        _ = host.provider("org.a", #""url_schemes":["sip"],\#(Self.lines)"#)
        let b = host.provider("org.b", #""url_schemes":["sip"],"lines":[{"line":"x","label":"X"}]"#)
        _ = user.tell("call.dial", #"{"uri":"sip:ada@example.org","line":"x"}"#)
        #expect(asked(b).contains(#""line":"x""#))
        _ = host.provider("org.c", #""lines":[{"line":"x","label":"X"}]"#)
        let reply = user.tell("call.dial", #"{"uri":"sip:ada@example.org","line":"x"}"#)
        #expect(reply.last?.contains("ambiguous_provider") == true)
    }

    @Test func `an unknown line is refused`() {
        _ = host.provider("org.a", Self.lines)
        #expect(start(#","line":"cellar""#) == ["1: -32004 unknown_line field=/line"])
        #expect(
            user.tell("call.dial", #"{"uri":"tel:1","line":"cellar"}"#)
                == ["2: -32004 unknown_line field=/line"])
        _ = host.provider("org.b")
        #expect(
            user.tell("call.dial", #"{"uri":"tel:1","provider":"org.b","line":"home"}"#)
                == ["3: -32004 unknown_line field=/line"])
    }

    @Test func `an emergency goes out though its line is unknown`() {
        let a = host.provider("org.a", Self.lines)
        _ = user.tell("call.dial", #"{"uri":"tel:112","provider":"org.a","line":"cellar"}"#)
        #expect(asked(a).contains(#""line":"home""#))
    }

    @Test func `a line can dial schemes that its app cannot`() {
        let a = host.provider(
            "org.a", #""lines":[{"line":"x","label":"X","url_schemes":["xmpp"]}]"#)
        _ = user.tell("call.dial", #"{"uri":"xmpp:ada@example.org"}"#)
        #expect(asked(a).contains(#""kind":"start""#))
    }

    // MARK: - Reported

    @Test func `a call comes in on a line, and the history keeps its name`() throws {
        let store = try MemoryStore(of: host)
        let a = host.provider("org.a", Self.lines)
        #expect(a.ring(1, #""line":"office""#).last?.contains("ringing") == true)
        user.post("call.list")
        #expect(user.lines().joined().contains(#""line":"office""#))
        _ = a.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        store.settle()
        user.post("history.list")
        store.settle()
        #expect(user.lines().joined().contains(#""line":"office","line_label":"Office""#))
    }

    @Test func `what the network says of a call is told, listed and kept`() throws {
        let store = try MemoryStore(of: host)
        let a = host.provider()
        let said =
            #""forwarded_from":{"type":"phone","value":"+15550199"},"verification":"failed","#
            + #""external_id":"7@example.org""#
        a.ring(1, said)
        user.post("call.get", #"{"call":"c1"}"#)
        #expect(user.lines().joined().contains(said))
        _ = a.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        store.settle()
        user.post("history.list")
        store.settle()
        #expect(user.lines().joined().contains(said))
    }

    @Test func `a report of an unknown line is refused`() {
        let a = host.provider("org.a", Self.lines)
        let error = "-32004 unknown_line field=/line"
        #expect(a.ring(1, #""line":"cellar""#) == ["\(a.lastID): \(error)"])
        a.ring(2)
        #expect(
            a.tell("call.report_update", #"{"call":"c2","line":"cellar"}"#)
                == ["\(a.lastID): \(error)"])
        #expect(
            a.tell("call.report_update", #"{"call":"c2","line":null}"#) == ["\(a.lastID): {}"])
    }
}
