import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// What plugins write, told as it comes.
struct BrokerPluginLogTests {
    private typealias Stage = PluginHostStage

    private let stage: Stage
    private let reader: MemoryPeer

    init() {
        stage = Stage(
            ["org.bell": Stage.bell(Stage.implicit)],
            memory: MemoryBroker { $0.limits.queueSoftBytes = 4_096 }, topics: ["plugin.state"])
        reader = Self.reader(of: stage, "plugin.log")
    }

    /// An admin who has subscribed.
    private static func reader(of stage: Stage, _ topics: String...) -> MemoryPeer {
        let peer = stage.memory.ready("admin", "observer")
        _ = subscribe(peer, topics)
        return peer
    }

    private static func subscribe(_ peer: MemoryPeer, _ topics: [String]) -> [String] {
        let names = topics.map { #""\#($0)""# }.joined(separator: ",")
        return peer.ask(
            Frame.request(1, "events.subscribe", #"{"topics":[\#(names)],"snapshot":false}"#))
    }

    /// The numbers of the lines that were told.
    private func numbers(_ frames: [String]) throws -> [Int] {
        try frames.compactMap { try JSONTree($0)["params"]?["data"]?["number"]?.integer }
    }

    @Test func `a line is told as it comes, and takes no number`() throws {
        let seq = try #require(try stage.ask("broker.info")["seq"]?.integer)
        stage.log("no audio device\nhalf a li")
        let frames = reader.lines()
        #expect(frames.count == 1)
        let params = try JSONTree(frames.first ?? "null")["params"]
        #expect(
            "\(params?.without("epoch", "at_ms") ?? .null)"
                == #"{"subscription":1,"seq":\#(seq),"prev":\#(seq),"topic":"plugin.log","#
                + #""data":{"plugin":"org.bell","number":1,"at_ms":1767225600000,"text":"no audio device"}}"#
        )
        stage.log("ne\n")
        #expect(try numbers(reader.lines()) == [2])
        #expect(try stage.ask("broker.info")["seq"]?.integer == seq)
    }

    @Test func `the journal hears nothing of it`() throws {
        stage.memory.broker.commit()
        let bytes = stage.memory.medium.bytes.count
        stage.log("no audio device\n")
        stage.memory.broker.commit()
        #expect(try numbers(reader.lines()) == [1])
        #expect(stage.memory.medium.bytes.count == bytes)
        try stage.memory.expectThatItsJournalTellsAll()
    }

    @Test func `nobody else hears of it, and who is no admin may not ask`() throws {
        let curious = stage.memory.ready("observer", "controller")
        let refusal = Frame.error(
            "1", -32_003, "role_not_granted", "only admins may subscribe to the output of plugins",
            #","field":"/topics/1","hint":"request the role admin in broker.hello""#)
        #expect(Self.subscribe(curious, ["*", "plugin.log"]) == [refusal])
        _ = Self.subscribe(curious, ["*", "plugin.*"])
        stage.log("no audio device\n")
        #expect(curious.lines() == [])
        #expect(stage.news() == ["stopped -> ready {}"])
    }

    @Test func `secrets are not told`() throws {
        let options = #""options":[{"option":"token","type":"secret","default":"hunter2"}],"#
        let stage = Stage(["org.bell": Stage.bell(options + Stage.implicit)])
        let reader = Self.reader(of: stage, "plugin.log")
        stage.log("logging in with hunter2\n")
        let told = try JSONTree(reader.lines().first ?? "null")["params"]?["data"]?["text"]
        #expect(told == .string("logging in with ***"))
    }

    /// Lines that come faster than the reader reads.
    private func flood(_ count: Int, _ text: String = String(repeating: "x", count: 100)) {
        for _ in 0..<count / 100 {
            stage.log(String(repeating: text + "\n", count: 100))
            stage.memory.turn(afterMS: 1_000)
        }
    }

    /// Somebody who takes everything at once hears what was told of lines that came too fast.
    private final class Counter {
        let stage = Stage(["org.bell": Stage.bell(Stage.implicit)])
        private let reader: MemoryPeer

        init() {
            reader = BrokerPluginLogTests.reader(of: stage, "plugin.log")
        }

        func write(_ count: Int) {
            stage.log(String(repeating: "x\n", count: count))
        }

        func told() throws -> [String] {
            try reader.drain().compactMap { frame in
                let data = try JSONTree(frame)["params"]?["data"]
                return data?["dropped"] == nil ? nil : data?["text"]?.string
            }
        }
    }

    @Test func `lines that come too fast are counted, and told as one line in a second`() throws {
        let counter = Counter()
        counter.write(299)
        counter.stage.memory.turn(afterMS: 999)
        counter.write(1)
        #expect(try counter.told() == [])
        counter.stage.memory.turn(afterMS: 1)
        #expect(try counter.told() == ["99 lines dropped: the limit is 200 a second"])
        counter.stage.memory.turn(afterMS: 5_000)
        #expect(try counter.told() == [])
    }

    @Test func `a flood that does not end is told of once in a second`() throws {
        let counter = Counter()
        for _ in 1...30 {
            counter.write(100)
            counter.stage.memory.turn(afterMS: 100)
        }
        #expect(try counter.told().count == 2)
    }

    @Test func `what a process wrote too fast is told when it has ended`() throws {
        let counter = Counter()
        counter.write(201)
        counter.stage.exit(0, .code(1))
        let words = "1 line dropped: the limit is 200 a second"
        #expect(try counter.told() == [words])
        #expect(try counter.stage.row()["stderr"]?.elements.last == .string(words))
    }

    @Test func `who reads late but not too late misses nothing, and costs a bounded queue`() throws
    {
        reader.block()
        flood(900)
        #expect(reader.connection.queuedBytes < 2 * 4_096)
        var heard: [Int] = []
        for _ in 1...200 {
            heard += try numbers(reader.drain())
            stage.memory.turn()
        }
        #expect(heard == Array(1...900))
    }

    @Test func `who reads too late is told of a gap, and subscribes again`() throws {
        reader.block()
        flood(2_500)
        var frames: [String] = []
        for _ in 1...10 {
            frames += reader.drain()
            stage.memory.turn()
        }
        let told = try numbers(frames)
        #expect(told == Array(1...told.count))
        #expect(told.count < 100)
        let seq = try #require(try stage.ask("broker.info")["seq"]?.integer)
        #expect(
            frames.last
                == Frame.notification(
                    "events.gap",
                    #"{"subscription":1,"from":\#(seq + 1),"to":\#(seq),"reason":"overflow"}"#))
        _ = Self.subscribe(reader, ["plugin.log"])
        stage.log("again\n")
        #expect(try numbers(reader.lines()) == [2_501])
    }

    @Test func `what happens beside a flood comes in its order`() throws {
        let reader = Self.reader(of: stage, "plugin.log", "plugin.state")
        reader.block()
        flood(300)
        stage.exit(0, .code(1))
        stage.memory.turn()
        var frames: [String] = []
        for _ in 1...200 {
            frames += reader.drain()
            stage.memory.turn()
        }
        #expect(try numbers(frames) == Array(1...300))
        let changes = try frames.filter {
            try JSONTree($0)["params"]?["topic"] == .string("plugin.state")
        }
        #expect(changes.count == 1)
    }
}
