import BrokerSocket
import Testing

struct MonitorTests {
    @Test func `what is there already is not waited for`() async {
        let monitor = Monitor(7)
        #expect(await monitor.wait { $0 } == 7)
    }

    @Test func `who waits may take out what is found`() async {
        let monitor = Monitor([1, 2])
        #expect(await monitor.wait { $0.popLast() } == 2)
        #expect(await monitor.wait { $0.popLast() } == 1)
        #expect(await monitor.wait { $0.isEmpty ? 0 : nil } == 0)
    }

    @Test func `a change that brings nothing is waited through`() async throws {
        let monitor = Monitor(0)
        try HostThread.start {
            for _ in 0..<1_000 { monitor.change { $0 += 1 } }
        }
        #expect(await monitor.wait { $0 == 1_000 ? $0 : nil } == 1_000)
    }

    @Test func `nothing is lost between two threads`() async throws {
        let monitor = Monitor([Int]())
        try HostThread.start {
            for number in 0..<1_000 { monitor.change { $0.append(number) } }
        }
        for number in 0..<1_000 {
            #expect(await monitor.wait { $0.isEmpty ? nil : $0.removeFirst() } == number)
        }
    }
}
