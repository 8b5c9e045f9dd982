internal import CLinux
internal import Glibc

/// A process that we have started, with everything below it: it leads a group of its own, and may have a
/// cgroup, which nothing below it can leave.
///
/// As long as it is not reaped its number stays its own, so its group can be signalled by that number
/// and nobody else is hit; that is why its end is noticed first, then the rest of its group is killed,
/// and only then it is reaped.
package final class ChildProcess {
    /// For display, and for signals as long as it is not reaped.
    package let pid: Int32
    /// Tells when it has exited.
    package let watch: ProcessWatch
    /// What it says to us; nil if it has to connect itself.
    package let connection: Connection?
    package let log: LogPipe
    private let group: ControlGroup?
    private let groups: ControlGroups?
    private var isReaped = false
    private let isInMemory: Bool
    /// Of a process in memory: what it was sent, and how it ends.
    package private(set) var signals: [Int32] = []
    package var exitInMemory: Exit?

    package enum Exit: Hashable, Sendable {
        case code(Int32)
        case signal(Int32)
    }

    fileprivate init(
        pid: Int32, watch: ProcessWatch, connection: Connection?, log: LogPipe,
        group: ControlGroup?, of groups: ControlGroups?
    ) {
        self.pid = pid
        self.watch = watch
        self.connection = connection
        self.log = log
        self.group = group
        self.groups = groups
        isInMemory = false
    }

    /// A process in memory: whoever made it says what becomes of it.
    package init(inMemory pid: Int32, connection: Connection?) {
        self.pid = pid
        self.connection = connection
        watch = ProcessWatch()
        log = LogPipe()
        (group, groups) = (nil, nil)
        isInMemory = true
    }

    /// Asks the whole group to end.
    package func terminate() {
        signal(SIGTERM)
    }

    package func kill() {
        signal(SIGKILL)
        if !isReaped { group?.kill() }
    }

    private func signal(_ number: Int32) {
        guard !isReaped else { return }
        if isInMemory { return signals.append(number) }
        Glibc.kill(-pid, number)
    }

    /// How it has ended, once it has. What is left of its group goes with it.
    package func reap() -> Exit? {
        if isInMemory { return exitInMemory }
        guard !isReaped, linux_has_ended(watch.descriptor) != 0 else { return nil }
        kill()
        isReaped = true
        if let group { groups?.end(group) }
        var (isSignal, status): (Int32, Int32) = (0, 0)
        guard linux_reap(watch.descriptor, &isSignal, &status) == 0 else { return .code(0) }
        return isSignal != 0 ? .signal(status) : .code(status)
    }
}

/// What is to be started, and how.
package struct ChildSettings: Equatable, Sendable {
    /// How it talks to us.
    package enum Wiring: Sendable {
        /// By a socket on descriptors 0 and 1; 2 is a log.
        case standard
        /// By a socket on descriptor 3; 1 and 2 are logs.
        case third
        /// By no descriptor; 1 and 2 are logs.
        case none
    }

    /// A path.
    package var program: String
    /// With the name of the program.
    package var arguments: [String]
    /// As `NAME=value`.
    package var environment: [String]
    package var folder: String
    package var wiring: Wiring
    package var memoryBytes: UInt64?
    package var descriptors: Int?
    /// What it starts goes with it, even what leaves its group of processes, if that can be.
    package var endsChildren = true

    package init(
        program: String, arguments: [String], environment: [String], folder: String,
        wiring: Wiring
    ) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.folder = folder
        self.wiring = wiring
    }
}

extension EventLoop {
    /// Starts a process. It runs its program when this returns: there is nothing that comes later.
    ///
    /// It ends when we do: the kernel asks it to, should we be killed.
    ///
    /// - Parameter groups: where it gets a cgroup, if its children end with it.
    package func spawn(
        _ settings: ChildSettings, in groups: ControlGroups? = nil
    ) throws(SocketError) -> ChildProcess {
        var ends = try ChildEnds(settings.wiring)
        defer { ends.closeTheirs() }
        let group = settings.endsChildren ? groups?.make() : nil
        var isStarted = false
        defer { if !isStarted, let group { groups?.end(group) } }
        let (pid, watch) = try start(settings, &ends, group)
        let log = LogPipe(ends.log, self)
        do throws(SocketError) { try self.watch(log) } catch {
            watch.stop()
            linux_abandon(pid)
            throw error
        }
        isStarted = true
        ends.keepLog()
        let connection = ends.takeSocket().flatMap { adopt($0, of: pid) }
        return ChildProcess(
            pid: pid, watch: watch, connection: connection, log: log, group: group, of: groups)
    }

    private func start(
        _ settings: ChildSettings, _ ends: inout ChildEnds, _ group: ControlGroup?
    ) throws(SocketError) -> (Int32, ProcessWatch) {
        var child = linux_child()
        ends.fill(&child)
        child.memory_bytes = settings.memoryBytes ?? 0
        child.files = UInt64(settings.descriptors ?? 0)
        child.group = group?.descriptor ?? -1
        var descriptor: Int32 = -1
        let pid = settings.program.withCString { program in
            settings.folder.withCString { folder in
                CStrings.with(settings.arguments) { arguments in
                    CStrings.with(settings.environment) { environment in
                        child.program = program
                        child.folder = folder
                        child.arguments = arguments
                        child.environment = environment
                        return linux_spawn(&child, &descriptor)
                    }
                }
            }
        }
        guard pid > 0 else { throw .system("cannot make a process for \(settings.program)") }
        guard child.failed_step == 0 else { throw Self.fault(child, settings) }
        guard let watch = watch(process: pid, descriptor) else {
            linux_abandon(pid)
            throw .system("cannot watch the process of \(settings.program)")
        }
        return (pid, watch)
    }

    private static func fault(_ child: linux_child, _ settings: ChildSettings) -> SocketError {
        let step =
            switch Int(child.failed_step) {
            case LINUX_CHILD_FOLDER: "cannot enter \(settings.folder)"
            case LINUX_CHILD_LIMITS: "cannot set the limits of \(settings.program)"
            case LINUX_CHILD_PROGRAM: "cannot run \(settings.program)"
            default: "cannot make a process for \(settings.program)"
            }
        return .system(step, child.failed_errno)
    }
}

/// Both ends of what connects us with a child.
private struct ChildEnds {
    /// Above the numbers that the child has them under.
    private static let numberMin: Int32 = 4

    private var socket: Int32?
    private(set) var log: Int32
    /// From 0 on.
    private var theirs: [Int32]

    init(_ wiring: ChildSettings.Wiring) throws(SocketError) {
        var pipe: [Int32] = [-1, -1]
        guard pipe2(&pipe, O_CLOEXEC) == 0 else { throw .system("cannot make a pipe") }
        log = pipe[0]
        _ = fcntl(log, F_SETFL, O_NONBLOCK)
        let output = Self.raised(pipe[1])
        var end: Int32 = -1
        if wiring != .none {
            var ends: [Int32] = [-1, -1]
            guard linux_stream_pair(&ends) == 0 else {
                let error = SocketError.system("cannot make a socket")
                close(log)
                close(output)
                throw error
            }
            socket = ends[0]
            // A program expects that a read waits.
            _ = fcntl(ends[1], F_SETFL, 0)
            end = Self.raised(ends[1])
        }
        let null = wiring == .standard ? -1 : Self.raised(open("/dev/null", O_RDONLY | O_CLOEXEC))
        switch wiring {
        case .standard: theirs = [end, end, output]
        case .third: theirs = [null, output, output, end]
        case .none: theirs = [null, output, output]
        }
    }

    /// The same, with a number that is in nobody's way.
    private static func raised(_ descriptor: Int32) -> Int32 {
        guard descriptor >= 0, descriptor < numberMin else { return descriptor }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, numberMin)
        close(descriptor)
        return copy
    }

    func fill(_ child: inout linux_child) {
        child.descriptor_count = Int32(theirs.count)
        withUnsafeMutableBytes(of: &child.descriptors) { numbers in
            let numbers = numbers.assumingMemoryBound(to: Int32.self)
            for index in theirs.indices { numbers[index] = theirs[index] }
        }
    }

    /// Somebody else closes it from now on.
    mutating func keepLog() {
        log = -1
    }

    mutating func takeSocket() -> Int32? {
        defer { socket = nil }
        return socket
    }

    /// Those of the child, and ours that nobody took.
    mutating func closeTheirs() {
        for descriptor in Set(theirs) where descriptor >= 0 { close(descriptor) }
        if log >= 0 { close(log) }
        if let socket { close(socket) }
    }
}

/// Strings as a program gets them.
private enum CStrings {
    static func with<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
        pointers.append(nil)
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else {
                preconditionFailure("an array with an element has a place")
            }
            return body(start)
        }
    }
}
