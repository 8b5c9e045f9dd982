import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// What a connection may do when, and how long it may wait.
struct BrokerStageTests {
    private let host = MemoryBroker()

    @Test func `before the hello a few methods are served`() {
        let peer = host.connect()
        #expect(peer.ask(Frame.request(1, "broker.ping")) == [Frame.result(1)])
        let describe = peer.ask(Frame.request(2, "broker.describe", #"{"name":"broker.ping"}"#))
        #expect(describe.joined().hasPrefix(#"{"jsonrpc":"2.0","id":2,"result":{"name":"#))
        let discover = peer.ask(Frame.request(3, "rpc.discover"))
        #expect(discover.joined().hasPrefix(#"{"jsonrpc":"2.0","id":3,"result":{"openrpc":"#))
    }

    @Test(arguments: ["broker.info", "broker.stats", "test.advance"])
    func `before the hello the others wait for it, whatever their params`(method: String) {
        let refusal = Frame.error("1", -32_002, "hello_required", "send broker.hello first")
        let peer = host.connect()
        #expect(peer.ask(Frame.request(1, method)) == [refusal])
        #expect(peer.ask(Frame.request(1, method, #"{"ms":-1,"nonsense":2}"#)) == [refusal])
    }

    @Test(arguments: ["broker.warning", "broker.nonsense", "", "broker.pin", "Broker.ping"])
    func `an unknown method is unknown at any time`(method: String) {
        let refusal = Frame.error(
            "1", -32_601, "unknown_method", "the broker has no such method",
            #","hint":"rpc.discover lists the methods""#)
        #expect(host.connect().ask(Frame.request(1, method)) == [refusal])
        #expect(host.ready("admin").ask(Frame.request(1, method)) == [refusal])
    }

    @Test(arguments: ["broker.cancel", "broker.log", "broker.goodbye"])
    func `a notification is no request`(method: String) {
        let refusal = Frame.error(
            "1", -32_601, "not_a_request", "this method is a notification",
            #","hint":"send it without an id""#)
        #expect(host.ready("observer").ask(Frame.request(1, method)) == [refusal])
    }

    @Test func `requests behind the hello in the same read are handled after it`() {
        let lines = host.connect().ask(
            Frame.request(1, "broker.info"), Frame.hello(), Frame.request(2, "broker.info"))
        #expect(lines.count == 3)
        #expect(lines[0].contains(#""id":1,"error":{"code":-32002"#))
        #expect(lines[1].contains(#""id":0,"result""#))
        #expect(lines[2].contains(#""id":2,"result""#))
    }

    @Test func `a greeting is not sent`() {
        let peer = host.connect()
        host.turn(afterMS: 9_000)
        #expect(peer.lines() == [])
    }

    // MARK: - The hello timer

    @Test func `without hello and ping the connection closes after exactly 10 s`() {
        let peer = host.connect()
        host.turn(afterMS: 9_999)
        #expect(peer.lines() == [])
        host.turn(afterMS: 1)
        #expect(
            peer.lines() == [
                Frame.goodbye("hello_timeout", "no hello and no ping came in time")
            ])
        #expect(peer.isClosed)
        #expect(host.broker.isIdle)
    }

    @Test func `a ping gives 10 s more`() {
        let peer = host.connect()
        host.turn(afterMS: 9_999)
        #expect(peer.ask(Frame.request(1, "broker.ping")) == [Frame.result(1)])
        host.turn(afterMS: 9_999)
        #expect(!peer.isClosed)
        host.turn(afterMS: 1)
        #expect(peer.isClosed)
    }

    @Test func `nothing else gives more time`() {
        let peer = host.connect()
        host.turn(afterMS: 9_999)
        _ = peer.ask(
            Frame.request(1, "broker.info"), Frame.request(2, "rpc.discover"), "nonsense",
            Frame.notification("broker.ping"))
        host.turn(afterMS: 1)
        #expect(peer.isClosed)
    }

    @Test func `after the hello nobody is in a hurry`() {
        let peer = host.ready("observer")
        host.turn(afterMS: 1_000_000)
        #expect(peer.ask(Frame.request(1, "broker.ping")) == [Frame.result(1)])
        #expect(host.broker.nextDeadline == nil)
    }

    @Test func `the time is configurable`() {
        let host = MemoryBroker { $0.limits.helloMS = 50 }
        let peer = host.connect()
        #expect(host.broker.nextDeadline == host.now.advanced(milliseconds: 50))
        host.turn(afterMS: 50)
        #expect(peer.isClosed)
    }

    @Test func `a connection that has gone has no timer`() {
        let peer = host.connect()
        peer.vanish()
        #expect(host.broker.nextDeadline == nil)
        #expect(host.broker.isIdle)
    }
}
