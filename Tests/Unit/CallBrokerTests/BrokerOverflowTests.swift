import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// Observers that do not read.
struct BrokerOverflowTests {
    private let host = MemoryBroker {
        $0.limits.queueSoftBytes = 4_096
        $0.limits.feedEvents = 16
    }
    private let a: MemoryPeer

    init() {
        a = host.provider()
    }

    /// Calls that ring and end, so that there is always something to tell.
    private func happen(_ calls: ClosedRange<Int>) {
        for call in calls {
            a.ring(call)
            _ = a.tell("call.report_ended", #"{"call":"c\#(call)","reason":"remote_ended"}"#)
        }
    }

    @Test func `one that reads late but not too late misses nothing`() {
        let (slow, quick) = (host.observer("call.*"), host.observer("call.*"))
        var heard: [String] = []
        for call in 1...5 {
            happen(call...call)
            heard += quick.drain().map { Brief.line($0) }
            slow.block()
            host.turn()
        }
        var late: [String] = []
        for _ in 1...10 {
            late += slow.drain().map { Brief.line($0) }
            host.turn()
        }
        #expect(heard.count == 15)
        #expect(late == heard)
    }

    @Test func `one that reads too late is told of the gap, and subscribes again`() throws {
        let (slow, quick) = (host.observer(), host.observer())
        var heard: [String] = []
        for call in 1...50 {
            happen(call...call)
            heard += quick.drain().map { Brief.line($0) }
            slow.block()
            host.turn()
        }
        a.ring(99)
        var lines: [String] = []
        for _ in 1...10 {
            lines += slow.drain()
            host.turn()
        }
        // The others have lost nothing.
        #expect(heard.count == 50 * 6)
        let gap = try #require(lines.last)
        let params = try #require(try JSONTree(gap)["params"])
        let last = try #require(try JSONTree(lines[lines.count - 2])["params"]?["seq"]?.integer)
        #expect(try JSONTree(gap)["method"] == .string("events.gap"))
        #expect(params["subscription"] == .integer(1))
        #expect(params["from"]?.integer == last + 1)
        #expect(params["reason"] == .string("overflow"))
        #expect(lines.count { $0.contains("events.gap") } == 1)

        // Nothing more comes, until it asks for the state.
        happen(51...52)
        #expect(slow.lines() == [])
        slow.post("events.subscribe", #"{"topics":["call.*"]}"#)
        let state = try #require(try JSONTree(slow.lines().joined())["result"])
        #expect(state["subscription"] == .integer(2))
        let calls = state["snapshot"]?["calls"]?.elements ?? []
        #expect(calls.map { Brief.call($0) } == ["\(ShortID.call(99)) ringing"])
        a.ring(100)
        #expect(slow.brief().map { $0.prefix(6) } == ["+ c100"])
    }

    @Test func `what one that does not read costs is bounded`() throws {
        let slow = host.observer()
        happen(1...5)
        slow.block()
        let queued = slow.connection.queuedBytes
        happen(6...200)
        host.turn()
        #expect(slow.connection.queuedBytes == queued)
        #expect(queued < 4_096 + 65_536)
    }

    @Test func `a burst waits in the feed, and all that lag behind get the same of it`() {
        let host = MemoryBroker { $0.limits.feedEvents = 4_096 }
        let app = host.provider()
        let (one, other, quick) = (host.observer(), host.observer(), host.observer())
        for slow in [one, other] { slow.block() }
        for call in 1...200 {
            app.ring(call)
            _ = app.tell(
                "call.report_ended", #"{"call":"c\#(call)","reason":"remote_ended"}"#)
        }
        var expected = quick.drain()
        for slow in [one, other] { #expect(slow.connection.queuedBytes < 32_768 + 4_096) }
        host.turn()
        var got = [one.drain(), other.drain()]
        for _ in 1...100 {
            host.turn()
            got[0] += one.drain()
            got[1] += other.drain()
            expected += quick.drain()
        }
        #expect(expected.count > 600)
        #expect(got == [expected, expected])
    }

    @Test func `each subscription has a gap of its own`() {
        let slow = host.observer("call.*")
        _ = slow.tell("events.subscribe", #"{"topics":["provider.*"],"snapshot":false}"#)
        happen(1...50)
        slow.block()
        var lines: [String] = []
        for _ in 1...10 {
            lines += slow.drain().map { Brief.line($0) }
            host.turn()
        }
        // Nothing of the second one's topics was forgotten.
        #expect(lines.count { $0.hasPrefix("events.gap") } == 1)
        #expect(lines.last?.hasPrefix(#"events.gap {"subscription":1,"#) == true)
        _ = a.tell("provider.update", #"{"display_name":"B"}"#)
        #expect(slow.brief() == ["provider.changed org.a calls 0"])
    }

    @Test func `providers and controllers lose nothing to a slow observer`() {
        let slow = host.observer()
        let user = host.controller()
        happen(1...20)
        slow.block()
        for call in 21...40 {
            #expect(a.ring(call).count == 1)
            #expect(user.tell("call.answer", #"{"call":"c\#(call)"}"#).count == 1)
            #expect(a.brief().count == 1)
            #expect(a.fulfilling(call - 20).count == 1)
            #expect(user.brief().count == 1)
            _ = a.tell("call.report_ended", #"{"call":"c\#(call)","reason":"remote_ended"}"#)
        }
    }
}
