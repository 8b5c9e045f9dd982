import CallTesting
import Testing

/// What authors of tests are promised.
struct TestBrokerTests {
    private static let call = "5a3c1b60-0000-4000-8000-000000000001"
    private static let other = "5a3c1b60-0000-4000-8000-000000000002"
    private let broker = TestBroker()

    private func named(_ call: String = call, _ more: String = "") -> String {
        #"{"call":"\#(call)"\#(more)}"#
    }

    /// The example in the documentation of `TestBroker`.
    @Test func `the example of the documentation works as it stands`() {
        let broker = TestBroker()
        let phone = broker.provider("org.example.phone")
        let user = broker.controller()

        phone.ring("5a3c1b60-0000-4000-8000-000000000001", from: "+15550100")
        user.request("call.answer", #"{"call":"5a3c1b60-0000-4000-8000-000000000001"}"#)

        #expect(phone.performed.map(\.kind) == ["answer"])
        #expect(broker.call("5a3c1b60-0000-4000-8000-000000000001")?["state"]?.string == "active")
        #expect(broker.problems == [])
    }

    /// The example on the first page.
    @Test func `the example of the first page works as it stands`() {
        let broker = TestBroker()
        let phone = broker.provider("org.example.phone")
        let user = broker.controller()
        phone.answers["answer"] = .never

        phone.ring("5a3c1b60-0000-4000-8000-000000000001", from: "+15550100")
        user.request("call.answer", #"{"call":"5a3c1b60-0000-4000-8000-000000000001"}"#)
        broker.wait(for: "action.timed_out")

        #expect(broker.now == .seconds(60))
        #expect(broker.frames.map(\.description).contains { $0.contains("provider.timed_out") })
        #expect(broker.problems == [])
    }

    @Test func `a provider that never answers costs the call its time`() {
        let phone = broker.provider("org.example.phone")
        let user = broker.controller()
        phone.answers["answer"] = .never
        phone.ring(Self.call, from: "+15550100")
        let reply = user.request("call.answer", named(Self.call, #","wait":"completed""#))
        broker.advance(by: .milliseconds(59_999))
        #expect(reply.frame == nil)
        broker.advance(by: .milliseconds(1))
        #expect(reply.error?["code"]?.integer == -32_009)
        #expect(phone.notifications.contains { $0["method"]?.string == "provider.timed_out" })
        #expect(broker.call(Self.call) == nil)
    }

    @Test func `an answer comes when the script says`() {
        let phone = broker.provider("org.example.phone")
        let user = broker.controller()
        phone.answers["answer"] = .after(.seconds(2), .fulfill)
        phone.ring(Self.call, from: "+15550100")
        user.request("call.answer", named())
        broker.advance(by: .milliseconds(1_999))
        #expect(broker.call(Self.call)?["pending_action"]?.string == "answering")
        broker.advance(by: .milliseconds(1))
        #expect(broker.call(Self.call)?["state"]?.string == "active")
    }

    @Test func `one that refuses has its reason in the requester's error`() {
        let phone = broker.provider("org.example.phone")
        let user = broker.controller()
        phone.answers["answer"] = .fail(reason: "far_end_gone")
        phone.ring(Self.call, from: "+15550100")
        let reply = user.request("call.answer", named(Self.call, #","wait":"completed""#))
        #expect(reply.error?["code"]?.integer == -32_013)
        #expect(reply.error?["data"]?["provider_error"]?["reason"]?.string == "far_end_gone")
    }

    @Test func `an event can be waited for on the virtual clock`() {
        let phone = broker.provider("org.example.phone")
        phone.ring(Self.call, from: "+15550100")
        let event = broker.wait(for: "call.removed")
        #expect(event?["call"]?.string == Self.call)
        #expect(broker.now == .seconds(60))
        #expect(broker.wait(for: "call.added", within: .seconds(5)) == nil)
        #expect(broker.now == .seconds(65))
    }

    @Test func `two apps: the first is held before the second answers`() {
        let desk = broker.provider("org.example.desk")
        let mobile = broker.provider("org.example.mobile")
        let user = broker.controller()
        desk.ring(Self.call, from: "+15550100")
        user.request("call.answer", named())
        mobile.ring(Self.other, from: "+15550101")
        user.request("call.answer", named(Self.other))
        #expect(desk.performed.map(\.kind) == ["answer", "set_held"])
        #expect(mobile.performed.map(\.kind) == ["answer"])
        #expect(broker.calls.map { $0["state"]?.string } == ["held", "active"])
    }

    @Test func `a call outlives the connection of its provider and the broker itself`() throws {
        let phone = broker.provider("org.example.phone")
        let user = broker.controller()
        phone.ring(Self.call, from: "+15550100")
        user.request("call.answer", named())
        let live =
            #"[{"call":"\#(Self.call)","direction":"incoming","state":"active","#
            + #""remote":{"type":"phone","value":"+15550100"}}]"#
        phone.disconnect()
        #expect(broker.call(Self.call)?["provider_connected"]?.boolean == false)
        phone.reconnect(listing: live)
        #expect(broker.call(Self.call)?["provider_connected"]?.boolean == true)
        try broker.restart()
        phone.reconnect(listing: live)
        #expect(phone.registered.result?["dropped"] == .array([]))
        #expect(broker.call(Self.call)?["state"]?.string == "active")
        #expect(broker.problems == [])
    }

    @Test func `every frame is there to be looked at, in both directions`() {
        let phone = broker.provider("org.example.phone")
        phone.ring(Self.call, from: "+15550100")
        let kinds = broker.frames.map { "\($0.peer) \($0.sender.rawValue)" }
        #expect(
            kinds
                == Array(repeating: ["org.example.phone >", "org.example.phone <"], count: 3)
                .flatMap { $0 })
        #expect(broker.frames.last?.description.hasPrefix(#"< {"jsonrpc":"2.0","id":3"#) == true)
    }

    @Test func `a configuration is the one of the daemon`() throws {
        let broker = try TestBroker(configuration: #"{"policy":{"limits":{"ringing":1}}}"#)
        let phone = broker.provider("org.example.phone")
        phone.ring(Self.call, from: "+15550100")
        #expect(phone.ring(Self.other, from: "+15550101").reason == "max_ringing")
        #expect(throws: (any Error).self) { try TestBroker(configuration: #"{"policies":{}}"#) }
    }
}
