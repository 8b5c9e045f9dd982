import BrokerSocket
import Glibc
import Testing

extension PermissionTests {
    /// `Listener` with descriptors that a service manager passed. They begin at 3, which is
    /// somebody else's in every process that runs tests; the daemon's own tests pass real ones.
    struct SocketActivationTests {
        @Test(arguments: [
            [:],
            ["LISTEN_FDS": "1"],
            ["LISTEN_PID": "1", "LISTEN_FDS": "1"],
            ["LISTEN_PID": "", "LISTEN_FDS": "1"],
            ["LISTEN_PID": "self", "LISTEN_FDS": "1"],
            ["LISTEN_PID": "99999999999999999999", "LISTEN_FDS": "1"],
            ["LISTEN_PID": "\(getpid())"],
            ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": ""],
            ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "0"],
            ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "-1"],
            ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "two"],
            ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "99999999999999999999"],
        ])
        func `nothing was passed unless both variables say so`(
            environment: [String: String]
        ) throws {
            #expect(try Listener.activatedDescriptors(environment: environment).isEmpty)
        }

        @Test func `a count beyond every descriptor is refused`() async {
            await #expect(processExitsWith: .success) {
                #expect(throws: SocketError.self) { try passed("\(Int32.max)") }
            }
        }

        @Test func `what is no listening Unix stream is refused with what to do`() async {
            await #expect(processExitsWith: .success) {
                // Whatever descriptor 3 is in a process that has just begun, it is none of those.
                let refusal = SocketError(
                    .unusable,
                    "descriptor 3 from socket activation is not a listening Unix stream socket: "
                        + "use ListenStream= with a path")
                #expect(throws: refusal) { try passed("1") }
                #expect(throws: refusal) { try passed("2") }
            }
        }

        @Test func `a listening socket is taken over with its path and flags`() throws {
            let folder = try TemporaryFolder()
            let path = folder.file("broker.sock")
            let bound = try Listener(path: path)
            defer { bound.shutDown() }
            let given = dup(bound.descriptor)
            _ = fcntl(given, F_SETFL, 0)
            let listener = Listener(activated: given)
            #expect(listener.descriptor == given)
            #expect(listener.path == path)
            #expect(fcntl(given, F_GETFD) == FD_CLOEXEC)
            #expect(fcntl(given, F_GETFL) & O_NONBLOCK != 0)
            listener.shutDown()
            #expect(FileState(path)?.kind == S_IFSOCK)
            #expect(SocketPeer(connectingTo: path) != nil)
        }

        @Test func `a socket without a path is called by its number`() throws {
            let given = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            let listener = Listener(activated: given)
            #expect(listener.path == "descriptor \(given)")
            listener.shutDown()
        }
    }
}

/// What we take over when a service manager says it passed us `count` descriptors.
@discardableResult
private func passed(_ count: String) throws -> Range<Int32> {
    try Listener.activatedDescriptors(
        environment: ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": count])
}
