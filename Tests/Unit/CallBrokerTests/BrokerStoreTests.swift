import BrokerSocket
import CallStore
import CallTesting
import Testing

/// A store that cannot be asked: that is told, and what must not ring does not.
struct BrokerStoreTests {
    private let folder: BrokenStoreFolder
    private let before = MemoryBroker()

    init() throws {
        folder = try BrokenStoreFolder()
    }

    /// A broker whose user has done this, goes on, and finds a store that cannot be opened.
    private func broker(after requests: (method: String, params: String)...) throws -> (
        MemoryBroker, MemoryStore
    ) {
        let store = try MemoryStore(of: before)
        let user = before.controller()
        for request in requests { _ = store.tell(user, request.method, request.params) }
        let host = try MemoryBroker(goingOnAfter: before)
        return (host, try MemoryStore(of: host, at: .folder(folder.path)))
    }

    private static let blocks = (
        "block.add", #"{"handle":{"type":"phone","value":"+1 5551"}}"#
    )
    private static let refused = ["1: -32008 block_list rule=32"]

    @Test func `whoever was blocked does not ring while the store cannot be opened`() throws {
        let (host, _) = try broker(
            after: Self.blocks,
            ("block.add", #"{"prefix":{"type":"phone","value":"+15557"}}"#))
        #expect(host.provider("org.a").ring(1) == Self.refused)
        #expect(host.provider("org.b").ring(77) == Self.refused)
        #expect(host.provider("org.c").ring(2).joined().contains(#""state":"ringing""#))
    }

    @Test func `a number that was blocked does not ring as an address either`() throws {
        let (host, _) = try broker(
            after: Self.blocks,
            ("block.add", #"{"handle":{"type":"generic","value":"sip:bob@host"}}"#))
        let app = host.provider()
        for (call, value) in [
            (1, "sip:+15551@gateway.example;user=phone"), (2, "sip:Bob@host:5060"),
        ] {
            app.post(
                "call.report_incoming",
                #"{"call":"c\#(call)","remote":{"type":"generic","value":"\#(value)"}}"#)
            #expect(app.brief() == ["\(call): -32008 block_list rule=32"])
        }
    }

    @Test func `a block that was taken back, however it was written, does not count`() throws {
        let (host, _) = try broker(
            after: Self.blocks,
            ("block.remove", #"{"handle":{"type":"phone","value":"+1-555-1"}}"#))
        #expect(host.provider().ring(1).joined().contains(#""state":"ringing""#))
    }

    @Test func `contacts that break through do so`() throws {
        let contact = #"{"name":"Ada","handles":[{"type":"phone","value":"+15551"}],"#
        let (host, _) = try broker(after: ("contact.put", contact + #""breakthrough":true}"#))
        _ = host.controller().tell("policy.set", #"{"do_not_disturb":{"on":true}}"#)
        let app = host.provider()
        #expect(app.ring(2) == ["1: -32008 do_not_disturb rule=32"])
        #expect(app.ring(1).joined().contains(#""state":"ringing""#))
    }

    @Test func `a call is explained that was let through or blocked without the store`() throws {
        let (host, _) = try broker(after: Self.blocks)
        let app = host.provider()
        for call in 1...2 { app.ring(call) }
        let user = host.controller()
        for call in 1...2 {
            let steps = try JSONTree(
                #require(user.ask(Frame.request(9, "call.explain", Self.call(call))).last))
            let texts = steps["result"]?["steps"]?.elements.compactMap {
                $0["explanation"]?["text"]?.string
            }
            #expect(texts?.first?.hasPrefix("the store cannot be read") == true)
            #expect(texts?.joined().contains("5551") == false)
        }
    }

    private static func call(_ number: Int) -> String {
        #"{"call":"\#(ShortID.call(number))"}"#
    }

    private func warnings(_ peer: MemoryPeer) throws -> [String] {
        try peer.lines().map { try JSONTree($0) }
            .filter { $0["method"]?.string == "broker.warning" }
            .compactMap { $0["params"]?["reason"]?.string }
    }

    private func state(_ host: MemoryBroker) throws -> String? {
        let reply = host.ready("observer").ask(Frame.request(1, "broker.info"))
        return try JSONTree(reply.last ?? "")["result"]?["store"]?["state"]?.string
    }

    @Test func `it is told, also to who comes later, and when the store works again`() throws {
        let host = MemoryBroker()
        let user = host.controller()
        _ = user.lines()
        #expect(try state(host) == "off")
        let store = try MemoryStore(of: host, at: .folder(folder.path))
        #expect(try warnings(user) == ["store_failed"])
        let later = host.connect()
        later.send(Frame.hello())
        #expect(try warnings(later) == ["store_failed"])
        #expect(try state(host) == "failing")
        #expect(host.log.lines.count { $0.contains("the store cannot be read") } == 1)
        host.turn(afterMS: 1_000)
        store.settle()
        #expect(try warnings(user) == [])
        folder.mend()
        host.turn(afterMS: 2_000)
        store.settle()
        #expect(try warnings(user) == ["store_recovered"])
        #expect(try state(host) == "kept")
        #expect(host.log.lines.contains { $0.contains("works again") })
        _ = store.tell(user, "block.add", Self.blocks.1)
        #expect(try store.ring(1, of: host.provider()) == Self.refused)
    }

    @Test func `what ended meanwhile is in the history when the store works again`() throws {
        let host = MemoryBroker()
        let store = try MemoryStore(of: host, at: .folder(folder.path))
        let app = host.provider()
        app.ring(1)
        _ = app.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        store.settle()
        folder.mend()
        host.turn(afterMS: 1_000)
        store.settle()
        let reply = store.tell(host.controller(), "history.list")
        #expect(reply.joined().contains("c1"))
    }

    @Test func `a store that does not answer in time is spoken for`() throws {
        let host = MemoryBroker()
        let store = try MemoryStore(of: host)
        _ = store.tell(host.controller(), "block.add", Self.blocks.1)
        let gate = try store.hold()
        let app = host.provider()
        #expect(app.ring(1) == [])
        host.turn(afterMS: 1_500)
        #expect(app.brief() == Self.refused)
        gate.signal()
        store.settle()
    }
}

/// A folder with a folder where the store's file belongs.
final class BrokenStoreFolder {
    let path: String
    private var file: String { path + "/store.sqlite" }

    init() throws {
        path = try HostFile.makeTemporaryFolder(prefix: "broken-store", environment: [:])
        try HostFile.makeFolders(above: file + "/file")
    }

    func mend() {
        HostFile.removeFolder(file)
    }

    deinit {
        HostFile.removeFolder(file)
        for name in HostFile.names(inFolder: path) { HostFile.remove("\(path)/\(name)") }
        HostFile.removeFolder(path)
    }
}

extension MemoryStore {
    /// What the broker says of a call, after the store was asked.
    func ring(_ call: Int, of app: MemoryPeer) throws -> [String] {
        app.ring(call)
        settle()
        return app.brief()
    }
}
