import Foundation
import Glibc
import Synchronization

/// How a process came to its end.
enum ProcessEnd: Equatable {
    case exited(Int32)
    case killed(by: Int32)

    init(status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(by: signal)
    }
}

/// A real process, its output and its standard error in pipes. It is killed when this value goes
/// away, and when the test process dies.
final class ChildProcess {
    let pid: pid_t
    let output: PipeReader
    let errors: PipeReader
    private var end: ProcessEnd?

    /// - Parameters:
    ///   - environment: on top of this process's own, from which the broker's variables are taken.
    ///   - passing: a descriptor of ours that becomes number 3.
    ///   - isOnTerminal: its output is a terminal instead of a pipe.
    ///   - size: of the terminal; nil if it does not know.
    init(
        _ arguments: [String], environment: [String: String] = [:], input: Int32? = nil,
        passing: Int32? = nil, isOnTerminal: Bool = false, size: (columns: Int, rows: Int)? = nil
    ) throws {
        let outputEnd = try isOnTerminal ? PipeEnds.terminal(size) : PipeEnds()
        let errorsEnd = try PipeEnds()
        defer { for pipe in [outputEnd, errorsEnd] { close(pipe.writer) } }
        output = PipeReader(outputEnd.reader)
        errors = PipeReader(errorsEnd.reader)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, outputEnd.writer, 1)
        posix_spawn_file_actions_adddup2(&actions, errorsEnd.writer, 2)
        if let passing { posix_spawn_file_actions_adddup2(&actions, passing, 3) }
        pid = try Self.spawn(arguments, environment: environment, actions: &actions)
        Janitor.shared.watch(pid)
    }

    deinit {
        if end == nil {
            kill(pid, SIGKILL)
            _ = reap()
        }
    }

    /// Of processes that are not told where to keep what they keep.
    private static let home =
        FileManager.default.temporaryDirectory.appending(path: "cbt-home-\(getpid())").path

    private static func spawn(
        _ arguments: [String], environment: [String: String],
        actions: inout posix_spawn_file_actions_t
    ) throws -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var variables = ProcessInfo.processInfo.environment.filter { name, _ in
            !["BROKER_", "XDG_", "LISTEN_", "WATCHDOG_", "NOTIFY_"].contains(
                where: name.hasPrefix)
        }
        variables["SWIFT_BACKTRACE"] = "enable=no"
        // Nothing may touch what the user's own broker keeps.
        variables["HOME"] = Self.home
        variables.merge(environment) { $1 }
        var argv = arguments.map { strdup($0) } + [nil]
        var envp = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in argv + envp { free(text) } }
        var pid: pid_t = 0
        let code = spawnLock.withLock { _ in
            posix_spawnp(&pid, arguments[0], &actions, &attributes, &argv, &envp)
        }
        guard code == 0 else { throw SystemError("posix_spawn \(arguments[0])", code: code) }
        return pid
    }

    /// How the process ended, if it has.
    var endedAlready: ProcessEnd? {
        if end == nil {
            var status: Int32 = 0
            if waitpid(pid, &status, WNOHANG) == pid { settle(status) }
        }
        return end
    }

    /// Waits for the end: for the end of its standard error, which only its death can close.
    func waitForEnd() throws -> ProcessEnd {
        if let end { return end }
        try errors.readToEnd()
        return reap()
    }

    func signal(_ number: Int32) {
        if end == nil { kill(pid, number) }
    }

    private func reap() -> ProcessEnd {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        settle(status)
        return ProcessEnd(status: status)
    }

    private func settle(_ status: Int32) {
        end = ProcessEnd(status: status)
        Janitor.shared.forget(pid)
    }
}

/// Held while a child is started, and while a descriptor exists that is not closed on exec yet:
/// another test's child must not inherit it.
private let spawnLock = Mutex(())

struct PipeEnds {
    let reader: Int32
    let writer: Int32

    private init(reader: Int32, writer: Int32) {
        (self.reader, self.writer) = (reader, writer)
    }

    /// A terminal: what is written to it comes out of the other side. The names of the commands,
    /// TIOCSPTLCK and TIOCGPTN, are not visible from Swift.
    static func terminal(_ size: (columns: Int, rows: Int)?) throws -> PipeEnds {
        try spawnLock.withLock { _ in
            let reader = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var (unlock, number): (Int32, UInt32) = (0, 0)
            guard reader >= 0, ioctl(reader, 0x4004_5431, &unlock) == 0,
                ioctl(reader, 0x8004_5430, &number) == 0
            else { throw SystemError("open /dev/ptmx") }
            let writer = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
            guard writer >= 0 else { throw SystemError("open the terminal") }
            if let size {
                var cells = winsize()
                (cells.ws_col, cells.ws_row) = (UInt16(size.columns), UInt16(size.rows))
                _ = ioctl(writer, UInt(TIOCSWINSZ), &cells)
            }
            return PipeEnds(reader: reader, writer: writer)
        }
    }

    init() throws {
        var ends: [Int32] = [0, 0]
        try spawnLock.withLock { _ in
            guard pipe(&ends) == 0 else { throw SystemError("pipe") }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
        (reader, writer) = (ends[0], ends[1])
        // Room for everything a daemon may log in one test, so that nobody has to drain it. The
        // name of the command, F_SETPIPE_SZ, is not visible from Swift.
        _ = fcntl(writer, 1_031, 1 << 20)
    }
}

/// The next connection to a listening socket of the test.
func acceptConnection(on listener: Int32) throws -> Int32 {
    guard waitFor(POLLIN, on: listener, until: .now + ceiling) else {
        throw CeilingReached(waitedFor: "a connection")
    }
    return try spawnLock.withLock { _ in
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { throw SystemError("accept") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }
}

/// The reading end of a pipe and what came out of it so far.
final class PipeReader {
    private(set) var text = ""
    private(set) var isAtEnd = false
    private var isOpen = true
    private let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit {
        stopReading()
    }

    /// Closes the pipe, so that whoever writes to it finds nobody there.
    func stopReading() {
        if isOpen { close(descriptor) }
        (isAtEnd, isOpen) = (true, false)
    }

    /// Takes what is there, without waiting.
    func drain() {
        guard isOpen else { return }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            // A terminal that nobody has open any more says EIO.
            if count == 0 || (count < 0 && errno == EIO) { isAtEnd = true }
            guard count > 0 else { return }
            text += String(decoding: chunk[..<count], as: UTF8.self)
        }
    }

    /// Waits until the text satisfies `condition`; false if the stream ended without it.
    func wait(
        within ceiling: Duration = ceiling, for condition: (String) -> Bool
    ) throws -> Bool {
        let deadline = ContinuousClock.now + ceiling
        while true {
            drain()
            if condition(text) { return true }
            if isAtEnd { return false }
            guard waitFor(POLLIN, on: descriptor, until: deadline) else {
                throw CeilingReached(waitedFor: "output; so far: \(text.suffix(500))")
            }
        }
    }

    func readToEnd(within ceiling: Duration = ceiling) throws {
        _ = try wait(within: ceiling) { _ in false }
    }
}

/// A shell that holds the pids of all children and kills them when this process is gone: a crash
/// of the test runner leaves nothing behind.
private final class Janitor: Sendable {
    static let shared = Janitor()
    private let pipe: Mutex<Int32>

    private init() {
        let script = """
            pids=' '
            while read -r sign pid; do
                case $sign in
                +) pids="$pids$pid " ;;
                *) pids="${pids%% $pid *} ${pids#* $pid }" ;;
                esac
            done
            for pid in $pids; do kill -9 "$pid" 2>/dev/null; done
            """
        guard let ends = try? PipeEnds() else {
            pipe = Mutex(-1)
            return
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends.reader, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // A group of its own: an interrupt at the keyboard must not take it first.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        defer { posix_spawnattr_destroy(&attributes) }
        let arguments = ["sh", "-c", script]
        var argv = arguments.map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = [nil]
        defer { for text in argv { free(text) } }
        var pid: pid_t = 0
        // Pipes of other threads are inherited until they are marked, which they are under this lock.
        _ = spawnLock.withLock { _ in
            posix_spawn(&pid, "/bin/sh", &actions, &attributes, &argv, &envp)
        }
        close(ends.reader)
        pipe = Mutex(ends.writer)
    }

    func watch(_ pid: pid_t) {
        tell("+ \(pid)\n")
    }

    func forget(_ pid: pid_t) {
        tell("- \(pid)\n")
    }

    private func tell(_ line: String) {
        pipe.withLock { descriptor in
            _ = line.withCString { write(descriptor, $0, strlen($0)) }
        }
    }
}
