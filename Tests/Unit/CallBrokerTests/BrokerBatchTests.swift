import BrokerRPC
import CallBroker
import CallTesting
import Testing

struct BrokerBatchTests {
    private let host = MemoryBroker()
    private let notAnObject = Frame.error(
        "null", -32_600, "object", "expected a request object")

    @Test func `replies come in one array, in the order of the entries`() {
        let lines = host.connect().ask(
            Frame.batch(
                Frame.request(1, "broker.ping", #"{"payload":1}"#),
                Frame.notification("broker.cancel", #"{"request":9}"#),
                "7",
                #"{"jsonrpc":"2.0","id":4,"result":{}}"#,
                "[]",
                Frame.request(2, "broker.ping", #"{"payload":2}"#)))
        #expect(
            lines == [
                Frame.batch(
                    Frame.result(1, #"{"payload":1}"#), notAnObject, notAnObject,
                    Frame.result(2, #"{"payload":2}"#))
            ])
    }

    @Test func `one entry is a batch too`() {
        let lines = host.connect().ask(Frame.batch(Frame.request(1, "broker.ping")))
        #expect(lines == [Frame.batch(Frame.result(1))])
    }

    @Test func `nothing to answer is answered with nothing`() {
        let lines = host.connect().ask(
            Frame.batch(
                Frame.notification("broker.cancel", #"{"request":9}"#), #"{"id":1,"result":{}}"#))
        #expect(lines == [])
    }

    @Test func `an empty batch is no request`() {
        let refusal = Frame.error(
            "null", -32_600, "empty_batch", "the batch has no entries")
        #expect(host.connect().ask("[]") == [refusal])
    }

    @Test func `32 entries fit and 33 get one error`() {
        let peer = host.connect()
        let pings = (0..<33).map { Frame.request($0, "broker.ping") }
        let all = { (count: Int) in "[" + pings.prefix(count).joined(separator: ",") + "]" }
        let replies = (0..<32).map { Frame.result($0) }.joined(separator: ",")
        #expect(peer.ask(all(32)) == ["[\(replies)]"])
        let refusal = Frame.error(
            "null", -32_011, "batch", "the batch has too many entries",
            #","limit":{"name":"batch","value":32}"#)
        #expect(peer.ask(all(33)) == [refusal])
    }

    @Test func `a hello cannot be part of a batch`() {
        let peer = host.connect()
        let refusal = Frame.error(
            "0", -32_600, "not_in_batch", "this method cannot be part of a batch")
        #expect(peer.ask(Frame.batch(Frame.hello())) == [Frame.batch(refusal)])
        #expect(peer.ask(Frame.hello()).joined().contains(#""granted_roles""#))
    }

    @Test func `an id that occurs twice is answered once`() {
        let lines = host.connect().ask(
            Frame.batch(
                Frame.request(1, "broker.ping"), Frame.request(1, "broker.ping"),
                Frame.request("1", "broker.ping")))
        let text = #"{"jsonrpc":"2.0","id":"1","result":{}}"#
        #expect(lines == [Frame.batch(Frame.result(1), Frame.duplicate("1"), text)])
    }

    @Test func `the ids are free again afterwards`() {
        let peer = host.connect()
        let batch = Frame.batch(Frame.request(1, "broker.ping"), Frame.request(2, "broker.ping"))
        for _ in 0..<100 {
            #expect(peer.ask(batch) == [Frame.batch(Frame.result(1), Frame.result(2))])
        }
        #expect(peer.ask(Frame.request(1, "broker.ping")) == [Frame.result(1)])
    }

    @Test func `errors stand among the results`() {
        let lines = host.ready("observer").ask(
            Frame.batch(
                Frame.request(1, "broker.nonsense"), Frame.request(2, "broker.stats"),
                Frame.request(3, "broker.ping", "[1]"), Frame.request(4, "broker.ping")))
        #expect(
            lines == [
                Frame.batch(
                    Frame.error(
                        "1", -32_601, "unknown_method", "the broker has no such method",
                        #","hint":"rpc.discover lists the methods""#),
                    Frame.error(
                        "2", -32_003, "role_not_granted", "this method needs the role admin",
                        #","hint":"request the role in broker.hello""#),
                    Frame.error(
                        "3", -32_602, "positional_params", "expected params by name, in an object"
                    ),
                    Frame.result(4))
            ])
    }

    @Test func `a batch waits for its last reply, and frames behind it do not`() {
        let peer = host.ready("admin")
        peer.send(
            Frame.batch(Frame.advance(1, ms: 5), Frame.request(2, "broker.ping")),
            Frame.request(3, "broker.ping"))
        #expect(peer.lines() == [Frame.result(3)])
        host.finishAdvance()
        let advanced = Frame.result(1, #"{"fired":0,"now_ms":5,"seq":0}"#)
        #expect(peer.lines() == [Frame.batch(Frame.result(2), advanced)])
    }

    @Test func `the ids of a batch are taken until all of it is answered`() {
        let peer = host.ready("admin")
        peer.send(Frame.batch(Frame.advance(1, ms: 5), Frame.request(2, "broker.ping")))
        #expect(peer.ask(Frame.request(2, "broker.ping")) == [Frame.duplicate("2")])
        host.finishAdvance()
        #expect(peer.lines().count == 1)
        #expect(peer.ask(Frame.request(2, "broker.ping")) == [Frame.result(2)])
    }

    @Test func `an entry can be cancelled`() {
        let peer = host.ready("admin")
        peer.send(Frame.batch(Frame.advance(1, ms: 5), Frame.request(2, "broker.ping")))
        let lines = peer.ask(Frame.notification("broker.cancel", #"{"request":1}"#))
        #expect(lines == [Frame.batch(Frame.result(2), Frame.cancelled("1"))])
    }

    @Test func `two batches may wait at the same time`() {
        let peer = host.ready("admin")
        peer.send(
            Frame.batch(Frame.advance(1, ms: 5), Frame.request(2, "broker.ping")),
            Frame.batch(Frame.request(3, "broker.ping"), Frame.advance(4, ms: 5)))
        let busy = Frame.error(
            "4", -32_006, "busy", "the clock is already being moved")
        #expect(peer.lines() == [Frame.batch(Frame.result(3), busy)])
        host.finishAdvance()
        #expect(peer.lines().count == 1)
    }

    @Test func `a reply that would make the array too long is replaced`() {
        let lines = host.connect().ask(
            Frame.batch(
                Frame.ping(1, payloadBytes: 30_000), Frame.request(2, "broker.ping"),
                Frame.request(3, "broker.ping", #"{"payload":"\#(deletes(8_000))"}"#),
                Frame.request(4, "broker.ping")))
        let payload = String(repeating: "x", count: 30_000)
        #expect(
            lines == [
                Frame.batch(
                    Frame.result(1, #"{"payload":"\#(payload)"}"#), Frame.result(2),
                    Frame.replyBytes("3"), Frame.result(4))
            ])
    }

    @Test func `a whole batch of long replies stays within one frame`() {
        let pings = (0..<32).map {
            Frame.request($0, "broker.ping", #"{"payload":"\#(deletes(1_900))"}"#)
        }
        let lines = host.connect().ask("[" + pings.joined(separator: ",") + "]")
        #expect(lines.count == 1)
        #expect(lines[0].utf8.count < 65_535)
        #expect(lines[0].components(of: #""reason":"reply_bytes""#) == 27)
        #expect(lines[0].components(of: #"{"jsonrpc":"#) == 32)
    }

    @Test func `a batch is a bad frame only if nothing in it is good`() {
        let host = MemoryBroker { $0.limits.badFrames = 2 }
        let peer = host.connect()
        for _ in 0..<5 { peer.send("[1,2,3]", Frame.batch("1", Frame.request(1, "broker.ping"))) }
        #expect(!peer.isClosed)
        peer.send("[1]", "[1,2]")
        #expect(peer.isClosed)
    }
}

/// Bytes that are sent back as six each.
private func deletes(_ count: Int) -> String {
    String(repeating: "\u{7F}", count: count)
}

extension String {
    fileprivate func components(of text: String) -> Int {
        ranges(of: text).count
    }
}
