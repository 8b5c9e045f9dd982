import BrokerJSON
import BrokerRPC
import Testing

struct RequestIDEqualityTests {
    @Test func `ids of different bytes are different, also when they look the same`() throws {
        let (composed, decomposed) = try reading("[\"\\u00e9\",\"e\\u0301\"]") { root in
            let ids = root.elements.map { RequestID($0, bytesMax: 64) }
            return (try #require(ids[0]), try #require(ids[1]))
        }
        #expect(composed != decomposed)
        var requests = IncomingRequests(countMax: 64)
        requests.insert(composed)
        #expect(throws: Never.self) { try requests.check(decomposed) }
    }

    @Test func `a notification with a long name is no bad frame`() throws {
        let name = String(repeating: "m", count: 129)
        #expect(
            try Seen.message(#"{"jsonrpc":"2.0","method":"\#(name)"}"#)
                == .notification(name, .none))
    }
}
