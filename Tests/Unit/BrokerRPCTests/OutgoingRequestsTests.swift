import BrokerRPC
import Testing

struct OutgoingRequestsTests {
    @Test func `ids count up from 1 and are never used again`() {
        var requests = OutgoingRequests<String>()
        let first = [requests.open("a"), requests.open("b"), requests.open("c")]
        #expect(first == [1, 2, 3])
        _ = requests.settle(3)
        _ = requests.settleAll()
        let later = [requests.open("d"), requests.open("e")]
        #expect(later == [4, 5])
    }

    @Test func `a request is settled once`() {
        var requests = OutgoingRequests<String>()
        let id = requests.open("a")
        let settled = [requests.settle(id), requests.settle(id)]
        #expect(settled == ["a", nil])
        #expect(requests.count == 0)
    }

    @Test func `an answer nobody waits for settles nothing`() {
        var requests = OutgoingRequests<String>()
        _ = requests.open("a")
        let settled = [0, -1, 2, .min, .max].map { requests.settle($0) }
        #expect(settled == [nil, nil, nil, nil, nil])
        #expect(requests.count == 1)
    }

    @Test func `asking what a request was for does not settle it`() {
        var requests = OutgoingRequests<String>()
        let id = requests.open("a")
        #expect(requests.purpose(of: id) == "a")
        #expect(requests.purpose(of: id) == "a")
        #expect(requests.purpose(of: id + 1) == nil)
        let settled = requests.settle(id)
        #expect(settled == "a")
        #expect(requests.purpose(of: id) == nil)
    }

    @Test func `answers may come in any order`() {
        var requests = OutgoingRequests<Int>()
        let ids = (0..<100).map { requests.open($0) }
        let settled = ids.reversed().map { requests.settle($0) }
        #expect(settled == (0..<100).reversed().map { Optional($0) })
    }

    @Test func `all that is left is settled in the order of sending`() {
        var requests = OutgoingRequests<Int>()
        for number in 1...200 { _ = requests.open(number) }
        for id in stride(from: Int64(2), through: 200, by: 2) { _ = requests.settle(id) }
        let left = requests.settleAll()
        #expect(left == Array(stride(from: 1, through: 199, by: 2)))
        #expect(requests.count == 0)
        let again = requests.settleAll()
        #expect(again == [])
    }
}
