import CallPlugins
import Testing

struct SupervisionStopTests {
    @Test func `a stop is a goodbye first`() {
        var life = Life.ready { $0.stopTimeoutMS = 700 }
        let effects = life.apply(.stopRequested)
        #expect(
            effects == [
                .stopTimer(.health), .stopTimer(.silence), .sayGoodbye, .closeWriting,
                .arm(.leaving, at: 700),
            ])
        #expect(life.supervision.state == .ready)
    }

    @Test func `then a signal to end, then one that ends it`() {
        var life = Life.ready()
        life.become(.stopRequested)
        #expect(life.fire(.leaving, afterMS: 5_000) == [.terminate, .arm(.leaving, at: 10_000)])
        #expect(life.fire(.leaving, afterMS: 5_000) == [.kill])
        #expect(
            life.apply(.exited(.signal(9), random: 0)) == [.announce(from: .ready, to: .stopped)])
        #expect(life.supervision.armed == [])
    }

    @Test(arguments: [false, true])
    func `one that has no session is asked to end at once`(isAdapter: Bool) {
        var life = Life { $0.isAdapter = isAdapter }
        life.become(.startRequested)
        let effects = life.apply(.stopRequested)
        let deadline: [Supervision.Effect] = isAdapter ? [] : [.stopTimer(.opening)]
        #expect(
            effects == deadline + [
                .sayGoodbye, .closeWriting, .terminate, .arm(.leaving, at: 5_000),
            ])
        #expect(life.supervision.state == .starting)
        #expect(life.fire(.leaving, afterMS: 5_000) == [.kill])
        #expect(
            life.apply(.exited(.signal(9), random: 0)) == [
                .announce(from: .starting, to: .stopped)
            ])
    }

    @Test func `so is one whose connection has gone`() {
        var life = Life.ready()
        life.become(.connectionLost)
        #expect(
            life.apply(.stopRequested) == [
                .stopTimer(.opening), .sayGoodbye, .closeWriting, .terminate,
                .arm(.leaving, at: 5_000),
            ])
    }

    @Test func `one that has a session and has not registered hears the goodbye`() {
        var life = Life()
        life.become(.startRequested, .connected)
        #expect(
            life.apply(.stopRequested) == [
                .stopTimer(.opening), .sayGoodbye, .closeWriting, .arm(.leaving, at: 5_000),
            ])
    }

    @Test func `one that goes in time is not signalled, and has not failed`() {
        var life = Life.ready()
        life.become(.stopRequested)
        let effects = life.apply(.exited(.code(3), random: 0), afterMS: 10)
        #expect(effects == [.stopTimer(.leaving), .announce(from: .ready, to: .stopped)])
        #expect(life.supervision.failedAt == [])
    }

    @Test func `a stop ends a pause`() {
        var life = Life.ready()
        life.become(.exited(.code(1), random: 20))
        let effects = life.apply(.stopRequested)
        #expect(effects == [.stopTimer(.backoff), .announce(from: .backoff, to: .stopped)])
    }

    @Test func `a restart is a stop, and a start when the process has gone`() {
        var life = Life.ready()
        life.become(.restartRequested)
        let effects = life.apply(.exited(.code(0), random: 0))
        #expect(
            effects == [
                .stopTimer(.leaving), .spawn, .arm(.opening, at: 10_000),
                .announce(from: .ready, to: .starting),
            ])
    }

    @Test func `of two wishes the later counts`() {
        var life = Life.ready()
        life.become(.restartRequested, .stopRequested, .exited(.code(0), random: 0))
        #expect(life.supervision.state == .stopped)
        life = Life.ready()
        life.become(.stopRequested, .demanded, .exited(.code(0), random: 0))
        #expect(life.supervision.state == .starting)
    }

    @Test func `a disabled one goes, and stays away until it is enabled`() {
        var life = Life.ready { $0.start = .boot }
        life.become(.disabled, .demanded, .restartRequested)
        #expect(
            life.apply(.exited(.code(0), random: 0)).last == .announce(from: .ready, to: .disabled))
        #expect(life.apply(.enabled).first == .spawn)
    }

    @Test func `another manifest waits until there are no calls`() {
        var life = Life.ready()
        life.become(.callsChanged(hasCalls: true))
        #expect(life.apply(.manifestChanged(life.supervision.settings)) == [])
        #expect(life.apply(.callsChanged(hasCalls: false)).contains(.sayGoodbye))
        #expect(life.apply(.exited(.code(0), random: 0)).contains(.spawn))
    }

    @Test func `without calls it counts at once`() {
        var life = Life.ready()
        #expect(life.apply(.manifestChanged(life.supervision.settings)).contains(.sayGoodbye))
    }

    @Test func `a manifest that goes takes its plugin with it, after its calls`() {
        var life = Life.ready()
        life.become(.callsChanged(hasCalls: true))
        #expect(life.apply(.manifestMasked) == [])
        life.become(.callsChanged(hasCalls: false), .exited(.code(0), random: 0))
        #expect(life.supervision.state == .masked)
        #expect(
            life.apply(.manifestChanged(life.supervision.settings)) == [
                .announce(from: .masked, to: .stopped)
            ])
    }

    @Test func `disabled comes before masked`() {
        var life = Life(at: .masked)
        life.become(.disabled)
        #expect(life.supervision.state == .disabled)
        life.become(.manifestMasked)
        #expect(life.supervision.state == .disabled)
    }

    @Test func `a timer that was stopped in the same turn does nothing`() {
        var life = Life.ready()
        life.become(.stopRequested, .exited(.code(0), random: 0))
        for timer in Supervision.Timer.allCases {
            #expect(life.apply(.timerFired(timer)) == [])
        }
    }
}
