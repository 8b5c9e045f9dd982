import BrokerSocket
import Testing

struct PromiseTests {
    @Test func `what was settled before is there at once`() async {
        let promise = Promise<Int>()
        promise.settle(7)
        #expect(await promise.value() == 7)
        #expect(await promise.value() == 7)
    }

    @Test func `the first value counts`() async {
        let promise = Promise<Int?>()
        promise.settle(nil)
        promise.settle(7)
        #expect(await promise.value() == nil)
    }

    @Test func `another thread may settle at any moment`() async throws {
        for number in 0..<200 {
            let promise = Promise<[Int]>()
            try HostThread.start { promise.settle([number]) }
            #expect(await promise.value() == [number])
        }
    }
}
