import Glibc
import Testing

/// Section 10: what is there still when the broker was killed, and started again.
struct RestartTests {
    typealias World = RestartWorld
    private let world: World

    init() throws {
        world = try RestartWorld()
    }

    private func epoch() throws -> String? {
        try world.user().request("broker.info").result?["epoch"]?.string
    }

    // MARK: - Calls and sessions

    @Test func `calls are there still, and wait for their provider`() throws {
        let provider = try ScriptedProvider(world.daemon)
        try world.talk(World.ada, of: provider)
        try provider.rings(World.bob, from: ToolWorld.bobNumber)
        let epoch = try epoch()
        try world.killAndStartAgain()
        #expect(try world.calls() == ["ada active away", "bob waiting away"])
        #expect(try self.epoch() == epoch)
        #expect(FileStatus(world.journal)?.permissions == 0o600)
    }

    @Test func `a provider goes on with its session and its calls`() throws {
        let provider = try ScriptedProvider(world.daemon)
        try world.talk(World.ada, of: provider)
        try world.killAndStartAgain()
        let back = try ScriptedProvider(
            world.daemon, members: World.calls(World.live(World.ada)), resuming: provider)
        #expect(back.session["resumed"] == .boolean(true))
        #expect(back.session["session"] == provider.session["session"])
        #expect(back.registration["calls"] == [.string(World.ada)])
        #expect(back.registration["dropped"] == [])
        #expect(try world.calls() == ["ada active"])
        // What it can do then is what it always could.
        let user = try world.user()
        #expect(try user.request("call.end", #"{"call":"\#(World.ada)"}"#).result != nil)
        try back.perform("end")
        _ = try back.client.request("broker.ping", isAlone: false)
        #expect(try world.calls() == [])
    }

    @Test func `a session is resumed with its secret only`() throws {
        let provider = try ScriptedProvider(world.daemon)
        try world.talk(World.ada, of: provider)
        try world.killAndStartAgain()
        let stranger = try ScriptedProvider(world.daemon, members: World.calls())
        #expect(stranger.session["resumed"] == .boolean(false))
        #expect(stranger.session["secret"] != provider.session["secret"])
        #expect(try world.calls() == [])
    }

    @Test func `a call that its provider does not name any more has failed`() throws {
        let provider = try ScriptedProvider(world.daemon)
        try world.talk(World.ada, of: provider)
        try provider.rings(World.bob, from: ToolWorld.bobNumber)
        try world.killAndStartAgain()
        let back = try ScriptedProvider(
            world.daemon, members: World.calls(World.live(World.bob, "ringing")),
            resuming: provider)
        #expect(back.registration["calls"] == [.string(World.bob)])
        #expect(try world.calls() == ["bob ringing"])
        let list = try world.user().request("call.list", #"{"include_ended":true}"#).result
        let ada = list?["calls"]?.elements?.first { $0["call"]?.string == World.ada }
        #expect(ada?["state"] == "ended")
        #expect(ada?["end_reason"] == "failed")
    }

    @Test func `a call that began meanwhile is taken over`() throws {
        let provider = try ScriptedProvider(world.daemon)
        try world.talk(World.ada, of: provider)
        try world.killAndStartAgain()
        let calls = World.calls(World.live(World.ada), World.live(World.bob, "held"))
        let back = try ScriptedProvider(world.daemon, members: calls, resuming: provider)
        #expect(back.registration["calls"] == [.string(World.ada), .string(World.bob)])
        #expect(try world.calls() == ["ada active", "bob held"])
    }

    @Test func `a call for which there is no room is dropped`() throws {
        let file = try world.folder.write(#"{"policy":{"limits":{"calls":1}}}"#, to: "few.json")
        let arguments = ["--test-mode", "--config", file]
        try world.killAndStartAgain(arguments)
        let provider = try ScriptedProvider(world.daemon)
        try world.talk(World.ada, of: provider)
        try world.killAndStartAgain(arguments)
        let calls = World.calls(World.live(World.ada), World.live(World.bob, "held"))
        let back = try ScriptedProvider(world.daemon, members: calls, resuming: provider)
        #expect(back.registration["dropped"] == [.string(World.bob)])
        #expect(try world.calls() == ["ada active"])
    }

    // MARK: - Time

    @Test func `the clock of a test goes on where it stood`() throws {
        let provider = try ScriptedProvider(world.daemon)
        try world.daemon.advance(3_000)
        // What the clock says is kept with what happens.
        try provider.rings(World.ada, from: ToolWorld.adaNumber)
        try world.killAndStartAgain()
        let clock = try world.daemon.connect().hello().result?["clock"]
        #expect(clock?["mono_ms"] == 3_000)
    }

    @Test func `a provider has 15 s to come back, whatever its own grace`() throws {
        let provider = try ScriptedProvider(world.daemon, members: #""grace_ms":0"#)
        try world.talk(World.ada, of: provider)
        try world.killAndStartAgain()
        try world.daemon.advance(14_999)
        #expect(try world.calls() == ["ada active away"])
        try world.daemon.advance(1)
        #expect(try world.calls() == [])
    }

    @Test func `each restart gives 15 s again`() throws {
        let provider = try ScriptedProvider(world.daemon)
        try world.talk(World.ada, of: provider)
        for _ in 1...3 {
            try world.killAndStartAgain()
            try world.daemon.advance(14_999)
        }
        let back = try ScriptedProvider(
            world.daemon, members: World.calls(World.live(World.ada)), resuming: provider)
        #expect(back.session["resumed"] == .boolean(true))
        #expect(try world.calls() == ["ada active"])
    }

    @Test(arguments: ["self", "separate"])
    func `a provider that was away already has its time anew`(process: String) throws {
        let members = #""app_process":"\#(process)","grace_ms":5000"#
        let provider = try ScriptedProvider(world.daemon, members: members)
        try world.talk(World.ada, of: provider)
        _ = try provider.client.finish()
        try world.daemon.advance(4_999)
        try world.killAndStartAgain()
        try world.daemon.advance(14_999)
        #expect(try world.calls() == ["ada active away"])
        let calls = World.calls(World.live(World.ada))
        let back = try ScriptedProvider(
            world.daemon, members: "\(members),\(calls)", resuming: provider)
        #expect(back.session["resumed"] == .boolean(true))
        #expect(try world.calls() == ["ada active"])
    }

    // MARK: - What was under way

    @Test func `what a provider works on is sent to it again, as the second attempt`() throws {
        let provider = try ScriptedProvider(world.daemon)
        try provider.rings(World.ada, from: ToolWorld.adaNumber)
        let user = try world.user()
        _ = try user.request("call.answer", #"{"call":"\#(World.ada)"}"#)
        let first = try provider.client.frame().params
        try world.killAndStartAgain()
        let calls = World.calls(World.live(World.ada, "ringing"))
        let back = try ScriptedProvider(world.daemon, members: calls, resuming: provider)
        let second = try back.perform("answer")
        #expect(second["action"] == first?["action"])
        #expect(first?["attempt"] == 1)
        #expect(second["attempt"] == 2)
        _ = try back.client.request("broker.ping", isAlone: false)
        #expect(try world.calls() == ["ada active"])
    }

    @Test func `what somebody waited for is taken back with him`() throws {
        let provider = try ScriptedProvider(world.daemon)
        try provider.rings(World.ada, from: ToolWorld.adaNumber)
        let user = try world.user()
        let params = #"{"call":"\#(World.ada)","wait":"completed"}"#
        try user.send(#"{"jsonrpc":"2.0","id":1,"method":"call.answer","params":\#(params)}"#)
        #expect(try provider.client.frame().method == "provider.perform")
        try world.killAndStartAgain()
        let calls = World.calls(World.live(World.ada, "ringing"))
        let back = try ScriptedProvider(world.daemon, members: calls, resuming: provider)
        try back.client.expectNothing()
        #expect(try world.calls() == ["ada ringing"])
    }

    @Test func `who asks for the same again gets the reply of before`() throws {
        let provider = try ScriptedProvider(world.daemon)
        try world.talk(World.ada, of: provider)
        let mute = #"{"call":"\#(World.ada)","muted":true,"transaction":"\#(World.cleo)"}"#
        let first = try world.user().request("call.set_muted", mute)
        #expect(first.result?["transaction"]?.string == World.cleo)
        try world.killAndStartAgain()
        let second = try world.user().request("call.set_muted", mute)
        #expect(second.result?["replayed"] == .boolean(true))
        for name in ["transaction", "actions", "state"] {
            #expect(second.result?[name] == first.result?[name])
        }
        let other = mute.replacing("true", with: "false")
        #expect(try world.user().request("call.set_muted", other).code == -32005)
    }

    // MARK: - Events

    /// What an event says, whoever it is sent to.
    private func contents(_ frame: Frame) -> [JSON?] {
        ["seq", "at_ms", "topic", "call", "provider", "data"].map { frame.params?[$0] }
    }

    /// The next event with a number of its own, which the presence of the host has not.
    private func event(of client: TestClient) throws -> Frame {
        var frame = try client.frame()
        while frame.params?["topic"] == "host.presence" { frame = try client.frame() }
        return frame
    }

    private func events(_ count: Int, of client: TestClient) throws -> [[JSON?]] {
        try (0..<count).map { _ in contents(try event(of: client)) }
    }

    @Test func `events are there still, by their numbers`() throws {
        let observer = try world.daemon.connectReady()
        let opened = try observer.request("events.subscribe", #"{"topics":["*"]}"#).result
        let cursor = #"{"epoch":\#(opened?["epoch"] ?? .null),"seq":\#(opened?["seq"] ?? .null)}"#
        let provider = try ScriptedProvider(world.daemon)
        try world.talk(World.ada, of: provider)
        let last = try #require(
            try world.user().request("broker.info").result?["seq"]?.integer)
        let count = last - (opened?["seq"]?.integer ?? 0)
        #expect(count >= 5)
        let before = try events(count, of: observer)
        try world.killAndStartAgain()
        let again = try world.daemon.connectReady()
        let reply = try again.request(
            "events.subscribe", #"{"topics":["*"],"cursor":\#(cursor)}"#)
        #expect(reply.result?["resync"] == .boolean(false))
        #expect(try events(count, of: again) == before)
        // Behind them comes what the restart has changed, with the next numbers.
        let lost = try event(of: again).params
        #expect(lost?["topic"] == "provider.lost")
        #expect(lost?["seq"]?.integer == last + 1)
        #expect(lost?["data"]?["grace_ms"] == 15_000)
    }

    @Test func `a number that nobody has given yet is no cursor`() throws {
        let epoch = try #require(try epoch())
        try world.killAndStartAgain()
        let cursor = #"{"epoch":"\#(epoch)","seq":1000}"#
        let reply = try world.user().request(
            "events.subscribe", #"{"topics":["*"],"cursor":\#(cursor)}"#)
        #expect(reply.result?["resync"] == .boolean(true))
    }

    // MARK: - Policy

    @Test func `the policy is there still, and the changes of calls too`() throws {
        let provider = try ScriptedProvider(world.daemon)
        try world.talk(World.ada, of: provider)
        let choice = #"{"on_cannot_hold":"end","default_provider":{"tel":"org.example.a"}}"#
        let policy = try world.user().request("policy.set", choice).result?["policy"]
        #expect(policy?["on_cannot_hold"] == "end")
        try provider.report("update", #"{"call":"\#(World.ada)","display_name":"Ada"}"#)
        try world.killAndStartAgain()
        #expect(try world.user().request("policy.get").result?["policy"] == policy)
        let call = try world.user().request("call.get", #"{"call":"\#(World.ada)"}"#).result
        #expect(call?["display_name"] == "Ada")
    }

    // MARK: - Without a journal

    @Test func `without a journal calls and numbers are gone`() throws {
        try world.killAndStartAgain(["--test-mode", "--no-journal"])
        let provider = try ScriptedProvider(world.daemon)
        try world.talk(World.ada, of: provider)
        let epoch = try epoch()
        try world.killAndStartAgain(["--test-mode", "--no-journal"])
        #expect(try world.calls() == [])
        #expect(try self.epoch() != epoch)
    }
}
