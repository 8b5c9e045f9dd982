import BrokerJSON
import BrokerSocket
import CallBroker
import CallProtocol
import CallTesting
import Testing

struct BrokerMethodsTests {
    private let host = MemoryBroker()

    // MARK: - ping

    @Test(arguments: [
        "null", "true", "0", "-9223372036854775808", "1.5", #""text \"quoted\"""#, "[]",
        #"{"jsonrpc":"1.0","method":"broker.hello","id":[1,{"error":null}]}"#,
    ])
    func `a ping brings its payload back`(payload: String) {
        let params = #"{"payload":\#(payload)}"#
        #expect(
            host.connect().ask(Frame.request(1, "broker.ping", params))
                == [Frame.result(1, params)])
    }

    @Test func `a bare ping brings nothing back`() {
        let peer = host.connect()
        #expect(peer.ask(Frame.request(1, "broker.ping")) == [Frame.result(1)])
        #expect(peer.ask(Frame.request(1, "broker.ping", "{}")) == [Frame.result(1)])
    }

    @Test(arguments: [
        ("0", "0"), ("-1", "-1"), ("9223372036854775807", "9223372036854775807"),
        (#""""#, #""""#), (#""\u0041/\n""#, #""A/\n""#), (#""ä""#, #""ä""#),
    ])
    func `an id comes back as what it is`(sent: String, received: String) {
        let lines = host.connect().ask(#"{"method":"broker.ping","id":\#(sent),"jsonrpc":"2.0"}"#)
        #expect(lines == [#"{"jsonrpc":"2.0","id":\#(received),"result":{}}"#])
    }

    // MARK: - info, describe, discover

    @Test func `info tells who is serving`() {
        host.turn(afterMS: 1_500)
        let peer = host.ready("observer")
        _ = host.connect()
        let instance = host.broker.instance
        #expect(
            peer.ask(Frame.request(1, "broker.info")) == [
                Frame.result(
                    1,
                    """
                    {"name":"callbroker","version":"0.1.0","instance":"\(instance)",\
                    "epoch":"\(host.broker.epoch)","seq":0,"uptime_ms":1500,"counts":{"connections":2,\
                    "providers":0,"calls":0,"subscriptions":0},\
                    "journal":{"state":"kept","bytes":\(host.medium.bytes.count)},\
                    "store":{"state":"off"}}
                    """)
            ])
    }

    @Test func `describe gives every entry of the document`() {
        let peer = host.connect()
        for method in host.broker.table.methods {
            let name = method.name.rawValue
            var writer = JSONWriter()
            writer.object { OpenRPC(host.broker.table).write(method, to: &$0) }
            #expect(
                peer.ask(Frame.request(1, "broker.describe", #"{"name":"\#(name)"}"#))
                    == [Frame.result(1, writer.text)])
        }
    }

    @Test(arguments: TopicTable.rows.map(\.topic))
    func `describe gives every topic's entry of the document`(topic: Topic) throws {
        let row = try #require(TopicTable.rows.first { $0.topic == topic })
        var writer = JSONWriter()
        writer.object { OpenRPC(host.broker.table).write(row, to: &$0) }
        let params = #"{"name":"\#(topic.rawValue)"}"#
        #expect(
            host.connect().ask(Frame.request(1, "broker.describe", params))
                == [Frame.result(1, writer.text)])
    }

    @Test func `describe does not know everything`() {
        let refusal = Frame.error(
            "1", -32_004, "unknown_method", "no such method or event",
            #","field":"/name","hint":"rpc.discover lists the methods""#)
        #expect(
            host.connect().ask(Frame.request(1, "broker.describe", #"{"name":"+49151"}"#))
                == [refusal])
    }

    @Test func `discover gives the whole document`() {
        var writer = JSONWriter()
        writer.object { OpenRPC(host.broker.table).write(to: &$0) }
        #expect(
            host.connect().ask(Frame.request(1, "rpc.discover")) == [Frame.result(1, writer.text)])
    }

    // MARK: - Nothing there

    @Test(arguments: ["short", "long"])
    func `a button with nothing to do does nothing`(press: String) {
        let params = #"{"press":"\#(press)"}"#
        #expect(
            host.ready("controller").ask(Frame.request(1, "call.press_button", params))
                == [Frame.result(1, #"{"actions":[],"seq":0}"#)])
    }

    @Test(arguments: [
        "{}",
        #"{"call":"7b0c7c52-6a3e-4c1f-9f4b-0d3a5e1c2b01","#
            + #""transaction":"7b0c7c52-6a3e-4c1f-9f4b-0d3a5e1c2b02"}"#,
    ])
    func `explain wants a call or a transaction`(params: String) {
        #expect(
            host.ready("observer").ask(Frame.request(1, "call.explain", params)) == [
                Frame.error(
                    "1", -32_602, "call_or_transaction",
                    "params must have either call or transaction", #","field":"""#)
            ])
    }

    // MARK: - stats

    @Test func `stats count what happened`() {
        let host = MemoryBroker { $0.limits.connections = 2 }
        let peer = host.ready("admin")
        let waiting = host.connect()
        _ = host.connect()
        host.turn()
        _ = peer.ask(
            Frame.request(1, "broker.ping"), "nonsense",
            Frame.notification("broker.cancel", #"{"request":1}"#), #"{"id":1,"result":{}}"#,
            Frame.batch(Frame.request(2, "broker.ping"), Frame.request(3, "broker.nonsense")))
        _ = waiting.ask(Frame.request(1, "broker.ping"))
        waiting.block()

        let line = peer.ask(Frame.request(9, "broker.stats")).joined()
        let numbers = counters(in: line)
        #expect(numbers["connections"] == 2)
        #expect(numbers["connections_accepted"] == 3)
        #expect(numbers["connections_refused"] == 1)
        #expect(numbers["frames_received"] == 8)
        #expect(numbers["frames_sent"] == 6)
        #expect(numbers["frames_bad"] == 1)
        #expect(numbers["requests"] == 6)
        #expect(numbers["notifications"] == 1)
        #expect(numbers["responses_ignored"] == 1)
        #expect(numbers["errors_sent"] == 2)
        #expect(numbers["timers"] == 1)
        #expect(numbers["turns"] == 1)
    }

    @Test func `stats count bytes`() {
        let peer = host.ready("admin")
        let before = counters(in: peer.ask(Frame.request(1, "broker.stats")).joined())
        let first = peer.ask(Frame.request(1, "broker.stats")).joined()
        let after = counters(in: first)
        let asked = Frame.request(1, "broker.stats").utf8.count + 1
        #expect(after["bytes_received"] == (before["bytes_received"] ?? 0) + asked)
        #expect((after["bytes_sent"] ?? 0) > (before["bytes_sent"] ?? 0))
        let last = counters(in: peer.ask(Frame.request(1, "broker.stats")).joined())
        #expect(last["bytes_sent"] == (after["bytes_sent"] ?? 0) + first.utf8.count + 1)
    }

    @Test func `stats tell what slow clients leave unread`() {
        let slow = host.connect()
        slow.send(Frame.ping(1, payloadBytes: 1_000))
        slow.block()
        let held = slow.connection.queuedBytes
        let peer = host.ready("admin")
        let numbers = counters(in: peer.ask(Frame.request(1, "broker.stats")).joined())
        #expect(numbers["bytes_queued"] == held)
        _ = slow.drain()
        let later = counters(in: peer.ask(Frame.request(1, "broker.stats")).joined())
        #expect(later["bytes_queued"] == 0)
    }

    private func counters(in line: String) -> [String: Int] {
        var counters: [String: Int] = [:]
        for match in line.matches(of: /"([a-z_]+)":([0-9]+)/) {
            counters[String(match.1)] = Int(match.2)
        }
        return counters
    }

    // MARK: - log

    @Test(arguments: ["debug", "info", "notice", "warning", "error"])
    func `a line is logged with its level and its peer`(level: String) {
        let peer = host.ready("observer")
        #expect(peer.ask(log(level, "trunk is back")) == [])
        #expect(host.log.lines.last == "\(level) trunk is back peer=1")
    }

    @Test func `numbers of callers and control characters are kept out of the log`() {
        let peer = host.ready("observer")
        _ = peer.ask(log("info", #"call from +4915112345\u001b[2J\n"#))
        #expect(host.log.lines.last == "info call from +xxxxxxxxxx\u{FFFD}[2J\u{FFFD} peer=1")
    }

    @Test func `100 lines a second are kept of each connection`() {
        let host = MemoryBroker { $0.limits.framesPerTurn = 1_000 }
        let (first, second) = (host.ready("observer"), host.ready("observer"))
        first.send((0..<150).map { log("info", "line \($0)") })
        second.send(log("info", "other"))
        let kept = host.log.lines.filter { $0.hasPrefix("info line ") }
        #expect(kept == (0..<100).map { "info line \($0) peer=1" })
        #expect(host.log.lines.last == "info other peer=2")

        host.turn(afterMS: 10)
        first.send(log("info", "later"), log("info", "too soon"))
        #expect(host.log.lines.last == "info later peer=1")
    }

    @Test func `nothing that a client says of itself is logged as it is`() {
        let peer = host.connect()
        _ = peer.ask(
            Frame.request(
                0, "broker.hello",
                #"{"protocol":{"min":1,"max":1},"client":{"name":"0151 12345678","version":"1"}}"#),
            "0151 12345678", Frame.request(1, "0151 12345678"))
        host.turn()
        #expect(!host.log.lines.contains { $0.contains("0151") || $0.contains("12345678") })
    }

    private func log(_ level: String, _ message: String) -> String {
        Frame.notification("broker.log", #"{"level":"\#(level)","message":"\#(message)"}"#)
    }
}
