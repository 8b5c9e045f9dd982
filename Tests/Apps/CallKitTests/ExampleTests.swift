import CallClient
import Glibc
import Testing

/// The examples, as programs of their own, with the tool as their user's other screen.
@Suite(.timeLimit(.minutes(30))) struct ExampleTests {
    private let daemon: TestDaemon

    init() throws {
        daemon = try TestDaemon()
    }

    private func check(_ tool: Tool) {
        #expect(tool.end == .exited(0), "\(tool.errors)")
    }

    @Test func `a call rings, is answered with the tool, held, resumed and hung up`() throws {
        let app = try ExampleApp("Speakerbox", daemon.socketPath)
        app.press("ring +15550101")
        try app.wait(for: "added: +15550101, incoming, connecting")
        check(try Tool("answer", socketPath: daemon.socketPath))
        try app.wait(for: "changed: +15550101, incoming, connected", "audio on")
        app.press("hold")
        try app.wait(for: "changed: +15550101, incoming, on hold", "audio off")
        check(try Tool("resume", socketPath: daemon.socketPath))
        try app.wait(for: "changed: +15550101, incoming, connected", "audio on")
        app.press("end")
        try app.wait(for: "audio off", "removed: +15550101")
    }

    @Test(arguments: ["call +15550102", "open tel:+15550102", "again +15550102"])
    func `the user calls somebody, who hangs up`(button: String) throws {
        let app = try ExampleApp("Speakerbox", daemon.socketPath)
        app.press(button)
        try app.wait(for: "added: +15550102, outgoing, connecting")
        try app.wait(for: "changed: +15550102, outgoing, connected")
        try app.wait(for: "audio on")
        app.press("gone")
        try app.wait(for: "removed: +15550102", "audio off")
    }

    @Test func `the user dials with the tool: the app is asked to call, and does so itself`() throws
    {
        let app = try ExampleApp("Speakerbox", daemon.socketPath)
        check(try Tool("dial", "tel:+1-555-0102", socketPath: daemon.socketPath))
        try app.wait(for: "asked to call: +15550102", "added: +15550102, outgoing, connecting")
        try app.wait(for: "changed: +15550102, outgoing, connected")
        try app.wait(for: "audio on")
        check(try Tool("end", "+15550102", socketPath: daemon.socketPath))
        try app.wait(for: "audio off", "removed: +15550102")
    }

    @Test func `the user says whom to call: the app gets the intent to call that contact`() throws {
        let app = try ExampleApp("Speakerbox", daemon.socketPath)
        check(try Tool("contact", "put", "Ada", "+15550102", socketPath: daemon.socketPath))
        check(try Tool("intent", "Please call Ada.", socketPath: daemon.socketPath))
        try app.wait(for: "asked to call: +15550102", "added: +15550102, outgoing, connecting")
        try app.wait(for: "changed: +15550102, outgoing, connected")
        check(try Tool("intent", "hang up", socketPath: daemon.socketPath))
        try app.wait(for: "removed: +15550102")
    }

    /// Without the intent this app could not: its start wants a call of the service's.
    @Test func `the user calls somebody in the messenger with the tool`() throws {
        let app = try ExampleApp("HomingPigeon", daemon.socketPath)
        check(try Tool("start", "bob", socketPath: daemon.socketPath))
        try app.wait(for: "calls: bob connected")
        check(try Tool("mute", "bob", socketPath: daemon.socketPath))
        try app.wait(for: "calls: bob connected muted")
        app.press("end")
        try app.wait(for: "calls: none")
    }

    @Test func `somebody who cannot be reached is not called`() throws {
        let app = try ExampleApp("Speakerbox", daemon.socketPath)
        app.press("call 000")
        app.press("ring +15550103")
        try app.wait(for: "added: +15550103, incoming, connecting")
        let list = try Tool("calls", socketPath: daemon.socketPath).output
        #expect(!list.contains(#""000""#))
    }

    @Test func `a messenger's call is dialled, muted and hung up`() throws {
        let app = try ExampleApp("HomingPigeon", daemon.socketPath)
        app.press("dial bob")
        try app.wait(for: "calls: bob connected")
        app.press("mute")
        try app.wait(for: "calls: bob connected muted")
        app.press("gone")
        try app.wait(for: "calls: none")
        try app.wait(for: "sound off")
        app.press("walk the dog")
        try app.wait(for: "receive NAME, dial NAME, hold, resume, mute, unmute, end, gone")
    }

    @Test func `several people are gathered, come and go, and one of them ends the conversation`()
        throws
    {
        let app = try ExampleApp("TownCrier", daemon.socketPath)
        app.press("gather ann bob")
        try app.wait(for: "talk: Ann, Bob joined")
        let list = try Tool("participants", socketPath: daemon.socketPath).output
        #expect(list.contains("Ann") && list.contains("Bob"), "\(list)")
        app.press("arrive cy")
        try app.wait(for: "talk: Ann, Bob, Cy joined")
        check(try Tool("hold", socketPath: daemon.socketPath))
        try app.wait(for: "talk: Ann, Bob, Cy paused")
        app.press("continue")
        try app.wait(for: "talk: Ann, Bob, Cy joined")
        check(try Tool("mute", socketPath: daemon.socketPath))
        try app.wait(for: "muted")
        for name in ["cy", "ann", "bob"] { app.press("depart \(name)") }
        try app.wait(for: "talk: nobody")
    }

    @Test func `a conversation rings, is joined with the tool, and left`() throws {
        let app = try ExampleApp("TownCrier", daemon.socketPath)
        app.press("ring ann")
        var answer = try Tool("answer", socketPath: daemon.socketPath)
        while answer.end != .exited(0) {
            answer = try Tool("answer", socketPath: daemon.socketPath)
        }
        try app.wait(for: "talk: Ann joined")
        app.press("leave")
        try app.wait(for: "talk: nobody")
        check(try Tool("start", "bob", socketPath: daemon.socketPath))
        try app.wait(for: "talk: bob joined")
    }

    @Test func `a lost broker is one line in the log, and one that is back another`() throws {
        let app = try ExampleApp("HomingPigeon", daemon.socketPath)
        app.press("dial bob")
        try app.wait(for: "calls: bob connected")
        #expect(try daemon.stop(SIGKILL) == .killed(by: SIGKILL))
        try app.wait(forLog: "has lost the broker")
        // Reports that fail show that it has tried in vain meanwhile.
        for time in 1...3 {
            app.press("receive ann")
            try app.wait(forOutput: "refused: ", times: time)
        }
        let second = try TestDaemon(in: daemon.folder)
        try app.wait(forLog: "is registered")
        let lines = app.errors.split(separator: "\n").filter { $0.contains("CXProvider") }
        #expect(lines.count == 2, "\(lines)")
        #expect(!app.errors.contains("bob") && !app.errors.contains("ann"))
        withExtendedLifetime(second) {}
    }

    @Test func `a broker that comes later is one line in the log, too`() throws {
        #expect(try daemon.stop(SIGKILL) == .killed(by: SIGKILL))
        let app = try ExampleApp("HomingPigeon", daemon.socketPath)
        try app.wait(forLog: "is not registered")
        let second = try TestDaemon(in: daemon.folder)
        try app.wait(forLog: "is registered")
        let lines = app.errors.split(separator: "\n").filter { $0.contains("CXProvider") }
        #expect(lines.count == 2, "\(lines)")
        withExtendedLifetime(second) {}
    }

    /// Two apps written for CallKit, and one in Python that knows nothing of it.
    @Test func `three apps share the phone: Hold & Accept, and back when the user ends`()
        async throws
    {
        let speakerbox = try ExampleApp("Speakerbox", daemon.socketPath)
        let pigeon = try ExampleApp("HomingPigeon", daemon.socketPath)
        let desk = try await deskPhone()
        let deskCall = "0d15ea5e-0000-4000-8000-000000000001"

        speakerbox.press("call +15550102")
        try speakerbox.wait(for: "changed: +15550102, outgoing, connected")
        try speakerbox.wait(for: "audio on")

        pigeon.press("receive ann")
        try pigeon.wait(for: "calls: ann ringing")
        check(try Tool("answer", "--hold", "ann", socketPath: daemon.socketPath))
        try speakerbox.wait(for: "changed: +15550102, outgoing, on hold", "audio off")
        try pigeon.wait(for: "calls: ann connected", "sound on")
        pigeon.press("end")
        try pigeon.wait(for: "calls: none", "sound off")
        try speakerbox.wait(for: "changed: +15550102, outgoing, connected", "audio on")

        desk.press("ring \(deskCall) +15550104")
        // It does one thing after the other: then the call rings.
        desk.press("behave well")
        try desk.wait(for: "desk behaves well")
        check(try Tool("answer", "--hold", "+15550104", socketPath: daemon.socketPath))
        try speakerbox.wait(for: "changed: +15550102, outgoing, on hold", "audio off")
        try desk.wait(for: "desk answer \(deskCall)")
        check(try Tool("end", "+15550104", socketPath: daemon.socketPath))
        try desk.wait(for: "desk end \(deskCall)")
        try speakerbox.wait(for: "changed: +15550102, outgoing, connected", "audio on")
    }

    /// When the broker knows it: it does not say so itself.
    private func deskPhone() async throws -> ExampleApp {
        var options = ClientOptions(name: "test")
        options.socketPath = daemon.socketPath
        let observer = try await CallObserver(options, topics: ["provider.added"])
        let desk = try ExampleApp.deskPhone(daemon.socketPath)
        for await case .other("provider.added", let data) in observer
        where data.contains("org.example.desk") {
            break
        }
        return desk
    }
}
