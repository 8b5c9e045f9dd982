import BrokerSocket
import Glibc
import Testing

struct WakeupTests {
    @Test func `any number of signals before the loop looks are one event`() throws {
        let harness = try LoopHarness()
        let wakeup = try Wakeup()
        try harness.loop.watch(wakeup)
        #expect(harness.turn() == [])
        for _ in 0..<1_000 { wakeup.signal() }
        #expect(harness.turn() == [.woken])
        #expect(harness.turn() == [])
        wakeup.signal()
        #expect(harness.turn() == [.woken])
    }

    @Test func `another thread wakes a loop that waits for ever`() throws {
        let harness = try LoopHarness()
        let wakeup = try Wakeup()
        try harness.loop.watch(wakeup)
        var thread = pthread_t()
        let argument = Unmanaged.passUnretained(wakeup).toOpaque()
        pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Wakeup>.fromOpaque(argument).takeUnretainedValue().signal()
                return nil
            }, argument)
        #expect(harness.turn(until: nil) == [.woken])
        pthread_join(thread, nil)
    }
}
