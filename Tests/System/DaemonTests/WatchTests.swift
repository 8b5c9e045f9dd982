import Glibc
import Testing

/// Section 17: events on one line each, over lost connections.
struct WatchTests {
    typealias World = ToolWorld

    private func watch(
        _ path: String, _ arguments: String..., isOnTerminal: Bool = false
    ) throws -> ChildProcess {
        try ChildProcess(
            [executablePath, "watch", "--socket", path] + arguments, environment: ["TZ": "UTC"],
            isOnTerminal: isOnTerminal)
    }

    /// The first lines of the output, as soon as they are there.
    private func lines(_ count: Int, of process: ChildProcess) throws -> [String] {
        _ = try process.output.wait { $0.count(where: \.isNewline) >= count }
        return process.output.text.split(whereSeparator: \.isNewline).map(String.init)
    }

    /// An event of each topic, as the document's examples have them.
    private static func examples() throws -> [String] {
        let entries = try Contract.shared.get().document["methods"]?.elements ?? []
        return entries.filter { $0["x-topic"] != nil }.compactMap { entry in
            entry["examples"]?[0]?["params"]?.elements.map { params in
                let members = params.map { JSON.quoted($0["name"], $0["value"]) }
                return "{" + members.joined(separator: ",") + "}"
            }
        }
    }

    // MARK: - Lines

    @Test func `each topic has its line`() throws {
        let broker = try FakeBroker()
        let process = try watch(broker.path)
        let client = try broker.accept()
        #expect(try client.acceptSubscription()["topics"] == ["*"])
        let examples = try Self.examples()
        for example in examples { try client.send(event: example) }
        let lines = try lines(examples.count, of: process)
        #expect(lines.allSatisfy { $0.hasPrefix("08:00:00.000 #42     ") })
        #expect(lines.map { $0.dropFirst(21) }.joined(separator: "\n") == Self.allTopics)
    }

    private static let allTopics = """
        call.added            7b0c7c52 org.example.phone ringing Ada <+15550123> (by provider, rule 1)
        call.changed          7b0c7c52 org.example.phone ringing Ada <+15550123> [state] (by user)
        call.allowed_changed  7b0c7c52 [end hold]
        call.removed          7b0c7c52 (by user)
        call.refused          7b0c7c52 max_ringing (by arbitration, rule 3)
        call.dial_refused     tel unknown_provider (by user)
        call.resume_offered   7b0c7c52 was held for 7b0c7c52 (by remote, rule 17)
        call.quality          7b0c7c52 1.2 % lost, jitter 8 ms
        call.participants     7b0c7c52 2 participants
        call.text             7b0c7c52 remote hel
        transaction.accepted  9d2f4e1a…0006 accepted answer 7b0c7c52 queued (by user)
        transaction.completed 9d2f4e1a…0006 completed answer 7b0c7c52 fulfilled (by user)
        action.dispatched     answer 7b0c7c52 org.example.phone
        action.fulfilled      answer 7b0c7c52 org.example.phone
        action.failed         answer 7b0c7c52 org.example.phone -32000 remote_refused
        action.timed_out      answer 7b0c7c52 org.example.phone
        action.late           answer 7b0c7c52 org.example.phone
        provider.added        org.example.phone Phone
        provider.changed      org.example.phone Phone
        provider.resumed      org.example.phone Phone
        provider.lost         org.example.phone waits 5000 ms
        provider.removed      org.example.phone unregistered
        host.changed          live 7b0c7c52, 0 held, 0 ringing
        host.presence         in_call
        audio.changed         none -> 7b0c7c52 (by user)
        audio.endpoints_changed [built-in in_use, headset available]
        screen.changed        org.example.screen
        policy.changed        on_cannot_hold
        history.changed       2 missed
        broker.anomaly        provider_silent 7b0c7c52
        broker.bookmark
        broker.stopping       stopping
        plugin.state          org.example.phone ready -> backoff status 1 "no audio device"
        plugin.log            org.example.phone no audio device
        """

    @Test func `a topic that is not known is shown as it is`() throws {
        let broker = try FakeBroker()
        let process = try watch(broker.path)
        let client = try broker.accept()
        _ = try client.acceptSubscription()
        try client.send(event: #"{"seq":1,"at_ms":0,"topic":"moon.rises","data":{"at":[1]}}"#)
        #expect(
            try lines(1, of: process)
                == [#"00:00:00.000 #1      moon.rises            {"at":[1]}"#])
    }

    @Test func `the columns stay where they are when the numbers grow`() throws {
        let broker = try FakeBroker()
        let process = try watch(broker.path)
        let client = try broker.accept()
        _ = try client.acceptSubscription()
        for seq in [9, 99, 100, 999_999, 1_000_000] {
            try client.send(
                event: #"{"seq":\#(seq),"at_ms":0,"topic":"broker.bookmark","data":{}}"#)
        }
        let places = try lines(5, of: process).map { line in
            line.firstRange(of: "broker").map { line[..<$0.lowerBound].count }
        }
        #expect(places == [21, 21, 21, 21, 22])
    }

    @Test func `--json prints the params as they are`() throws {
        let broker = try FakeBroker()
        let process = try watch(broker.path, "--json")
        let client = try broker.accept()
        _ = try client.acceptSubscription()
        let examples = try Self.examples()
        for example in examples { try client.send(event: example) }
        #expect(try lines(examples.count, of: process) == examples)
    }

    @Test func `colours are for terminals only`() throws {
        let broker = try FakeBroker()
        let process = try watch(broker.path, isOnTerminal: true)
        let client = try broker.accept()
        _ = try client.acceptSubscription()
        try client.send(event: #"{"seq":1,"at_ms":0,"topic":"call.removed","data":{"call":"7b"}}"#)
        #expect(
            try lines(1, of: process)
                == ["00:00:00.000 #1      \u{1B}[32mcall.removed\u{1B}[0m          7b"])
    }

    @Test func `what a real call does is shown as it happens`() throws {
        let world = try World()
        let process = try watch(world.daemon.socketPath, "call.*", "provider.*")
        try world.daemon.wait(for: "connections") { $0 == 3 }
        while try world.daemon.subscriptions() == 0 {}
        try world.provider.rings(World.ada, from: World.adaNumber)
        let start = "00:00:00.000 #"
        let line = try #require(try lines(1, of: process).first)
        #expect(line.hasPrefix(start))
        #expect(line.contains("call.added            7b0c7c52 org.example.a ringing +15550123"))
    }

    // MARK: - Cursors

    @Test func `--since goes on after an event`() throws {
        let world = try World()
        let observer = try world.daemon.connectReady()
        // Events are kept once somebody has asked for them.
        let result = try observer.request("events.subscribe", #"{"topics":["*"]}"#).result
        let epoch = try #require(result?["epoch"]?.string)
        let seq = try #require(result?["seq"]?.integer)
        try world.provider.rings(World.ada, from: World.adaNumber)
        let process = try watch(world.daemon.socketPath, "--since", "\(epoch):\(seq)", "--json")
        let first = try JSON(try #require(try lines(1, of: process).first))
        #expect(first["topic"] == "call.added")
        #expect(first["seq"]?.integer == seq + 1)
    }

    @Test func `a lost connection is made again, and goes on where it was`() throws {
        let broker = try FakeBroker()
        let process = try watch(broker.path)
        var client = try broker.accept()
        #expect(try client.acceptSubscription()["cursor"] == nil)
        try client.send(event: #"{"seq":41,"at_ms":0,"topic":"broker.bookmark","data":{}}"#)
        _ = try lines(1, of: process)
        client = try {
            // The first connection is closed when nobody holds it any more.
            client = LineSocket(try UnixSocket.make())
            return try broker.accept()
        }()
        let cursor = try client.acceptSubscription(seq: 41)["cursor"]
        #expect(cursor?["seq"] == 41)
        #expect(cursor?["epoch"]?.string == FakeBroker.epoch)
        try client.send(event: #"{"seq":42,"at_ms":0,"topic":"broker.bookmark","data":{}}"#)
        #expect(
            try lines(2, of: process)
                == ["00:00:00.000 #41     broker.bookmark", "00:00:00.000 #42     broker.bookmark"])
        _ = try process.errors.wait { $0.contains("connection lost") }
    }

    @Test(arguments: [true, false])
    func `after a restart of the broker the watch goes on; without a journal events are lost`(
        hasJournal: Bool
    ) throws {
        let folder = try TemporaryFolder()
        let arguments = ["--test-mode"] + (hasJournal ? [] : ["--no-journal"])
        let first = try TestDaemon(arguments: arguments, in: folder)
        let process = try watch(first.socketPath, "provider.*")
        while try first.subscriptions() == 0 {}
        _ = try first.stop()
        let second = try TestDaemon(arguments: arguments, in: folder)
        while try second.subscriptions() == 0 {}
        let provider = try ScriptedProvider(second)
        #expect(try lines(1, of: process).last?.contains(provider.identity) == true)
        process.signal(SIGKILL)
        try process.errors.readToEnd()
        #expect(process.errors.text.contains("some events were lost") != hasJournal)
    }

    @Test func `lost events are told, and the watch subscribes again`() throws {
        let broker = try FakeBroker()
        let process = try watch(broker.path)
        let client = try broker.accept()
        _ = try client.acceptSubscription()
        let params = #"{"subscription":1,"from":41,"to":90,"reason":"overflow"}"#
        try client.send(line: #"{"jsonrpc":"2.0","method":"events.gap","params":\#(params)}"#)
        let members = #""epoch":"\#(FakeBroker.epoch)","seq":90,"resync":true"#
        try client.answer(#"{"subscription":2,\#(members)}"#)
        #expect(try process.errors.wait { $0.contains("some events were lost") })
    }

    @Test func `a topic that there is not is an error`() throws {
        let daemon = try TestDaemon()
        let process = try watch(daemon.socketPath, "moon.*")
        #expect(try process.waitForEnd() == .exited(1))
        #expect(process.errors.text.contains("unknown_topic"))
    }
}

extension JSON {
    /// A member as it stands in a text.
    fileprivate static func quoted(_ name: JSON?, _ value: JSON?) -> String {
        "\(name ?? .null):\(value ?? .null)"
    }
}

extension TestDaemon {
    /// How many subscriptions there are.
    func subscriptions() throws -> Int {
        try admin().request("broker.info").result?["counts"]?["subscriptions"]?.integer ?? 0
    }
}
