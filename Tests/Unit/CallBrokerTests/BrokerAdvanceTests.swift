import BrokerSocket
import CallBroker
import CallTesting
import Testing

struct BrokerAdvanceTests {
    private let host = MemoryBroker()

    @Test func `the clock moves by what was asked for`() {
        let peer = host.ready("admin")
        for (id, time) in [(1, 1_000), (2, 2_000)] {
            peer.send(Frame.advance(id, ms: 1_000))
            #expect(peer.lines() == [])
            host.finishAdvance()
            #expect(
                peer.lines() == [Frame.result(id, #"{"fired":0,"now_ms":\#(time),"seq":0}"#)])
        }
        #expect(host.now == .zero.advanced(milliseconds: 2_000))
    }

    @Test func `moving by nothing is answered too`() {
        let peer = host.ready("admin")
        peer.send(Frame.advance(1, ms: 0))
        host.finishAdvance()
        #expect(peer.lines() == [Frame.result(1, #"{"fired":0,"now_ms":0,"seq":0}"#)])
    }

    @Test func `timers fire on the way, each at its own time`() {
        let peer = host.ready("admin")
        let first = host.connect()
        host.turn(afterMS: 100)
        let second = host.connect()
        peer.send(Frame.advance(1, ms: 10_000))

        var times: [Int64] = []
        while host.broker.advance != nil {
            times.append(host.broker.stepAdvance().milliseconds)
            #expect(first.isClosed == (times[0] >= 10_000))
            #expect(second.isClosed == (times.count > 1))
        }
        #expect(times == [10_000, 10_100, 10_100])
        #expect(peer.lines() == [Frame.result(1, #"{"fired":2,"now_ms":10100,"seq":0}"#)])
    }

    @Test func `a timer behind the end does not fire`() {
        let peer = host.ready("admin")
        let waiting = host.connect()
        peer.send(Frame.advance(1, ms: 9_999))
        host.finishAdvance()
        #expect(!waiting.isClosed)
        peer.send(Frame.advance(2, ms: 1))
        host.finishAdvance()
        #expect(waiting.isClosed)
    }

    @Test func `what is readable is handled before the next timer`() {
        let peer = host.ready("admin")
        let waiting = host.connect()
        peer.send(Frame.advance(1, ms: 20_000))
        #expect(waiting.ask(Frame.hello()).count == 1)
        host.finishAdvance()
        #expect(!waiting.isClosed)
    }

    @Test func `the clock is moved by one at a time`() {
        let peer = host.ready("admin")
        let busy = Frame.error("2", -32_006, "busy", "the clock is already being moved")
        #expect(peer.ask(Frame.advance(1, ms: 5), Frame.advance(2, ms: 5)) == [busy])
        host.finishAdvance()
        #expect(peer.lines() == [Frame.result(1, #"{"fired":0,"now_ms":5,"seq":0}"#)])
    }

    @Test(arguments: [
        ("{}", "missing_member"), (#"{"ms":-1}"#, "out_of_range"),
        (#"{"ms":86400001}"#, "out_of_range"), (#"{"ms":1.0}"#, "wrong_type"),
    ])
    func `it moves forwards, and by a day at most`(params: String, reason: String) {
        let lines = host.ready("admin").ask(Frame.request(1, "test.advance", params))
        #expect(lines.joined().contains(#""reason":"\#(reason)""#))
        #expect(host.broker.advance == nil)
    }

    @Test func `only an administrator may, and only in test mode`() {
        let refusal = host.ready("observer").ask(Frame.advance(1, ms: 1)).joined()
        #expect(refusal.contains(#""reason":"role_not_granted""#))

        let host = MemoryBroker { $0.isTestMode = false }
        let unknown = host.ready("admin").ask(Frame.advance(1, ms: 1)).joined()
        #expect(unknown.contains(#""reason":"unknown_method""#))
    }

    @Test func `a day passes a subscriber by that reads nothing meanwhile`() {
        let admin = host.ready("admin", "observer")
        _ = admin.tell("events.subscribe", #"{"topics":["*"]}"#)
        admin.post("test.advance", #"{"ms":86400000}"#)
        host.finishAdvance()
        admin.block()
        host.turn(afterMS: 60_000)
        #expect(!admin.isClosed)
        let lines = admin.drain().map { Brief.line($0) }
        #expect(lines.filter { $0.hasPrefix("broker.bookmark") }.count == 1)
        #expect(lines.count == 2)
        host.turn(afterMS: 60_000)
        #expect(admin.brief() == ["broker.bookmark seq=0"])
    }

    @Test func `subscribers that are behind are waited for, if they read`() {
        let host = MemoryBroker { $0.limits.queueSoftBytes = 4_096 }
        let app = host.provider()
        let (reader, stopped) = (host.observer("call.*"), host.observer("call.*"))
        let admin = host.ready("admin")
        func happen(_ calls: ClosedRange<Int>) {
            for call in calls {
                app.ring(call)
                _ = app.tell("call.report_ended", #"{"call":"c\#(call)","reason":"remote_ended"}"#)
            }
        }
        happen(1...10)
        admin.post("test.advance", #"{"ms":1000}"#)
        #expect(!host.broker.mayAdvance)
        host.broker.expireSettleWaits(at: .zero)
        host.broker.expireSettleWaits(at: .zero.advanced(milliseconds: 999))
        for _ in 1...10 {
            _ = reader.drain()
            host.turn()
        }
        #expect(!host.broker.mayAdvance)
        host.broker.expireSettleWaits(at: .zero.advanced(milliseconds: 1_000))
        #expect(host.broker.mayAdvance)
        host.finishAdvance()
        #expect(host.now == .zero.advanced(milliseconds: 1_000))
        #expect(!stopped.isClosed)
        _ = admin.lines()

        // It has not read since: nobody waits for it again.
        happen(11...20)
        _ = reader.drain()
        for _ in 1...10 {
            _ = reader.drain()
            host.turn()
        }
        admin.post("test.advance", #"{"ms":1000}"#)
        #expect(host.broker.mayAdvance)
    }

    @Test func `without anything to advance the time stays`() {
        host.turn(afterMS: 7)
        #expect(host.broker.stepAdvance() == .zero.advanced(milliseconds: 7))
    }
}
