import CallModel
import CallPlugins
import Testing

struct SupervisionFailureTests {
    @Test func `an exit disarms everything and pauses half a second`() {
        var life = Life.ready()
        let effects = life.apply(.exited(.signal(9), random: 20), afterMS: 1_000)
        #expect(
            effects == [
                .stopTimer(.health), .stopTimer(.silence), .arm(.backoff, at: 1_500),
                .announce(from: .ready, to: .backoff),
            ])
        #expect(life.supervision.lastExit == .signal(9))
        #expect(life.supervision.retryAt == Life.at(1_500))
    }

    @Test func `the pause over, it is started again`() {
        var life = Life.ready()
        life.become(.exited(.code(1), random: 20))
        let effects = life.fire(.backoff, afterMS: 500)
        #expect(
            effects == [
                .spawn, .arm(.opening, at: 10_500), .announce(from: .backoff, to: .starting),
            ])
    }

    @Test func `the pause doubles up to a minute`() {
        var policy = SupervisionPolicy()
        policy.failuresMax = 100
        var supervision = Supervision(Supervision.Settings(), policy: policy)
        var pauses: [Int] = []
        var nowMS = 0
        _ = supervision.apply(.startRequested, at: Life.at(0))
        for _ in 0..<9 {
            _ = supervision.apply(.exited(.code(1), random: 20), at: Life.at(nowMS))
            let dueMS = Int((supervision.retryAt?.nanoseconds ?? 0) / 1_000_000)
            pauses.append(dueMS - nowMS)
            nowMS = dueMS
            _ = supervision.apply(.timerFired(.backoff), at: Life.at(nowMS))
        }
        #expect(pauses == [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
    }

    @Test(arguments: [(UInt32(0), 400), (20, 500), (40, 600), (41, 400)])
    func `a pause is up to a fifth longer or shorter`(_ random: UInt32, _ pauseMS: Int) {
        var life = Life.ready()
        life.become(.exited(.code(1), random: random))
        #expect(life.supervision.retryAt == Life.at(pauseMS))
    }

    @Test func `a minute of health, and the next pause is the first again`() {
        var life = Life.ready()
        life.fail(times: 2)
        life.become(.connected, .registered)
        #expect(life.fire(.health, afterMS: 60_000) == [])
        life.become(.exited(.code(1), random: 20))
        #expect(life.supervision.retryAt == Life.at(60_500))
    }

    @Test func `five failures in five minutes, and it is not tried again`() {
        var life = Life.ready()
        life.fail(times: 4)
        let effects = life.apply(.exited(.code(1), random: 20), afterMS: 299_999)
        #expect(effects == [.stopTimer(.opening), .announce(from: .starting, to: .failed)])
    }

    @Test func `failures of more than five minutes ago do not count`() {
        var life = Life.ready()
        life.fail(times: 4)
        _ = life.apply(.exited(.code(1), random: 20), afterMS: 300_000)
        #expect(life.supervision.state == .backoff)
    }

    @Test func `a restart forgets the failures`() {
        var life = Life.ready()
        life.fail(times: 5)
        #expect(life.apply(.restartRequested).first == .spawn)
        life.become(.exited(.code(1), random: 20))
        #expect(life.supervision.retryAt == Life.at(500))
    }

    @Test(arguments: [Supervision.Event.stopRequested, .disabled])
    func `a stop forgets them, too`(_ stop: Supervision.Event) {
        var life = Life.ready()
        life.fail(times: 5)
        life.become(stop, .enabled, .startRequested)
        life.become(.exited(.code(1), random: 20))
        #expect(life.supervision.state == .backoff)
        #expect(life.supervision.retryAt == Life.at(500))
    }

    @Test func `another manifest forgets them, too`() {
        var life = Life.ready { $0.start = .boot }
        life.fail(times: 5)
        #expect(life.apply(.manifestChanged(life.supervision.settings)).first == .spawn)
    }

    @Test func `a start does not wait for the pause to end`() {
        var life = Life.ready()
        life.become(.exited(.code(1), random: 20))
        let effects = life.apply(.startRequested, afterMS: 100)
        #expect(Array(effects.prefix(2)) == [.stopTimer(.backoff), .spawn])
    }

    @Test func `a call does wait for it`() {
        var life = Life.ready()
        life.become(.exited(.code(1), random: 20))
        #expect(life.apply(.demanded) == [])
    }

    @Test(arguments: [[Supervision.Event](), [.connected]])
    func
        `one whose connection ends before it was ready is starting still, and has failed if it exits`(
            _ opening: [Supervision.Event]
        )
    {
        var life = Life()
        life.become(.startRequested)
        for event in opening { life.become(event) }
        #expect(!life.apply(.connectionLost).contains(.announce(from: .starting, to: .ready)))
        #expect(life.supervision.state == .starting)
        life.become(.exited(.code(0), random: 20))
        #expect(life.supervision.state == .backoff)
    }

    @Test func `one whose connection ends while it is unresponsive is so still`() {
        var life = Life.ready()
        life.become(.callsChanged(hasCalls: true))
        _ = life.fire(.silence, afterMS: 60_000)
        life.become(.timerFired(.ping), .timerFired(.ping))
        #expect(life.supervision.state == .unresponsive)
        life.become(.connectionLost)
        #expect(life.supervision.state == .unresponsive)
    }

    @Test(
        arguments: zip(
            PluginManifest.Restart.allCases, [Supervision.State.stopped, .backoff, .stopped]))
    func `who ends well comes back if it always does`(
        _ restart: PluginManifest.Restart, _ state: Supervision.State
    ) {
        var life = Life.ready { $0.restart = restart }
        life.become(.exited(.code(0), random: 20))
        #expect(life.supervision.state == state)
        #expect(life.supervision.failedAt == [])
    }

    @Test func `who never comes back has failed`() {
        var life = Life.ready { $0.restart = .never }
        #expect(
            life.apply(.exited(.code(1), random: 20)).last == .announce(from: .ready, to: .failed))
    }

    @Test func `who ends before it was ready has failed, whatever it says`() {
        var life = Life()
        life.become(.startRequested, .exited(.code(0), random: 20))
        #expect(life.supervision.state == .backoff)
        #expect(life.supervision.lastFailure == .exited)
    }

    @Test func `a lost connection may come again within ten seconds`() {
        var life = Life.ready()
        let effects = life.apply(.connectionLost, afterMS: 100)
        #expect(
            effects == [
                .stopTimer(.health), .stopTimer(.silence), .arm(.opening, at: 10_100),
            ])
        life.become(.connected, .registered)
        #expect(life.supervision.state == .ready)
    }

    @Test func `one that ends well after its connection has ended well`() {
        var life = Life.ready()
        life.become(.connectionLost, .exited(.code(0), random: 20))
        #expect(life.supervision.state == .stopped)
    }

    @Test func `else the process has to go`() {
        var life = Life.ready()
        life.become(.connectionLost)
        #expect(life.fire(.opening, afterMS: 10_000).first == .sayGoodbye)
        #expect(life.supervision.lastFailure == .connectionLost)
        life.become(.exited(.signal(15), random: 20))
        #expect(life.supervision.state == .backoff)
    }

    @Test func `an exit that comes twice is told once`() {
        var life = Life.ready()
        life.become(.exited(.code(1), random: 20))
        #expect(life.apply(.exited(.code(1), random: 20)) == [])
    }
}
