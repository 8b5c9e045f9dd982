import BrokerSocket
import Testing

struct DiskThreadTests {
    private let wakeup: Wakeup
    private let disk: DiskThread

    init() throws {
        wakeup = try Wakeup()
        disk = try DiskThread(wakes: wakeup)
    }

    private func settle() {
        while !disk.isIdle {
            wakeup.wait()
            disk.settle()
        }
    }

    @Test func `work is done and told in the order in which it was submitted`() {
        var told: [Int] = []
        for number in 1...100 {
            disk.submit({ number }) { told.append((try? $0.get()) ?? 0) }
        }
        #expect(told == [])
        settle()
        #expect(told == Array(1...100))
    }

    @Test func `what fails is told with its reason, and the rest goes on`() {
        let fault = SocketError(.system, "no room")
        var told: [Result<Int, SocketError>] = []
        disk.submit({ () throws(SocketError) -> Int in throw fault }) { told.append($0) }
        disk.submit({ 2 }) { told.append($0) }
        settle()
        #expect(told == [.failure(fault), .success(2)])
    }

    @Test func `nobody waits for work that takes its time`() throws {
        let gate = try Wakeup()
        var isTold = false
        disk.submit({ gate.wait() }) { _ in isTold = true }
        disk.settle()
        #expect(!disk.isIdle)
        #expect(!isTold)
        gate.signal()
        settle()
        #expect(isTold)
    }

    @Test func `at its end everything is done and told`() {
        var told = 0
        for _ in 1...20 { disk.submit({}) { _ in told += 1 } }
        disk.stop(withinMS: 10_000)
        #expect(told == 20)
        #expect(disk.isIdle)
    }

    @Test func `a disk that never answers does not keep the end from coming`() throws {
        let gate = try Wakeup()
        disk.submit({ gate.wait() }) { _ in }
        disk.stop(withinMS: 1)
        #expect(!disk.isIdle)
        gate.signal()
    }
}
