import Glibc
import Testing

@testable import BrokerSocket

struct ChildProgramTests {
    @Test func `what would end us waits while a program starts`() async {
        await #expect(processExitsWith: .exitCode(128 + SIGTERM)) {
            // A task's thread is asked for nothing.
            var held = sigset_t()
            sigemptyset(&held)
            pthread_sigmask(SIG_SETMASK, &held, nil)
            signal(SIGTERM) { _ in _exit(1) }
            HostProcess.blockingTerminationSignals {
                raise(SIGTERM)
                ChildProgram.endWithUs()
            }
            _exit(2)
        }
    }

    @Test func `a program starts with no signal held back`() throws {
        let folder = try TemporaryFolder()
        let output = open(folder.file("output"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(output) }
        let program = try ChildProgram(
            ["grep", "SigBlk", "/proc/self/status"], environment: [:], folder: nil,
            descriptors: [(output, STDOUT_FILENO)])
        #expect(becomesReadable(program.exitDescriptor))
        #expect(program.reap() == .status(0))
        let text = try HostFile.read(folder.file("output"), bytesMax: 100)
        #expect(String(decoding: text, as: UTF8.self) == "SigBlk:\t0000000000000000\n")
    }
}
