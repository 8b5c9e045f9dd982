import BrokerRPC
import Testing

struct IncomingRequestsTests {
    private func refusal(of id: RequestID, by requests: IncomingRequests) -> RPCError? {
        do throws(RPCError) {
            try requests.check(id)
            return nil
        } catch {
            return error
        }
    }

    private func duplicate(_ id: RequestID) -> RPCError {
        RPCError(
            .invalidRequest, reason: .duplicateId,
            "a request with this id has not been answered yet"
        ).with {
            $0.request = id
            $0.hint = "increment the ids, or reuse one only after its reply"
        }
    }

    @Test func `an id that is free may come in`() {
        var requests = IncomingRequests(countMax: 4)
        #expect(refusal(of: .integer(1), by: requests) == nil)
        requests.insert(.integer(1))
        #expect(requests.contains(.integer(1)))
        #expect(!requests.contains(.integer(2)))
        #expect(refusal(of: .integer(2), by: requests) == nil)
        #expect(requests.count == 1)
    }

    @Test(arguments: [RequestID.integer(.min), .integer(1), .text(""), .text("1")])
    func `an id is refused until its request is answered`(id: RequestID) {
        var requests = IncomingRequests(countMax: 4)
        requests.insert(id)
        #expect(refusal(of: id, by: requests) == duplicate(id))
        #expect(requests.count == 1, "the first request is unaffected")
        let removed = requests.remove(id)
        #expect(removed)
        #expect(refusal(of: id, by: requests) == nil)
    }

    @Test func `1 and "1" may be open together`() {
        var requests = IncomingRequests(countMax: 4)
        requests.insert(.integer(1))
        #expect(refusal(of: .text("1"), by: requests) == nil)
        requests.insert(.text("1"))
        #expect(requests.count == 2)
        let removed = [RequestID.text("1"), .integer(1)].map { requests.remove($0) }
        #expect(removed == [true, true])
        #expect(requests.count == 0)
    }

    @Test func `a request is answered once`() {
        var requests = IncomingRequests(countMax: 4)
        requests.insert(.integer(1))
        let removed = [requests.remove(.integer(1)), requests.remove(.integer(1))]
        #expect(removed == [true, false])
        let unknown = requests.remove(.text("never seen"))
        #expect(!unknown)
    }

    @Test(arguments: [1, 2, 64])
    func `one more than may wait is refused until another is answered`(countMax: Int) {
        var requests = IncomingRequests(countMax: countMax)
        for id in 1...countMax {
            #expect(refusal(of: .integer(Int64(id)), by: requests) == nil)
            requests.insert(.integer(Int64(id)))
        }
        let full = RPCError(
            .overloaded, reason: .pending, "too many requests wait for their replies"
        ).with {
            $0.retryable = true
            $0.retryAfterMS = 100
            $0.limit = RPCError.Limit(name: "pending_requests", value: countMax)
        }
        #expect(refusal(of: .integer(0), by: requests) == full)
        #expect(refusal(of: .integer(1), by: requests) == duplicate(.integer(1)))
        _ = requests.remove(.integer(1))
        #expect(refusal(of: .integer(0), by: requests) == nil)
    }
}
