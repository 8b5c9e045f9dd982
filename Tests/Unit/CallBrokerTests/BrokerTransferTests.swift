import CallBroker
import CallTesting
import Testing

/// Calls that are transferred, joined with each other, or sent on before an answer (rule 41).
struct BrokerTransferTests {
    private let host = MemoryBroker()
    private let app: MemoryPeer
    private let user: MemoryPeer

    init() {
        app = host.provider()
        user = host.controller()
    }

    private static let to = #""to":{"type":"phone","value":"+15550109"}"#

    private func requestID(_ frame: String) -> Int? {
        (try? JSONTree(frame))?["id"]?.integer
    }

    private func answered(_ number: Int) {
        app.ring(number, #""supports_transfer":true,"supports_attended_transfer":true"#)
        _ = user.tell("call.answer", #"{"call":"c\#(number)"}"#)
        host.settle(app)
        host.forget()
    }

    @Test func `an app is asked to transfer a call, which then ends with the detail`() throws {
        answered(1)
        let observer = host.observer("call.changed", "action.*")
        let reply = user.tell("call.transfer", #"{"call":"c1",\#(Self.to)}"#)
        #expect(reply.last?.contains("transfer c1 queued") == true)
        let perform = try #require(app.lines().last)
        #expect(perform.contains(#""kind":"transfer""#))
        #expect(perform.contains(#""arguments":{"to":{"type":"phone","value":"+15550109"}}"#))
        #expect(observer.lines().joined().contains(#""pending_action":"transferring""#))
        app.send(Frame.result(try #require(requestID(perform))))
        let ended = observer.lines().joined()
        #expect(ended.contains(#""end_reason":"local_ended""#))
        #expect(ended.contains(#""end_detail":{"reason":"transferred"}"#))
    }

    @Test func `two calls are joined`() throws {
        answered(1)
        answered(2)
        let observer = host.observer("call.removed")
        _ = user.tell("call.attended_transfer", #"{"call":"c1","with":"c2"}"#)
        let perform = try #require(app.lines().last)
        #expect(perform.contains(#""kind":"attended_transfer""#))
        app.send(Frame.result(try #require(requestID(perform))))
        #expect(observer.lines().count == 2)
    }

    @Test func `a ringing call is sent on, and is no missed one`() throws {
        let store = try MemoryStore(of: host)
        app.ring(1, #""supports_deflect":true"#)
        user.post("call.get", #"{"call":"c1"}"#)
        #expect(user.lines().joined().contains(#""silence","deflect"]"#))
        _ = user.tell("call.deflect", #"{"call":"c1",\#(Self.to)}"#)
        host.settle(app)
        store.settle()
        user.post("history.list")
        store.settle()
        let entry = user.lines().joined()
        #expect(entry.contains(#""end_reason":"declined""#) && entry.contains(#""missed":false"#))
        #expect(entry.contains(#""end_detail":{"reason":"deflected"}"#))
    }

    @Test(arguments: [
        ("transfer", #"{"call":"c1"}"#, "-32602 missing_member field=/to"),
        (
            "transfer", #"{"call":"c1","to":{"type":"phone","value":"1\n2"}}"#,
            "-32602 wrong_form field=/to/value"
        ),
        ("attended_transfer", #"{"call":"c1"}"#, "-32602 missing_member field=/with"),
        (
            "deflect", #"{"call":"c1","to":{"type":"phone"}}"#,
            "-32602 missing_member field=/to/value"
        ),
    ])
    func `a request without an address, or with a bad one, is refused`(
        method: String, params: String, error: String
    ) {
        app.ring(1, #""supports_transfer":true,"supports_deflect":true"#)
        #expect(user.tell("call.\(method)", params).last == "1: \(error)")
    }
}
