import BrokerSocket
import CallBroker
import CallProtocol
import Testing

struct TurnMeterTests {
    private func time(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime.zero.advanced(milliseconds: milliseconds)
    }

    @Test func `a turn of 50 ms is no stall`() {
        var meter = TurnMeter()
        meter.begin(at: time(0))
        meter.end(.method(.listCalls), at: time(50))
        let stall = meter.endTurn(at: time(50))
        #expect(stall == nil)
        #expect(meter.stalls == [:])
        #expect(meter.longestMS == 50)
    }

    @Test func `a longer one counts for what took longest in it`() {
        var meter = TurnMeter()
        for start in [0, 1_000] {
            meter.begin(at: time(start))
            meter.end(.method(.ping), at: time(start + 10))
            meter.end(.method(.listCalls), at: time(start + 50 + start / 100))
            meter.end(.commit, at: time(start + 70))
            let stall = meter.endTurn(at: time(start + 90))
            #expect(stall?.part == .method(.listCalls))
            #expect(stall?.milliseconds == 90)
        }
        #expect(meter.stalls.keys.sorted() == ["call.list"])
        #expect(meter.stalls["call.list"]?.longestMS == 90)
        #expect(meter.count == 2)
    }

    @Test func `what took long in one turn is forgotten in the next`() {
        var meter = TurnMeter()
        meter.begin(at: time(0))
        meter.end(.commit, at: time(40))
        let none = meter.endTurn(at: time(40))
        #expect(none == nil)
        meter.begin(at: time(100))
        meter.end(.store, at: time(130))
        meter.end(.timer, at: time(155))
        let stall = meter.endTurn(at: time(155))
        #expect(stall?.part == .store)
    }
}
