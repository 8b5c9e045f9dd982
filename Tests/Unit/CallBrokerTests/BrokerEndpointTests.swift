import CallBroker
import CallTesting
import Testing

/// The audio endpoints that an app has for its calls (rule 42).
struct BrokerEndpointTests {
    private let host = MemoryBroker()
    private let app: MemoryPeer
    private let user: MemoryPeer

    init() {
        app = host.provider()
        user = host.controller()
    }

    private static let endpoints = """
        "endpoints":[{"endpoint":"ear","kind":"earpiece","state":"in_use"},\
        {"endpoint":"loud","kind":"speaker","name":"Hall"},\
        {"endpoint":"car","kind":"x_carphone","state":"unavailable"}]
        """

    private func ring() {
        app.ring(1, Self.endpoints)
        host.forget()
    }

    private func requestID(_ frame: String) -> Int? {
        (try? JSONTree(frame))?["id"]?.integer
    }

    @Test func `a call has the endpoints of its app, and can be moved to another`() throws {
        ring()
        user.post("call.get", #"{"call":"c1"}"#)
        let call = user.lines().joined()
        #expect(call.contains(#"{"endpoint":"ear","kind":"earpiece","state":"in_use"}"#))
        #expect(
            call.contains(
                #"{"endpoint":"loud","kind":"speaker","name":"Hall","state":"available"}"#))
        #expect(call.contains(#""silence","set_endpoint"]"#))
    }

    @Test func `an app is asked to move the sound, and the endpoint is in use then`() throws {
        ring()
        let observer = host.observer("call.changed")
        let reply = user.tell("call.set_endpoint", #"{"call":"c1","endpoint":"loud"}"#)
        #expect(reply.last?.contains("set_endpoint c1 queued") == true)
        let perform = try #require(app.lines().last)
        #expect(perform.contains(#""kind":"set_endpoint""#))
        #expect(perform.contains(#""arguments":{"endpoint":"loud"}"#))
        #expect(observer.lines().joined().contains(#""pending_action":"switching_endpoint""#))
        app.send(Frame.result(try #require(requestID(perform))))
        let changed = observer.lines().joined()
        #expect(changed.contains(#""changed":["pending_action","endpoints"]"#))
        #expect(changed.contains(#""name":"Hall","state":"in_use""#))
        #expect(changed.contains(#"{"endpoint":"ear","kind":"earpiece","state":"available"}"#))
    }

    @Test func `an app that has reported no endpoints is not asked`() {
        app.ring(1)
        host.forget()
        #expect(
            user.tell("call.set_endpoint", #"{"call":"c1","endpoint":"loud"}"#).last?
                .contains("-32006 not_supported") == true)
        #expect(app.lines().isEmpty)
    }

    @Test(arguments: [
        (#"{"call":"c1"}"#, "-32602 missing_member field=/endpoint"),
        (#"{"call":"c1","endpoint":""}"#, "-32602 too_short field=/endpoint"),
    ])
    func `a request without an endpoint is refused`(params: String, error: String) {
        ring()
        #expect(user.tell("call.set_endpoint", params).last == "1: \(error)")
    }

    @Test func `more than sixteen endpoints are refused`() {
        let one = #"{"endpoint":"x","kind":"speaker"}"#
        let many = Array(repeating: one, count: 17).joined(separator: ",")
        app.ring(1)
        host.forget()
        #expect(
            app.tell("call.report_update", #"{"call":"c1","endpoints":[\#(many)]}"#).last?
                .contains("-32602 too_many field=/endpoints") == true)
    }
}
