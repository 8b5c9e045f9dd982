import CallArbitration
import CallModel
import Testing

@testable import CallSimulation

/// Timers that are left, or handled twice, are seen.
struct TimerWatchTests {
    private let ring = TimerID.ring(Doctored.call(1))
    private let later = Instant.zero.advanced(byMS: 1_000)

    @Test func `a timer may be moved, and is disarmed once`() {
        var doctored = Doctored.withCalls()
        let complaints = doctored.complaints(
            .startTimer(ring, at: later), .startTimer(ring, at: later.advanced(byMS: 1)),
            .stopTimer(ring))
        #expect(complaints == [])
        #expect(doctored.watch.timers.first == nil)
    }

    @Test func `disarming twice`() {
        var doctored = Doctored.withCalls()
        let complaints = doctored.complaints(
            .startTimer(ring, at: later), .stopTimer(ring), .stopTimer(ring))
        #expect(complaints == ["I12: a timer is disarmed that was not armed"])
    }

    @Test func `disarming after it has fired`() {
        var doctored = Doctored.withCalls()
        doctored.take(Doctored.nothing, [.startTimer(ring, at: later)])
        let complaints = doctored.complaints(of: .timerFired(ring), [.stopTimer(ring)])
        #expect(complaints == ["I12: a timer is disarmed that was not armed"])
    }

    @Test func `arming for the past`() {
        var doctored = Doctored.withCalls()
        doctored.pass(ms: 2_000)
        let complaints = doctored.complaints(.startTimer(ring, at: later))
        #expect(complaints == ["I12: a timer is armed for the past"])
    }

    @Test func `a timer of an ended call`() {
        var doctored = Doctored.withCalls()
        let complaints = doctored.complaints(
            .startTimer(ring, at: later),
            .announce(.callRemoved(Doctored.call(1), Cause(.remote))),
            .record(Doctored.entry(1)))
        #expect(complaints == ["I12: a timer of an ended call is left"])
    }

    @Test func `a timer of a settled action`() {
        var doctored = Doctored.performing()
        let complaints = doctored.complaints(
            .announce(
                .actionChanged(Doctored.action(1), .answer, Doctored.call(1), .fulfilled)))
        #expect(complaints == ["I12: the timer of a settled action is left"])
    }

    @Test func `an action without a deadline, or without time`() {
        var doctored = Doctored.withCalls()
        var dispatch = Doctored.dispatch(1)
        dispatch.deadlineMS = 0
        let complaints = doctored.complaints(
            .perform(dispatch),
            .announce(
                .actionChanged(Doctored.action(1), .answer, Doctored.call(1), .dispatched)))
        #expect(
            complaints == [
                "I12: an action has no time", "I12: an action is performed without a deadline",
            ])
    }
}
