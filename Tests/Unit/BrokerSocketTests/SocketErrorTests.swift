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

    @Test func `the fault of a connection is a sentence, with its kind`() {
        let faults: [(ConnectionFault, SocketError.Kind, String)] = [
            (
                .noListener(path: "/x", reason: "Connection refused"), .noListener,
                "no broker is listening on /x (Connection refused)"
            ),
            (.notAccepting(path: "/x"), .timedOut, "the broker on /x does not accept connections"),
            (
                .unreachable(path: "/x", reason: "Permission denied"), .unusable,
                "cannot connect to /x: Permission denied"
            ),
            (.noReply, .timedOut, "the broker did not reply in time"),
            (.closed, .system, "the broker closed the connection without a reply"),
            (.tooManyEvents, .system, "the broker sent too many events before its reply"),
            (.longLine(bytesMax: 9), .system, "the broker sent a line of more than 9 bytes"),
            (.noPath, .unusable, "the socket path is empty or holds a NUL byte"),
        ]
        for (fault, kind, sentence) in faults {
            let error = SocketError(fault)
            #expect(error.kind == kind && error.description == sentence && error.fault == fault)
        }
    }
}
