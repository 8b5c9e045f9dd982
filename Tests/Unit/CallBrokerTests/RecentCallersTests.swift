import CallModel
import CallStore
import Testing

@testable import CallBroker

struct RecentCallersTests {
    private var callers = RecentCallers()

    private func key(_ number: Int) -> HandleKey {
        HandleKey(Handle(kind: .phone, value: "+1555\(number)"), region: nil)
    }

    private func at(_ milliseconds: Int) -> Instant {
        Instant.zero.advanced(byMS: milliseconds)
    }

    @Test mutating func `who has called is known for three minutes`() {
        callers.add(key(1), at: at(1_000))
        #expect(callers.includes(key(1), at: at(181_000)))
        #expect(!callers.includes(key(1), at: at(181_001)))
        #expect(!callers.includes(key(2), at: at(1_000)))
    }

    @Test mutating func `also when others have called meanwhile`() {
        callers.add(key(1), at: at(179_000))
        callers.add(key(2), at: at(181_000))
        #expect(callers.includes(key(1), at: at(181_000)))
        #expect(callers.includes(key(2), at: at(181_000)))
    }

    @Test mutating func `the time asleep counts`() {
        callers.add(key(1), at: at(1_000))
        callers.age(byMS: 180_000)
        #expect(!callers.includes(key(1), at: at(2_000)))
    }
}
