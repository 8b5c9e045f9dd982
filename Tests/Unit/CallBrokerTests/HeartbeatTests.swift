import BrokerSocket
import Testing

@testable import CallBroker

/// When somebody is asked for a sign of life, as a value.
struct HeartbeatTests {
    private var heartbeat = Heartbeat()

    private static func at(_ milliseconds: Int) -> MonotonicTime {
        .zero.advanced(milliseconds: milliseconds)
    }

    /// What follows where it is looked at then.
    private mutating func step(_ milliseconds: Int, isFullyRead: Bool = true) -> Heartbeat.Step {
        heartbeat.step(at: Self.at(milliseconds), everyMS: 10_000, isFullyRead: isFullyRead)
    }

    @Test mutating func `silence counts from the last word`() {
        heartbeat.recordActivity(at: Self.at(4_000))
        #expect(step(10_000) == .wait(until: Self.at(14_000)))
        #expect(step(13_999) == .wait(until: Self.at(14_000)))
        #expect(step(14_000) == .ping)
    }

    @Test mutating func `two pings have their time each, and then it is given up`() {
        #expect(step(10_000) == .ping)
        #expect(step(19_999) == .wait(until: Self.at(20_000)))
        #expect(step(20_000) == .ping)
        #expect(step(29_999) == .wait(until: Self.at(30_000)))
        #expect(step(30_000) == .giveUp)
    }

    @Test mutating func `a word in between begins it anew`() {
        #expect(step(10_000) == .ping)
        heartbeat.recordActivity(at: Self.at(19_999))
        #expect(!heartbeat.isAsking)
        #expect(step(20_000) == .wait(until: Self.at(29_999)))
        #expect(step(29_999) == .ping)
        #expect(step(39_999) == .ping)
        #expect(step(49_999) == .giveUp)
    }

    @Test mutating func `one that is asked at once has the same time, and is asked once`() {
        let asked = [
            heartbeat.requestPing(at: Self.at(3_000)), heartbeat.requestPing(at: Self.at(3_000)),
        ]
        #expect(asked == [true, false])
        #expect(step(12_999) == .wait(until: Self.at(13_000)))
        #expect(step(13_000) == .ping)
        #expect(step(23_000) == .giveUp)
    }

    @Test mutating func `a look that comes late says that we stood still`() {
        #expect(step(10_000) == .ping)
        #expect(step(20_999) == .ping)
        #expect(step(31_999) == .wait(until: Self.at(41_999)))
        #expect(step(41_999) == .giveUp)
    }

    @Test mutating func `what was not read yet is no silence`() {
        #expect(step(10_000) == .ping)
        #expect(step(20_000, isFullyRead: false) == .wait(until: Self.at(30_000)))
        #expect(step(30_000) == .ping)
    }
}
