import BrokerRPC
import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// Requests that wait, as `test.advance` does: each gets exactly one reply.
struct BrokerRepliesTests {
    private let host = MemoryBroker()
    private let advanced = Frame.result(1, #"{"fired":0,"now_ms":5,"seq":0}"#)

    // MARK: - Ids

    @Test func `an id that waits cannot be used again, and the first request does not notice`() {
        let peer = host.ready("admin")
        peer.send(Frame.advance(1, ms: 5))
        #expect(peer.ask(Frame.request(1, "broker.ping")) == [Frame.duplicate("1")])
        #expect(peer.ask(Frame.request(1, "broker.nonsense")) == [Frame.duplicate("1")])
        let text = #"{"jsonrpc":"2.0","id":"1","result":{}}"#
        #expect(peer.ask(Frame.request("1", "broker.ping")) == [text])
        host.finishAdvance()
        #expect(peer.lines() == [advanced])
        #expect(peer.ask(Frame.request(1, "broker.ping")) == [Frame.result(1)])
    }

    @Test func `an id of text is told back as text`() {
        let peer = host.ready("admin")
        peer.send(Frame.request("a\\u00e4", "test.advance", #"{"ms":5}"#))
        #expect(peer.ask(Frame.request("aä", "broker.ping")) == [Frame.duplicate(#""aä""#)])
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","id":1,"method":"broker.ping","params":[1]}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"broker.ping","params":7}"#,
        #"{"jsonrpc":"1.0","id":1,"method":"broker.ping"}"#, #"{"jsonrpc":"2.0","id":1}"#,
    ])
    func `an invalid request does not answer the one that waits`(frame: String) {
        let peer = host.ready("admin")
        peer.send(Frame.advance(1, ms: 5))
        let lines = peer.ask(frame)
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { $0.hasPrefix(#"{"jsonrpc":"2.0","id":null,"error":"#) })
    }

    @Test func `different connections use the same ids`() {
        let peer = host.ready("admin")
        peer.send(Frame.advance(1, ms: 5))
        #expect(host.ready("admin").ask(Frame.request(1, "broker.ping")) == [Frame.result(1)])
    }

    @Test func `only so many requests may wait`() {
        let host = MemoryBroker { $0.limits.frame.pendingRequests = 1 }
        let peer = host.ready("admin")
        let overloaded = Frame.error(
            "2", -32_012, "pending", "too many requests wait for their replies",
            #","retry_after_ms":100,"limit":{"name":"pending_requests","value":1}"#)
        #expect(
            peer.ask(Frame.advance(1, ms: 5), Frame.request(2, "broker.ping")) == [overloaded])
        host.finishAdvance()
        #expect(
            peer.ask(Frame.request(2, "broker.ping")) == [advanced, Frame.result(2)])
    }

    @Test func `requests that are answered at once never wait`() {
        let host = MemoryBroker { $0.limits.frame.pendingRequests = 1 }
        let pings = (0..<50).map { Frame.request($0, "broker.ping") }
        let peer = host.connect()
        peer.send(pings)
        #expect(peer.lines() == (0..<50).map { Frame.result($0) })
    }

    // MARK: - Cancelling

    @Test func `a cancelled request is answered exactly once`() {
        let peer = host.ready("admin")
        let cancel = Frame.notification("broker.cancel", #"{"request":1,"reason":"bored"}"#)
        peer.send(Frame.advance(1, ms: 5))
        #expect(peer.ask(cancel, cancel) == [Frame.cancelled("1")])
        host.finishAdvance()
        #expect(peer.lines() == [])
        #expect(host.now == .zero)
        #expect(peer.ask(Frame.request(1, "broker.ping")) == [Frame.result(1)])
    }

    @Test(arguments: ["2", #""1""#, "-1", "9223372036854775807"])
    func `cancelling an id that does not wait does nothing`(id: String) {
        let peer = host.ready("admin")
        peer.send(Frame.advance(1, ms: 5))
        #expect(peer.ask(Frame.notification("broker.cancel", #"{"request":\#(id)}"#)) == [])
        host.finishAdvance()
        #expect(peer.lines() == [advanced])
    }

    @Test func `nobody cancels somebody else's request`() {
        let peer = host.ready("admin")
        let other = host.ready("admin")
        peer.send(Frame.advance(1, ms: 5))
        #expect(other.ask(Frame.notification("broker.cancel", #"{"request":1}"#)) == [])
        host.finishAdvance()
        #expect(peer.lines() == [advanced])
    }

    @Test func `a cancel after the answer is too late`() {
        let peer = host.ready("admin")
        peer.send(Frame.advance(1, ms: 5))
        host.finishAdvance()
        #expect(
            peer.ask(Frame.notification("broker.cancel", #"{"request":1}"#)) == [advanced])
    }

    @Test func `where long ids are allowed they can be cancelled`() {
        let host = MemoryBroker { $0.limits.frame.idBytes = 128 }
        let peer = host.ready("admin")
        let id = String(repeating: "i", count: 100)
        peer.send(Frame.request(id, "test.advance", #"{"ms":5}"#))
        let lines = peer.ask(Frame.notification("broker.cancel", #"{"request":"\#(id)"}"#))
        #expect(lines == [Frame.cancelled(#""\#(id)""#)])
    }

    // MARK: - The end of the connection

    @Test func `a half-closed connection waits for the reply that is open`() {
        let peer = host.ready("admin")
        peer.send(Frame.advance(1, ms: 5))
        peer.endInput()
        #expect(!peer.isClosed)
        host.finishAdvance()
        #expect(peer.lines() == [advanced])
        #expect(peer.isClosed)
        #expect(host.broker.nextDeadline == nil)
    }

    @Test func `it waits for at most 30 s`() {
        let peer = host.ready("admin")
        peer.send(Frame.advance(1, ms: 86_400_000))
        peer.endInput()
        host.turn(afterMS: 29_999)
        #expect(!peer.isClosed)
        host.turn(afterMS: 1)
        #expect(peer.isClosed)
        #expect(host.broker.isIdle)
    }

    @Test func `a connection that closes cancels its requests`() {
        let peer = host.ready("admin")
        peer.send(Frame.advance(1, ms: 5))
        peer.vanish()
        #expect(host.broker.advance == nil)
        host.finishAdvance()
        #expect(host.now == .zero)
    }

    @Test func `a request that waits is answered when the broker stops`() {
        let peer = host.ready("admin")
        peer.send(Frame.advance(1, ms: 5))
        host.stop()
        host.finishAdvance()
        let replies = peer.lines().count { $0.hasPrefix(#"{"jsonrpc":"2.0","id":1,"#) }
        #expect(replies == 1)
    }

    // MARK: - Lengths

    @Test func `a reply that does not fit becomes an error`() {
        let payload = String(repeating: "\u{7F}", count: 20_000)
        let lines = host.connect().ask(
            Frame.request(1, "broker.ping", #"{"payload":"\#(payload)"}"#))
        #expect(lines == [Frame.replyBytes("1")])
    }

    @Test func `the longest reply that fits is sent`() {
        let host = MemoryBroker { $0.limits.frame.frameOutBytes = 1_024 }
        let peer = host.connect()
        let empty = Frame.result(1, #"{"payload":""}"#).utf8.count + 1
        let fits = peer.ask(Frame.ping(1, payloadBytes: 1_024 - empty))
        #expect(fits.map(\.utf8.count) == [1_023])
        let lines = peer.ask(Frame.ping(1, payloadBytes: 1_025 - empty))
        #expect(lines == [Frame.replyBytes("1", most: 1_024)])
    }

    @Test func `only the document of the protocol may be longer`() {
        let host = MemoryBroker { $0.limits.frame.frameOutBytes = 1_024 }
        let document = host.connect().ask(Frame.request(1, "rpc.discover"))
        #expect(document.count == 1)
        #expect(document[0].utf8.count > 1_024)
        #expect(document[0].hasSuffix("}}"))
    }
}
