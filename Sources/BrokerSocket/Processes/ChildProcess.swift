internal import CLinux
internal import Glibc

/// A child process with its descendants: it leads a process group of its own, and may have a
/// cgroup, which no descendant can leave, or be a service of the user's systemd.
///
/// Until the child is reaped its pid is not reused, so its group can be signaled by that number
/// without hitting another process. That is why its exit is detected first, then the rest of its
/// group is killed, and only then it is reaped.
package final class ChildProcess {
    /// The process id, for display and, until it is reaped, for signals.
    package let pid: Int32
    /// A watch that reports the exit.
    package let watch: ProcessWatch
    /// The connection to the child; nil if the child has to connect on its own.
    package let connection: Connection?
    /// The pipe of the child's log output.
    package let log: LogPipe
    private let home: Home
    private var isReaped = false
    private let isInMemory: Bool
    private var placeInMemory: String?
    /// The signals sent to a process in memory.
    package private(set) var signals: [Int32] = []
    /// The exit of a process in memory, once a test sets it.
    package var exitInMemory: Exit?

    /// The outcome of a process.
    package enum Exit: Hashable, Sendable {
        case code(Int32)
        case signal(Int32)
    }

    /// The place of the child and its descendants.
    fileprivate enum Home {
        /// Only its process group.
        case processGroup
        case controlGroup(ControlGroup, of: ControlGroups)
        /// A service of the user's systemd. The process is `systemd-run`, or the program itself if
        /// an earlier process has started it.
        case service(unit: String, endsWhole: Bool, of: TransientServices)

        /// Ends what is left after the child.
        func end() {
            if case .controlGroup(let group, let groups) = self { groups.end(group) }
        }
    }

    fileprivate init(
        pid: Int32, watch: ProcessWatch, connection: Connection?, log: LogPipe, home: Home
    ) {
        self.pid = pid
        self.watch = watch
        self.connection = connection
        self.log = log
        self.home = home
        isInMemory = false
    }

    /// Creates a process in memory, controlled by a test.
    package init(inMemory pid: Int32, connection: Connection?, place: String? = nil) {
        placeInMemory = place
        self.pid = pid
        self.connection = connection
        watch = ProcessWatch()
        log = LogPipe()
        home = .processGroup
        isInMemory = true
    }

    /// The place that only the child and its descendants are in, and that they cannot leave: the
    /// unit of its service, or the path of its cgroup as in `PeerProcess`; nil without one.
    package var place: String? {
        switch home {
        case .processGroup: placeInMemory
        case .controlGroup(let group, _): ControlGroups.name(ofPath: group.path)
        case .service(let unit, _, _): unit
        }
    }

    /// Sends SIGTERM to the whole group, or the service.
    package func terminate() {
        signal(SIGTERM)
    }

    /// Kills the whole group and the cgroup, or the service.
    package func kill() {
        signal(SIGKILL)
        if !isReaped, case .controlGroup(let group, _) = home { group.kill() }
    }

    private func signal(_ number: Int32) {
        guard !isReaped else { return }
        if isInMemory { return signals.append(number) }
        if case .service(let unit, let endsWhole, let services) = home {
            return services.send(number, to: unit, isWhole: endsWhole)
        }
        Glibc.kill(-pid, number)
    }

    /// Returns the outcome once the process has exited, and kills the rest of its group.
    package func reap() -> Exit? {
        if isInMemory { return exitInMemory }
        guard !isReaped else { return nil }
        if case .service(let unit, _, let services) = home { return reap(unit, of: services) }
        guard linux_has_ended(watch.descriptor) != 0 else { return nil }
        kill()
        home.end()
        return outcome()
    }

    /// Returns the outcome of a service. What is left of it is the business of systemd, unless
    /// `systemd-run` was killed.
    private func reap(_ unit: String, of services: TransientServices) -> Exit? {
        guard watch.hasExited else { return nil }
        services.reapMessengers()
        let exit = outcome()
        if case .signal = exit { services.stop(unit) }
        return exit
    }

    /// Returns the outcome; `code(0)` if the process is not a child of this one.
    private func outcome() -> Exit {
        isReaped = true
        var (isSignal, status): (Int32, Int32) = (0, 0)
        guard linux_reap(watch.descriptor, &isSignal, &status) == 0 else { return .code(0) }
        return isSignal != 0 ? .signal(status) : .code(status)
    }
}

/// The program of a child process, and the conditions that it runs under.
package struct ChildSettings: Equatable, Sendable {
    /// The connection between the broker and a child.
    package enum Wiring: Sendable {
        /// A socket on descriptors 0 and 1; 2 is the log.
        case standard
        /// A socket on descriptor 3; 1 and 2 are the log.
        case third
        /// No connection; 1 and 2 are the log.
        case none
    }

    /// The name of the child among those of this process.
    package var name: String
    /// The path of the executable.
    package var program: String
    /// The arguments, beginning with the name of the program.
    package var arguments: [String]
    /// The environment as `NAME=value`.
    package var environment: [String]
    /// The working directory.
    package var folder: String
    package var wiring: Wiring
    /// The limit of the address space; nil for none.
    package var memoryBytes: UInt64?
    /// The limit of open descriptors; nil for none.
    package var descriptors: Int?
    /// Indicates that descendants end with the child, even outside its process group where the host
    /// supports that.
    package var endsChildren = true

    package init(
        name: String = "child", program: String, arguments: [String], environment: [String],
        folder: String, wiring: Wiring
    ) {
        self.name = name
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.folder = folder
        self.wiring = wiring
    }
}

extension EventLoop {
    /// Starts a process. On return it is running its program, so later failures cannot occur.
    ///
    /// The kernel terminates the child if this process is killed.
    ///
    /// - Parameter groups: The source of the child's cgroup, if its descendants end with it.
    package func spawn(
        _ settings: ChildSettings, in groups: ControlGroups? = nil
    ) throws(SocketError) -> ChildProcess {
        var home = ChildProcess.Home.processGroup
        if settings.endsChildren, let groups, let group = groups.make() {
            home = .controlGroup(group, of: groups)
        }
        return try spawn(settings, ChildEnds(settings.wiring), in: home)
    }

    /// Starts a process as a service of the user's systemd, or returns the one that an earlier
    /// process has started, if that connects by itself.
    ///
    /// A program that connects by itself lives on if this process is killed.
    package func spawn(
        _ settings: ChildSettings, in services: TransientServices
    ) throws(SocketError) -> ChildProcess {
        guard HostFile.isProgram(settings.program) else {
            throw .system("cannot run \(settings.program)", ENOENT)
        }
        func home(_ unit: String) -> ChildProcess.Home {
            .service(unit: unit, endsWhole: settings.endsChildren, of: services)
        }
        if let left = services.takeRunning(settings),
            let child = try adopt(
                left.mainProcess, services.openLog(settings.name), in: home(left.unit))
        {
            return child
        }
        let unit = services.nextUnit(of: settings.name)
        let log = settings.wiring == .none ? try services.openLog(settings.name) : nil
        let service = services.settings(for: settings, in: unit)
        return try spawn(service, ChildEnds(service.wiring, log: log), in: home(unit))
    }

    /// Takes over a process; nil if it has exited.
    private func adopt(
        _ pid: Int32, _ log: Int32, in home: ChildProcess.Home
    ) throws(SocketError) -> ChildProcess? {
        let descriptor = linux_pidfd_open(pid)
        guard descriptor >= 0, let watch = watch(process: pid, descriptor) else {
            close(log)
            return nil
        }
        let pipe = LogPipe(log, self)
        try self.watch(pipe)
        return ChildProcess(pid: pid, watch: watch, connection: nil, log: pipe, home: home)
    }

    private func spawn(
        _ settings: ChildSettings, _ ends: consuming ChildEnds, in home: ChildProcess.Home
    ) throws(SocketError) -> ChildProcess {
        var ends = ends
        defer { ends.closeRemaining() }
        var isStarted = false
        defer { if !isStarted { home.end() } }
        let (pid, watch) = try start(settings, &ends, home)
        let log = LogPipe(ends.log, self)
        do throws(SocketError) { try self.watch(log) } catch {
            watch.stop()
            linux_abandon(pid)
            throw error
        }
        isStarted = true
        ends.releaseLog()
        let connection = ends.takeSocket().flatMap { adopt($0, of: pid) }
        return ChildProcess(pid: pid, watch: watch, connection: connection, log: log, home: home)
    }

    private func start(
        _ settings: ChildSettings, _ ends: inout ChildEnds, _ home: ChildProcess.Home
    ) throws(SocketError) -> (Int32, ProcessWatch) {
        var child = linux_child()
        ends.fill(&child)
        child.memory_bytes = settings.memoryBytes ?? 0
        child.files = UInt64(settings.descriptors ?? 0)
        child.group = -1
        if case .controlGroup(let group, _) = home { child.group = group.descriptor }
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
        guard pid > 0 else { throw .system("cannot create a process for \(settings.program)") }
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
            default: "cannot create a process for \(settings.program)"
            }
        return .system(step, child.failed_errno)
    }
}

/// Both ends of the connections to a child.
private struct ChildEnds {
    /// The lowest number of the child's ends in this process, above the numbers that they get in
    /// the child.
    private static let numberMin: Int32 = 4

    private var socket: Int32?
    private(set) var log: Int32
    /// The child's ends, by their numbers in the child.
    private var childDescriptors: [Int32]

    /// Creates the connections.
    ///
    /// - Parameter log: A descriptor that is both ends of the log; nil to create a pipe.
    init(_ wiring: ChildSettings.Wiring, log named: Int32? = nil) throws(SocketError) {
        var pipe: [Int32] = [named ?? -1, named.map { fcntl($0, F_DUPFD_CLOEXEC, 0) } ?? -1]
        guard named != nil || pipe2(&pipe, O_CLOEXEC) == 0 else {
            throw .system("cannot create a pipe")
        }
        log = pipe[0]
        _ = fcntl(log, F_SETFL, O_NONBLOCK)
        let output = Self.raised(pipe[1])
        var end: Int32 = -1
        if wiring != .none {
            var ends: [Int32] = [-1, -1]
            guard linux_stream_pair(&ends) == 0 else {
                let error = SocketError.system("cannot create a socket")
                close(log)
                close(output)
                throw error
            }
            socket = ends[0]
            // Programs expect blocking reads.
            _ = fcntl(ends[1], F_SETFL, 0)
            end = Self.raised(ends[1])
        }
        let null = wiring == .standard ? -1 : Self.raised(open("/dev/null", O_RDONLY | O_CLOEXEC))
        switch wiring {
        case .standard: childDescriptors = [end, end, output]
        case .third: childDescriptors = [null, output, output, end]
        case .none: childDescriptors = [null, output, output]
        }
    }

    /// Returns the descriptor, or a duplicate with a number that conflicts with none in the child.
    private static func raised(_ descriptor: Int32) -> Int32 {
        guard descriptor >= 0, descriptor < numberMin else { return descriptor }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, numberMin)
        close(descriptor)
        return copy
    }

    func fill(_ child: inout linux_child) {
        child.descriptor_count = Int32(childDescriptors.count)
        withUnsafeMutableBytes(of: &child.descriptors) { numbers in
            let numbers = numbers.assumingMemoryBound(to: Int32.self)
            for index in childDescriptors.indices { numbers[index] = childDescriptors[index] }
        }
    }

    /// Passes the ownership of the log's end to the caller.
    mutating func releaseLog() {
        log = -1
    }

    mutating func takeSocket() -> Int32? {
        defer { socket = nil }
        return socket
    }

    /// Closes the child's ends, and those of this process that were not taken.
    mutating func closeRemaining() {
        for descriptor in Set(childDescriptors) where descriptor >= 0 { close(descriptor) }
        if log >= 0 { close(log) }
        if let socket { close(socket) }
    }
}

/// Conversion of strings for system calls.
private enum CStrings {
    static func with<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
        pointers.append(nil)
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else {
                preconditionFailure("a non-empty array has a base address")
            }
            return body(start)
        }
    }
}
