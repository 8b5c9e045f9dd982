internal import CLinux
internal import Glibc
internal import Synchronization

/// A program started by the tool, with its descendants in a process group of their own.
package final class ChildProgram {
    /// The outcome of a program.
    package enum Exit: Equatable, Sendable, CustomStringConvertible {
        case status(Int32)
        case signal(Int32)

        package var description: String {
            switch self {
            case .status(let status): "exit status \(status)"
            case .signal(let number): "signal \(number)"
            }
        }
    }

    /// Signals for the process group.
    package enum Signal: Int32, Sendable {
        case terminate = 15
        case kill = 9
        case stop = 19
        case goOn = 18
    }

    /// Resource usage of the process group.
    package struct Usage: Sendable {
        /// CPU time in milliseconds.
        package var processorMS = 0
        /// Resident memory in bytes.
        package var residentBytes = 0
        /// Indicates that a process runs or is ready to run.
        package var isRunnable = false
    }

    /// The process id, which is also that of the group.
    package let pid: Int32
    /// The running programs, which end with this process on an interrupt; 0 marks a free place.
    /// Programs beyond these survive.
    private static let running = InlineArray<16, Atomic<Int32>> { _ in Atomic(0) }
    /// A descriptor that becomes readable when the program exits.
    package let exitDescriptor: Int32
    /// The outcome; nil until `reap` has found one.
    package private(set) var exit: Exit?

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - arguments: The path of the program and its arguments.
    ///   - environment: The variables of the program, and no others.
    ///   - folder: Its working directory; that of this process if nil.
    ///   - descriptors: The descriptors that the program inherits, with their numbers there. It
    ///     inherits no others.
    /// - Throws: if there is no such program, or it may not be run.
    package init(
        _ arguments: [String], environment: [String: String], folder: String?,
        descriptors: [(ours: Int32, theirs: Int32)]
    ) throws(SocketError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
        // In ascending order: a descriptor of this process may itself have the number 3.
        for (ours, theirs) in descriptors.sorted(by: { $0.theirs < $1.theirs }) {
            posix_spawn_file_actions_adddup2(&actions, ours, theirs)
        }
        if !descriptors.contains(where: { $0.theirs == STDIN_FILENO }) {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        var pid: pid_t = 0
        // An interrupt between the two calls would miss the program.
        let failure = HostProcess.blockingTerminationSignals {
            let failure = Self.spawn(&pid, arguments, environment, &actions)
            if failure == 0 { Self.replace(0, by: pid) }
            return failure
        }
        guard failure == 0 else {
            throw .system("cannot start \(arguments.first ?? "nothing")", failure)
        }
        self.pid = pid
        exitDescriptor = linux_pidfd_open(pid)
    }

    /// `POSIX_SPAWN_SETSID`, which glibc declares for GNU programs only.
    private static let ownSessionFlag: Int32 = 0x80

    private static func spawn(
        _ pid: inout pid_t, _ arguments: [String], _ environment: [String: String],
        _ actions: inout posix_spawn_file_actions_t, ownSession: Bool = false
    ) -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This process ignores SIGPIPE; the program shall not.
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        // The program shall not inherit the signals blocked here either.
        var held = sigset_t()
        sigemptyset(&held)
        posix_spawnattr_setsigmask(&attributes, &held)
        posix_spawnattr_setpgroup(&attributes, 0)
        let home = ownSession ? Self.ownSessionFlag : POSIX_SPAWN_SETPGROUP
        let flags = home | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let words = arguments.map { strdup($0) } + [nil]
        let pairs = environment.sorted { $0.key < $1.key }
        let variables = pairs.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        return posix_spawnp(&pid, arguments.first ?? "", &actions, &attributes, words, variables)
    }

    /// Starts a program that outlives this process: in a session of its own, and without its
    /// descriptors.
    package static func startDetached(
        _ arguments: [String], environment: [String: String], folder: String?
    ) throws(SocketError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
        for number in STDIN_FILENO...STDERR_FILENO {
            posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        }
        var pid: pid_t = 0
        let failure = spawn(
            &pid, arguments, environment, &actions, ownSession: true)
        guard failure == 0 else { throw .system("cannot start a program", failure) }
    }

    /// Replaces the first occurrence.
    private static func replace(_ old: Int32, by new: Int32) {
        for index in running.indices
        where running[index].compareExchange(
            expected: old, desired: new, ordering: .relaxed
        ).exchanged {
            return
        }
    }

    /// Makes signals that end this process kill the programs as well. Ctrl-C reaches the process
    /// group of this process only.
    package static func endWithUs() {
        for number in HostProcess.terminationSignals {
            signal(number) { number in
                for index in ChildProgram.running.indices {
                    let pid = ChildProgram.running[index].load(ordering: .relaxed)
                    if pid > 0 { kill(-pid, SIGKILL) }
                }
                _exit(128 + number)
            }
        }
    }

    deinit {
        Self.replace(pid, by: 0)
        signalGroup(.kill)
        if exit == nil { waitpid(pid, nil, 0) }
        if exitDescriptor >= 0 { Glibc.close(exitDescriptor) }
    }

    /// Returns the outcome; nil while the program runs.
    @discardableResult
    package func reap() -> Exit? {
        var status: Int32 = 0
        guard exit == nil, waitpid(pid, &status, WNOHANG) == pid else { return exit }
        let signal = status & 0x7F
        exit = signal == 0 ? .status((status >> 8) & 0xFF) : .signal(signal)
        return exit
    }

    /// Sends a signal to the process group.
    package func signalGroup(_ signal: Signal) {
        kill(-pid, signal.rawValue)
    }

    /// The resource usage of the running processes of the group.
    package var usage: Usage {
        var sum = Usage()
        let ticks = max(1, sysconf(Int32(_SC_CLK_TCK)))
        let page = max(1, sysconf(Int32(_SC_PAGESIZE)))
        for name in HostFile.names(inFolder: "/proc") where name.allSatisfy(\.isNumber) {
            guard let bytes = try? HostFile.read("/proc/\(name)/stat", bytesMax: 4_096) else {
                continue
            }
            // The name of the program is in parentheses, and may contain anything.
            let text = String(decoding: bytes, as: UTF8.self)
            let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
            guard fields.count > 21, fields[2] == "\(pid)" else { continue }
            let time = (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
            sum.processorMS += time * 1_000 / ticks
            if fields[0] == "R" { sum.isRunnable = true }
            sum.residentBytes += (Int(fields[21]) ?? 0) * page
        }
        return sum
    }
}
