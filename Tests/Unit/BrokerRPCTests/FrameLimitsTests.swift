import BrokerJSON
import BrokerRPC
import Testing

struct FrameLimitsTests {
    @Test func `the limits are those of the protocol`() {
        var limits = FrameLimits()
        limits.frameBytes = 65_536
        limits.frameOutBytes = 65_535
        limits.json = JSONLimits(depth: 32, values: 4_096)
        limits.batch = 32
        limits.idBytes = 64
        limits.methodBytes = 128
        limits.pendingRequests = 64
        #expect(FrameLimits() == limits)
    }
}
