import CallBroker
import CallTesting
import Testing

/// The audio endpoints of the host, which a client with the role `audio` reports.
struct BrokerHostEndpointTests {
    private let host = MemoryBroker()
    private let owner: MemoryPeer
    private let user: MemoryPeer

    private static let built = #"{"endpoint":"built-in","kind":"speaker","state":"in_use"}"#
    private static let headset = #"{"endpoint":"headset","kind":"bluetooth","name":"Ada's"}"#

    init() {
        owner = host.connect()
        _ = owner.ask(Frame.hello(#""roles":["audio","observer"]"#))
        user = host.controller()
    }

    private func report(_ endpoints: String...) -> [String] {
        let list = endpoints.joined(separator: ",")
        return owner.tell("audio.report_endpoints", #"{"endpoints":[\#(list)]}"#)
    }

    private func requestID(_ frame: String) -> Int? {
        (try? JSONTree(frame))?["id"]?.integer
    }

    /// Sends the user's choice, and returns the id of the request to the owner.
    private func choose(_ endpoint: String) throws -> Int {
        user.post("audio.set_endpoint", #"{"endpoint":"\#(endpoint)"}"#)
        let request = try #require(owner.lines().last)
        #expect(request.contains(#""method":"audio.use_endpoint""#))
        #expect(request.contains(#""params":{"endpoint":"\#(endpoint)","deadline_ms":10000}"#))
        return try #require(requestID(request))
    }

    private func endpoints() -> String {
        user.post("host.get")
        return user.lines().joined()
    }

    @Test func `the state of the host has the endpoints, and changes are published`() {
        let observer = host.observer("audio.endpoints_changed")
        #expect(!endpoints().contains("endpoints"))
        _ = report(Self.built, Self.headset)
        #expect(observer.lines().last?.contains(#""topic":"audio.endpoints_changed""#) == true)
        #expect(endpoints().contains(#""endpoints":[\#(Self.built),{"endpoint":"headset""#))
        _ = report(Self.built, Self.headset)
        #expect(observer.lines().isEmpty)
    }

    @Test func `the owner is asked to use the endpoint of the user's choice`() throws {
        _ = report(Self.built, Self.headset)
        host.forget()
        let observer = host.observer("audio.endpoints_changed")
        let id = try choose("headset")
        #expect(user.lines().isEmpty)
        owner.send(Frame.result(id))
        #expect(user.lines().last?.contains(#""result":{"seq":"#) == true)
        let changed = observer.lines().joined()
        #expect(changed.contains(#""endpoint":"built-in","kind":"speaker","state":"available""#))
        #expect(changed.contains(#""name":"Ada's","state":"in_use""#))
    }

    @Test func `an owner that comes back is told the user's choice`() throws {
        _ = report(Self.built, Self.headset)
        host.forget()
        owner.send(Frame.result(try choose("headset")))
        host.forget()
        owner.endInput()
        #expect(!endpoints().contains("endpoints"))
        let next = host.connect()
        _ = next.ask(Frame.hello(#""roles":["audio"]"#))
        next.post("audio.report_endpoints", #"{"endpoints":[\#(Self.headset)]}"#)
        #expect(next.lines().last?.contains(#""chosen":"headset""#) == true)
    }

    // MARK: - After a restart of the broker

    /// What an observer is sent that resumes from the latest event of a broker.
    private func resumed(at next: MemoryBroker, since seq: Int64) -> [String] {
        let observer = next.ready("observer")
        return observer.ask(
            Frame.request(
                2, "events.subscribe",
                #"{"topics":["audio.endpoints_changed"],"cursor":{"epoch":"\#(host.broker.epoch)","#
                    + #""seq":\#(seq)}}"#))
    }

    private func latest(_ observer: MemoryPeer) throws -> Int64 {
        let line = try #require(observer.lines().last)
        return Int64(try #require(try JSONTree(line)["params"]?["seq"]?.integer))
    }

    @Test func `an observer that resumes after a restart is told that the endpoints are gone`()
        throws
    {
        let observer = host.observer("audio.endpoints_changed")
        _ = report(Self.built)
        let seq = try latest(observer)
        let sent = resumed(at: try MemoryBroker(goingOnAfter: host), since: seq)
        #expect(sent.count == 2)
        #expect(sent.first?.contains(#""resync":false"#) == true)
        #expect(sent.last?.contains(#""seq":\#(seq + 1),"#) == true, "\(sent)")
        #expect(sent.last?.contains(#""data":{"endpoints":[]}"#) == true)
    }

    @Test func `none are gone where none were, and they are gone once`() throws {
        let observer = host.observer("audio.endpoints_changed")
        _ = report(Self.built)
        _ = report()
        let seq = try latest(observer)
        #expect(resumed(at: try MemoryBroker(goingOnAfter: host), since: seq).count == 1)
        _ = report(Self.built)
        let next = try MemoryBroker(goingOnAfter: host)
        try next.expectThatItsJournalTellsAll()
        // A third broker has nothing to add to what the second one has published.
        let again = try MemoryBroker(goingOnAfter: next)
        let since = try latest(observer) + 1
        #expect(resumed(at: again, since: since).count == 1)
    }

    @Test func `the user's choice outlives a restart`() throws {
        _ = report(Self.built, Self.headset)
        host.forget()
        owner.send(Frame.result(try choose("headset")))
        try host.expectThatItsJournalTellsAll()
        let next = try MemoryBroker(goingOnAfter: host)
        let again = next.connect()
        _ = again.ask(Frame.hello(#""roles":["audio"]"#))
        again.post("audio.report_endpoints", #"{"endpoints":[\#(Self.headset)]}"#)
        #expect(again.lines().last?.contains(#""chosen":"headset""#) == true)
    }

    @Test func `the owner's reason for a failure reaches the user`() throws {
        _ = report(Self.built, Self.headset)
        host.forget()
        let id = try choose("headset")
        owner.send(Frame.error("\(id)", -32_000, "no_battery", "flat"))
        let error = user.lines().joined()
        #expect(error.contains(#""reason":"provider_failed""#))
        #expect(error.contains(#""reason":"no_battery""#))
        #expect(endpoints().contains(Self.built))
    }

    @Test func `an owner that does not answer is cancelled after ten seconds`() throws {
        _ = report(Self.built, Self.headset)
        host.forget()
        let id = try choose("headset")
        host.turn(afterMS: 10_000)
        #expect(
            owner.lines().last?.contains(#""broker.cancel","params":{"request":\#(id)}"#) == true)
        #expect(user.lines().joined().contains(#""reason":"deadline_exceeded""#))
        owner.send(Frame.result(id))
        #expect(endpoints().contains(Self.built))
    }

    @Test func `a request whose owner goes away fails`() throws {
        _ = report(Self.built, Self.headset)
        host.forget()
        _ = try choose("headset")
        owner.endInput()
        #expect(user.lines().joined().contains(#""reason":"provider_gone""#))
    }

    @Test(arguments: ["tuba", "broken"])
    func `an endpoint that is not there, or unavailable, is refused`(_ endpoint: String) {
        _ = report(Self.built, #"{"endpoint":"broken","kind":"wired","state":"unavailable"}"#)
        host.forget()
        #expect(
            user.tell("audio.set_endpoint", #"{"endpoint":"\#(endpoint)"}"#).last
                == "1: -32004 unknown_endpoint field=/endpoint")
    }

    @Test func `nothing can be chosen at a host without an owner`() {
        owner.endInput()
        #expect(
            user.tell("audio.set_endpoint", #"{"endpoint":"headset"}"#).last
                == "1: -32004 unknown_endpoint field=/endpoint")
    }

    @Test func `the role is one client's at a time, and needed to report`() {
        let second = host.connect()
        let reply = second.ask(Frame.hello(#""roles":["audio","observer"]"#)).joined()
        #expect(reply.contains(#""denied_roles":[{"role":"audio","reason":"taken"}]"#))
        second.post("audio.report_endpoints", #"{"endpoints":[]}"#)
        #expect(second.lines().joined().contains(#""reason":"role_not_granted""#))
        second.post("audio.set_endpoint", #"{"endpoint":"x"}"#)
        #expect(second.lines().joined().contains(#""reason":"role_not_granted""#))
    }
}
