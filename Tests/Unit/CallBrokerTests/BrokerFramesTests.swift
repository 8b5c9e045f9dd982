import BrokerJSON
import BrokerRPC
import CallBroker
import CallTesting
import Testing

struct BrokerFramesTests {
    private let host = MemoryBroker()
    private let ping = Frame.request(1, "broker.ping")
    private let notAnObject = Frame.error(
        "null", -32_600, "object", "expected a request object")

    @Test func `frames may come in any pieces`() {
        let peer = host.connect()
        for byte in (ping + "\n" + ping + "\r\n").utf8 { peer.sendRaw([byte]) }
        #expect(peer.lines() == [Frame.result(1), Frame.result(1)])
    }

    @Test func `lines of blanks are nothing`() {
        let peer = host.connect()
        peer.sendRaw("\n  \n\t\r\n\n" + ping + "\n\n")
        #expect(peer.lines() == [Frame.result(1)])
    }

    @Test func `text that is no JSON gets one error and the next line is read`() {
        let peer = host.connect()
        let lines = peer.ask("{\"0151 1234567", ping)
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"#))
        #expect(!lines[0].contains("0151"))
        #expect(lines[1] == Frame.result(1))
    }

    @Test(arguments: ["1", "null", #""broker.ping""#, "true", "1.5"])
    func `JSON that is no request object gets an error without an id`(text: String) {
        #expect(host.connect().ask(text) == [notAnObject])
    }

    @Test(arguments: [
        (#"{"id":7,"method":"broker.ping"}"#, "7", "jsonrpc", #"expected jsonrpc to be \"2.0\""#),
        (#"{"jsonrpc":"2.0","id":"a"}"#, #""a""#, "method", "expected method to be a string"),
        (#"{"jsonrpc":"2.0"}"#, "null", "method", "expected method to be a string"),
        (
            #"{"jsonrpc":"2.0","id":null,"method":"broker.ping"}"#, "null", "id",
            "expected id to be a string, or an integer without a fraction"
        ),
        (
            #"{"jsonrpc":"2.0","id":1,"method":"broker.ping","params":7}"#, "1", "params",
            "expected params to be an object, or to be left out"
        ),
    ])
    func `an invalid request gets its id back where it has one`(
        text: String, id: String, reason: String, message: String
    ) {
        #expect(host.connect().ask(text) == [Frame.error(id, -32_600, reason, message)])
    }

    @Test func `params by position are refused, none are none`() {
        let refusal = Frame.error(
            "1", -32_602, "positional_params", "expected params by name, in an object")
        let peer = host.connect()
        #expect(peer.ask(Frame.request(1, "broker.ping", "[1]")) == [refusal])
        #expect(peer.ask(Frame.request(1, "broker.ping", "[]")) == [Frame.result(1)])
    }

    @Test func `params that do not fit are pointed at`() {
        let refusal = Frame.error(
            "1", -32_602, "unknown_member", "params.paylod is not a member of this method",
            #","field":"/paylod""#)
        #expect(host.connect().ask(Frame.request(1, "broker.ping", #"{"paylod":1}"#)) == [refusal])
    }

    @Test func `experimental members are dropped`() {
        let lines = host.connect().ask(
            Frame.request(1, "broker.ping", #"{"x_trace":"t","payload":1}"#))
        #expect(lines == [Frame.result(1, #"{"payload":1}"#)])
    }

    @Test func `an overlong line gets one error and the next is read`() {
        let host = MemoryBroker { $0.limits.frame.frameBytes = 1_024 }
        let peer = host.connect()
        let blanks = String(repeating: " ", count: 1_023 - ping.utf8.count)
        #expect(peer.ask(ping + blanks) == [Frame.result(1)])
        let refusal = Frame.error(
            "null", -32_011, "frame_bytes", "the frame is too long",
            #","limit":{"name":"frame_bytes","value":1024}"#)
        #expect(peer.ask(ping + blanks + " ", ping) == [refusal, Frame.result(1)])
        for _ in 0..<3 { peer.sendRaw(blanks) }
        #expect(peer.lines() == [refusal])
        #expect(peer.ask("", ping) == [Frame.result(1)])
    }

    @Test func `too deep and too many values are limits, not syntax`() {
        let host = MemoryBroker {
            $0.limits.frame.json.depth = 4
            $0.limits.frame.json.values = 64
        }
        let peer = host.connect()
        let deep = peer.ask(Frame.request(1, "broker.ping", #"{"payload":[[[]]]}"#)).joined()
        #expect(deep.contains(#""code":-32011"#) && deep.contains(#""reason":"depth""#))
        #expect(deep.contains(#""limit":{"name":"depth","value":4}"#))
        let list = Array(repeating: "1", count: 60).joined(separator: ",")
        let many = peer.ask(Frame.request(1, "broker.ping", #"{"payload":[\#(list)]}"#)).joined()
        #expect(many.contains(#""limit":{"name":"values","value":64}"#))
    }

    // MARK: - Bad frames in a row

    @Test func `63 bad frames are forgiven when a good one follows, 64 are not`() {
        let peer = host.connect()
        peer.send(Array(repeating: "1", count: 63) + [ping])
        #expect(peer.lines() == Array(repeating: notAnObject, count: 63) + [Frame.result(1)])
        host.turn()
        peer.send(Array(repeating: "1", count: 63))
        #expect(peer.lines() == Array(repeating: notAnObject, count: 63))
        #expect(
            peer.ask("1", ping) == [
                notAnObject,
                Frame.goodbye("protocol_errors", "too many bad frames in a row"),
            ])
        #expect(peer.isClosed)
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","id":1,"method":"broker.nonsense"}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"broker.ping","params":[1]}"#,
        #"{"jsonrpc":"2.0","method":"broker.nonsense"}"#, #"{"id":1,"result":{}}"#,
        "[1,{\"id\":1,\"result\":0}]",
    ])
    func `a mistake is not a bad frame`(frame: String) {
        let host = MemoryBroker { $0.limits.badFrames = 2 }
        let peer = host.connect()
        for _ in 0..<5 { peer.send("1", frame) }
        #expect(!peer.isClosed)
        peer.send("1", "1")
        #expect(peer.isClosed)
    }

    @Test func `lines of every bad kind count together`() {
        let host = MemoryBroker {
            $0.limits.badFrames = 5
            $0.limits.frame.frameBytes = 1_024
        }
        let peer = host.connect()
        peer.send("nonsense", "1", "[]", "[1,2]", String(repeating: "x", count: 2_000))
        #expect(peer.lines().last?.contains("protocol_errors") == true)
        #expect(peer.isClosed)
    }

    // MARK: - The end of the input

    @Test func `a last line without its newline counts`() {
        let peer = host.connect()
        peer.sendRaw(ping)
        #expect(peer.lines() == [])
        peer.endInput()
        #expect(peer.lines() == [Frame.result(1)])
        #expect(peer.isClosed)
    }

    @Test func `half a line is an error, not a request`() {
        let peer = host.connect()
        peer.sendRaw(String(ping.dropLast()))
        peer.endInput()
        #expect(peer.lines().joined().contains(#""code":-32700"#))
        #expect(peer.isClosed)
    }

    @Test func `nothing at all is nothing`() {
        let peer = host.connect()
        peer.endInput()
        #expect(peer.lines() == [])
        #expect(peer.isClosed)
    }
}
