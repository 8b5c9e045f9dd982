import CallPlugins
import Testing

struct SupervisionHealthTests {
    /// Ready and silent for a minute: pinged.
    private func pinged(hasCalls: Bool = false) -> Life {
        var life = Life.ready()
        if hasCalls {
            life.become(.callsChanged(hasCalls: true))
            _ = life.fire(.silence, afterMS: 15_000)
        } else {
            for _ in 0..<4 { _ = life.fire(.silence, afterMS: 15_000) }
        }
        return life
    }

    @Test func `fifteen seconds of silence with calls are broken by a ping`() {
        var life = Life.ready()
        life.become(.callsChanged(hasCalls: true))
        #expect(life.fire(.silence, afterMS: 15_000) == [.ping, .arm(.ping, at: 25_000)])
    }

    @Test func `without calls it may be silent for a minute`() {
        var life = Life.ready()
        #expect(life.fire(.silence, afterMS: 15_000) == [.arm(.silence, at: 30_000)])
        #expect(life.fire(.silence, afterMS: 15_000) == [.arm(.silence, at: 45_000)])
        #expect(life.fire(.silence, afterMS: 15_000) == [.arm(.silence, at: 60_000)])
        #expect(life.fire(.silence, afterMS: 15_000) == [.ping, .arm(.ping, at: 70_000)])
    }

    @Test func `silence counts from the last word`() {
        var life = Life.ready()
        life.become(.callsChanged(hasCalls: true))
        #expect(life.apply(.heard(at: Life.at(9_000)), afterMS: 15_000) == [])
        #expect(life.fire(.silence, afterMS: 0) == [.arm(.silence, at: 24_000)])
    }

    @Test func `one that is not to be pinged is not`() {
        let life = Life.ready { $0.isPinged = false }
        #expect(life.supervision.armed == [.health])
    }

    @Test func `one that has not reacted to something is pinged at once, and once`() {
        var life = Life.ready()
        #expect(
            life.apply(.doubted, afterMS: 3_000) == [
                .stopTimer(.silence), .ping, .arm(.ping, at: 13_000),
            ])
        #expect(life.apply(.doubted, afterMS: 1_000) == [])
        #expect(
            life.apply(.heard(at: Life.at(4_500)), afterMS: 500) == [
                .stopTimer(.ping), .arm(.silence, at: 19_500),
            ])
    }

    @Test func `one that is not to be pinged is not, though it does not react`() {
        var life = Life.ready { $0.isPinged = false }
        #expect(life.apply(.doubted) == [])
    }

    @Test func `an answer is enough, and silence counts anew`() {
        var life = pinged()
        #expect(life.supervision.awaitsSign)
        let effects = life.apply(.heard(at: Life.at(60_100)), afterMS: 100)
        #expect(effects == [.stopTimer(.ping), .arm(.silence, at: 75_100)])
        #expect(!life.supervision.awaitsSign)
    }

    @Test func `what it said before it was asked is no answer`() {
        var life = pinged()
        #expect(life.apply(.heard(at: Life.at(59_000))) == [])
        #expect(life.supervision.awaitsSign)
    }

    @Test func `one that misses one ping is asked again`() {
        var life = pinged()
        #expect(life.fire(.ping, afterMS: 10_000) == [.ping, .arm(.ping, at: 80_000)])
        #expect(life.supervision.state == .ready)
    }

    @Test func `two misses without calls: it has to go`() {
        var life = pinged()
        _ = life.fire(.ping, afterMS: 10_000)
        let effects = life.fire(.ping, afterMS: 10_000)
        #expect(
            effects == [
                .stopTimer(.health), .sayGoodbye, .closeWriting, .arm(.leaving, at: 85_000),
                .announce(from: .ready, to: .unresponsive),
            ])
    }

    @Test func `two misses with calls: they have their grace`() {
        var life = pinged(hasCalls: true)
        _ = life.fire(.ping, afterMS: 10_000)
        let effects = life.fire(.ping, afterMS: 10_000)
        #expect(
            effects == [
                .stopTimer(.health), .arm(.grace, at: 40_000),
                .announce(from: .ready, to: .unresponsive),
            ])
    }

    @Test func `a late answer saves it`() {
        var life = pinged(hasCalls: true)
        _ = life.fire(.ping, afterMS: 10_000)
        _ = life.fire(.ping, afterMS: 10_000)
        let effects = life.apply(.heard(at: Life.at(36_000)), afterMS: 1_000)
        #expect(
            effects == [
                .stopTimer(.grace), .arm(.health, at: 96_000), .arm(.silence, at: 51_000),
                .announce(from: .unresponsive, to: .ready),
            ])
    }

    @Test func `the grace over, or the calls, it has to go`() {
        for event in [Supervision.Event.timerFired(.grace), .callsChanged(hasCalls: false)] {
            var life = pinged(hasCalls: true)
            _ = life.fire(.ping, afterMS: 10_000)
            _ = life.fire(.ping, afterMS: 10_000)
            #expect(life.apply(event).contains(.sayGoodbye))
            life.become(.exited(.signal(9), random: 20))
            #expect(life.supervision.state == .backoff)
            #expect(life.supervision.lastFailure == .unresponsive)
        }
    }
}
