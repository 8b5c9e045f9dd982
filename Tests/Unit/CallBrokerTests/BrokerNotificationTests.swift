import CallBroker
import CallTesting
import Testing

struct BrokerNotificationTests {
    private let host = MemoryBroker()

    @Test func `a valid notification is never answered`() {
        let peer = host.ready("observer")
        let lines = peer.ask(
            Frame.notification("broker.cancel", #"{"request":1}"#),
            Frame.notification("broker.cancel"),
            Frame.notification("broker.cancel", #"{"request":null}"#),
            Frame.notification("broker.cancel", "[1]"),
            Frame.notification("broker.cancel", "7"),
            Frame.notification("broker.log", #"{"level":"shout","message":"x"}"#),
            Frame.notification("broker.log", #"{"level":"info"}"#),
            Frame.notification("broker.goodbye", #"{"reason":7}"#))
        #expect(lines == [])
        #expect(!peer.isClosed)
    }

    @Test func `an unknown notification is warned of once`() {
        let peer = host.ready("observer")
        #expect(peer.ask(Frame.notification("broker.nonsense")) == [Frame.warning])
        #expect(
            peer.ask(Frame.notification("broker.nonsense"), Frame.notification("other")) == [])
        #expect(host.ready("observer").ask(Frame.notification("other")) == [Frame.warning])
    }

    @Test(arguments: ["broker.ping", "broker.hello", "broker.warning", "rpc.discover"])
    func `what is no notification to us is as good as unknown`(method: String) {
        #expect(host.ready("observer").ask(Frame.notification(method)) == [Frame.warning])
    }

    @Test func `before the hello notifications are dropped in silence`() {
        let peer = host.connect()
        let log = Frame.notification("broker.log", #"{"level":"info","message":"x"}"#)
        #expect(peer.ask(Frame.notification("broker.nonsense"), log) == [])
        #expect(!host.log.lines.contains { $0.hasPrefix("info x") })
        _ = peer.ask(Frame.hello())
        #expect(peer.ask(Frame.notification("broker.nonsense")) == [Frame.warning])
    }

    @Test func `a goodbye closes after what was asked is answered`() {
        let peer = host.ready("observer")
        let goodbye = Frame.notification("broker.goodbye", #"{"reason":"done"}"#)
        #expect(
            peer.ask(Frame.request(1, "broker.ping"), goodbye, Frame.request(2, "broker.ping"))
                == [Frame.result(1)])
        #expect(peer.isClosed)
        host.turn()
        #expect(host.broker.isIdle)
    }

    @Test func `a goodbye waits for the reply that is still open`() {
        let peer = host.ready("admin")
        peer.send(
            Frame.advance(1, ms: 10), Frame.notification("broker.goodbye", #"{"reason":"done"}"#))
        #expect(!peer.isClosed)
        host.finishAdvance()
        #expect(peer.lines() == [Frame.result(1, #"{"fired":0,"now_ms":10,"seq":0}"#)])
        #expect(peer.isClosed)
    }

    // MARK: - Responses

    @Test func `a response is never answered, only counted`() {
        let peer = host.ready("admin")
        let responses = [
            #"{"jsonrpc":"2.0","id":1,"result":{}}"#, #"{"id":"x","result":null}"#,
            #"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}"#,
        ]
        peer.send(responses)
        #expect(peer.lines() == [])
        let stats = peer.ask(Frame.request(1, "broker.stats")).joined()
        #expect(stats.contains(#""responses_ignored":3,"#))
    }
}
