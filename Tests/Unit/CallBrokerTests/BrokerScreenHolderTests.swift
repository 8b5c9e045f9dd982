import CallBroker
import CallTesting
import Testing

/// Everybody is told which screen is offered calls first.
struct BrokerScreenHolderTests {
    private let host = MemoryBroker()
    private let user: MemoryPeer

    init() {
        user = host.controller()
        host.forget()
    }

    /// A screen that has claimed.
    private func screen(_ name: String, priority: Int = 0) -> MemoryPeer {
        let peer = host.ready("ui", identity: "org.\(name)")
        peer.post("ui.claim", #"{"priority":\#(priority)}"#)
        return peer
    }

    @Test func `each change of who holds the screen is published, and the host's state has it`() {
        let observer = host.observer("screen.changed")
        func told() -> [String?] {
            observer.lines().map { line in
                (try? JSONTree(line))?["params"]?["data"]?["screen"]?.string
            }
        }
        let first = screen("first")
        #expect(told() == ["org.first"])
        let second = screen("second", priority: 1)
        #expect(told() == ["org.second"])
        first.post("ui.claim")
        #expect(told() == [])
        user.post("host.get")
        #expect(user.lines().joined().contains(#""screen":"org.second""#))
        second.endInput()
        #expect(told() == ["org.first"])
        first.post("ui.release")
        #expect(told() == [nil])
        user.post("host.get")
        #expect(!user.lines().joined().contains("screen"))
    }

    @Test func `an observer that resumes after a restart is told that the screen is gone, once`()
        throws
    {
        let observer = host.observer("screen.changed")
        _ = screen("first")
        let line = try #require(observer.lines().last)
        let seq = try #require(try JSONTree(line)["params"]?["seq"]?.integer)
        let next = try MemoryBroker(goingOnAfter: host)
        try next.expectThatItsJournalTellsAll()
        let again = next.ready("observer")
        let sent = again.ask(
            Frame.request(
                2, "events.subscribe",
                #"{"topics":["screen.changed"],"cursor":{"epoch":"\#(host.broker.epoch)","#
                    + #""seq":\#(seq)}}"#))
        #expect(sent.count == 2)
        #expect(sent.first?.contains(#""resync":false"#) == true)
        #expect(sent.last?.contains(#""seq":\#(seq + 1),"#) == true)
        #expect(sent.last?.contains(#""data":{}"#) == true)
    }
}
