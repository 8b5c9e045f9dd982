import CallBroker
import CallTesting
import Testing

/// Directories that the broker keeps, over the wire: how they are loaded, and what becomes of a load that
/// fails.
struct BrokerDirectoryTests {
    private let host = MemoryBroker()
    private let store: MemoryStore
    private let loader: MemoryPeer
    private let app: MemoryPeer
    private let observer: MemoryPeer

    init() throws {
        store = try MemoryStore(of: host)
        loader = host.ready("admin")
        app = host.provider()
        observer = host.observer("call.*")
    }

    private static func entry(_ number: Int, _ label: String = "Shop") -> String {
        #"{"number":\#(number),"label":"\#(label)"}"#
    }

    @discardableResult
    private func put(
        _ generation: Int, isLast: Bool = true, by peer: MemoryPeer? = nil, _ entries: String...
    ) -> [String] {
        let params = #"""
            {"source":"list","generation":\#(generation),"final":\#(isLast),"entries":[\#(entries.joined(separator: ","))]}
            """#
        return store.tell(peer ?? loader, "directory.put_entries", params)
            .map { $0.split(separator: ":", maxSplits: 1).last.map(String.init) ?? "" }
    }

    /// The label with which a new call rings.
    private func label(_ call: Int) throws -> String? {
        _ = observer.lines()
        app.post(
            "call.report_incoming",
            #"{"call":"c\#(call)","remote":{"type":"phone","value":"+15550100"}}"#)
        store.settle()
        let event = try observer.lines().last.map { try JSONTree($0) }
        return event?["params"]?["data"]?["caller"]?["label"]?.string
    }

    @Test func `a load that failed does not stand in the way of the next one`() throws {
        #expect(
            put(1, isLast: false, Self.entry(5), Self.entry(4)) == [" -32602 entries_out_of_order"])
        #expect(put(2, Self.entry(15_550_100)) == [#" {"accepted":1,"total":1}"#])
        #expect(try label(1) == "Shop")
    }

    @Test func `a load that was not brought to its end does not either`() throws {
        put(1, isLast: false, Self.entry(5))
        #expect(put(2, Self.entry(15_550_100)) == [#" {"accepted":1,"total":1}"#])
        #expect(try label(1) == "Shop")
    }

    @Test func `what was sent behind a part that was refused makes no directory with a hole`()
        throws
    {
        put(1, Self.entry(15_550_100, "Former"))
        put(2, isLast: false, Self.entry(5), Self.entry(5))
        #expect(put(2, Self.entry(15_550_100, "Hole")) == [" -32014 loading_interrupted"])
        #expect(try label(1) == "Former")
        #expect(put(3, Self.entry(15_550_100, "Next")) == [#" {"accepted":1,"total":1}"#])
        #expect(try label(2) == "Next")
    }

    @Test(arguments: [6, 7])
    func `a generation that is not higher than the one that serves is refused`(generation: Int)
        throws
    {
        put(7, Self.entry(15_550_100))
        #expect(
            put(generation, Self.entry(15_550_100, "Bank"))
                == [" -32006 stale_generation field=/generation"])
        #expect(try label(1) == "Shop")
        #expect(put(8, Self.entry(15_550_100, "Bank")) == [#" {"accepted":1,"total":1}"#])
    }

    @Test func `somebody else's load goes on, also when who was refused goes`() throws {
        put(1, isLast: false, Self.entry(15_550_100))
        let other = host.ready("admin")
        #expect(put(2, by: other, Self.entry(6)) == [" -32006 currently_loading"])
        other.vanish()
        store.settle()
        #expect(put(1, Self.entry(15_550_101)) == [#" {"accepted":1,"total":2}"#])
        #expect(try label(1) == "Shop")
    }

    @Test func `who loaded and is gone is in nobody's way`() throws {
        put(1, isLast: false, Self.entry(5))
        loader.vanish()
        store.settle()
        let other = host.ready("admin")
        #expect(put(1, by: other, Self.entry(15_550_100)) == [#" {"accepted":1,"total":1}"#])
        #expect(try label(1) == "Shop")
    }
}
