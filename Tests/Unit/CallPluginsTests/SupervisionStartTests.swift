import CallPlugins
import Testing

struct SupervisionStartTests {
    @Test func `a start spawns a process and waits ten seconds for hello`() {
        var life = Life()
        let effects = life.apply(.startRequested)
        #expect(
            effects == [
                .spawn, .arm(.opening, at: 10_000), .announce(from: .stopped, to: .starting),
            ])
    }

    @Test func `one that stands for an app opens its session when that is there`() {
        var life = Life { $0.isAdapter = true }
        #expect(
            life.apply(.startRequested) == [.spawn, .announce(from: .stopped, to: .starting)])
        #expect(life.apply(.connected, afterMS: 86_400_000) == [.arm(.opening, at: 86_410_000)])
        life.become(.registered, .connectionLost)
        #expect(
            life.fire(.opening, afterMS: 10_000) == [.announce(from: .ready, to: .starting)])
    }

    @Test func `after hello it has ten seconds to register`() {
        var life = Life()
        life.become(.startRequested)
        let effects = life.apply(.connected, afterMS: 300)
        #expect(effects == [.arm(.opening, at: 10_300)])
        #expect(life.supervision.state == .starting)
    }

    @Test func `one that has registered is ready`() {
        var life = Life()
        life.become(.startRequested, .connected)
        let effects = life.apply(.registered, afterMS: 400)
        #expect(
            effects == [
                .stopTimer(.opening), .arm(.health, at: 60_400), .arm(.silence, at: 15_400),
                .announce(from: .starting, to: .ready),
            ])
    }

    @Test func `one that provides no calls is ready with its hello`() {
        var life = Life { $0.registers = false }
        life.become(.startRequested, .connected)
        #expect(life.supervision.state == .ready)
    }

    @Test func `with an implicit handshake it is ready the moment it runs`() {
        var life = Life { $0.isImplicit = true }
        let effects = life.apply(.startRequested)
        #expect(
            effects == [
                .spawn, .arm(.health, at: 60_000), .arm(.silence, at: 15_000),
                .announce(from: .stopped, to: .ready),
            ])
    }

    @Test(arguments: PluginManifest.Start.allCases)
    func `with the broker only those come that say so`(_ start: PluginManifest.Start) {
        var life = Life { $0.start = start }
        #expect(life.apply(.booted).contains(.spawn) == (start == .boot))
    }

    @Test func `a call starts a stopped plugin, whatever its manner of start`() {
        var life = Life { $0.start = .manual }
        #expect(life.apply(.demanded).first == .spawn)
    }

    @Test func `a second demand does not start a second process`() {
        var life = Life()
        life.become(.demanded)
        #expect(life.apply(.demanded) == [])
        #expect(life.apply(.startRequested) == [])
    }

    @Test(arguments: [Supervision.Rest.disabled, .masked, .failed])
    func `no call and no start brings back what is disabled, masked or failed`(
        _ rest: Supervision.Rest
    ) {
        var life = Life(at: rest) { $0.start = .boot }
        #expect(life.apply(.demanded) == [])
        #expect(life.apply(.startRequested) == [])
        #expect(life.apply(.booted) == [])
    }

    @Test func `no hello in time is a failure: the process has to go`() {
        var life = Life()
        life.become(.startRequested)
        let effects = life.fire(.opening, afterMS: 10_000)
        #expect(effects == [.sayGoodbye, .closeWriting, .terminate, .arm(.leaving, at: 15_000)])
        #expect(life.supervision.lastFailure == .helloMissing)
        #expect(life.supervision.state == .starting)
    }

    @Test func `no registration in time is one, too`() {
        var life = Life()
        life.become(.startRequested, .connected)
        _ = life.fire(.opening, afterMS: 10_000)
        #expect(life.supervision.lastFailure == .registrationMissing)
    }

    @Test func `a program that cannot be started is tried again`() {
        var life = Life()
        life.become(.startRequested)
        let effects = life.apply(.spawnFailed(random: 20))
        #expect(
            effects == [
                .stopTimer(.opening), .arm(.backoff, at: 500),
                .announce(from: .starting, to: .backoff),
            ])
        #expect(life.supervision.lastFailure == .notSpawned)
    }

    @Test func `an app that the broker does not start is ready while it is connected`() {
        var life = Life { $0.hasProgram = false }
        #expect(life.apply(.startRequested) == [])
        #expect(life.apply(.connected) == [.announce(from: .stopped, to: .ready)])
        #expect(life.apply(.connectionLost) == [.announce(from: .ready, to: .stopped)])
    }
}
