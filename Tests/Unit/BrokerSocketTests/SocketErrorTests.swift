import Glibc
import Testing

// Only the module itself makes errors out of errno.
@testable import BrokerSocket

struct SocketErrorTests {
    @Test func `a failed call carries the system's own words`() {
        let error = SocketError.system("cannot listen on /x", EADDRINUSE)
        #expect(error == SocketError(.system, "cannot listen on /x: Address already in use"))
        #expect("\(error)" == "cannot listen on /x: Address already in use")
    }
}
