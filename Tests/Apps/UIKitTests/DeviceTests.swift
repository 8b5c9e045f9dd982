import Foundation
import Testing

struct DeviceTests {
    @Test func `background tasks have names of their own`() {
        let tasks = Device.backgroundTasks()
        #expect(Set([tasks.first, tasks.second, tasks.invalid]).count == 3)
    }

    @Test func `a host has no proximity sensor, and says so`() {
        #expect(!Device.isProximityMonitored())
    }

    @Test func `a host says what it is`() {
        #expect(Device.words.allSatisfy { !$0.isEmpty })
        #expect(Device.words[2] == "Linux")
    }
}
