internal import CLinux
internal import Glibc
internal import Synchronization

/// A program that we started, and everything that it starts: a process group of its own.
package final class ChildProgram {
    /// How it ended.
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

    package enum Signal: Int32, Sendable {
        case terminate = 15
        case kill = 9
        case stop = 19
        case goOn = 18
    }

    /// What its processes have used and have.
    package struct Usage: Sendable {
        package var processorMS = 0
        package var residentBytes = 0
        /// One of them runs, or would if there were a processor for it.
        package var isRunnable = false
    }

    package let pid: Int32
    /// Those that an interrupt takes with us; 0 where there is none. More than these live on.
    private static let running = InlineArray<16, Atomic<Int32>> { _ in Atomic(0) }
    /// Readable as soon as it has exited.
    package let exitDescriptor: Int32
    package private(set) var exit: Exit?

    /// - Parameters:
    ///   - descriptors: which of ours it gets, and as which. The others it does not get.
    /// - Throws: if there is no such program, or it may not run.
    package init(
        _ arguments: [String], environment: [String: String], folder: String?,
        descriptors: [(ours: Int32, theirs: Int32)]
    ) throws(SocketError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
        // The low numbers first: one of ours may be number 3 itself.
        for (ours, theirs) in descriptors.sorted(by: { $0.theirs < $1.theirs }) {
            posix_spawn_file_actions_adddup2(&actions, ours, theirs)
        }
        if !descriptors.contains(where: { $0.theirs == STDIN_FILENO }) {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        var pid: pid_t = 0
        // An interrupt that came between the two would not know of it.
        let failure = HostProcess.holdingTermination {
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

    private static func spawn(
        _ pid: inout pid_t, _ arguments: [String], _ environment: [String: String],
        _ actions: inout posix_spawn_file_actions_t
    ) -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // We ignore SIGPIPE; it shall not.
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        // Nor are those held back from it that we hold back now.
        var held = sigset_t()
        sigemptyset(&held)
        posix_spawnattr_setsigmask(&attributes, &held)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let words = arguments.map { strdup($0) } + [nil]
        let pairs = environment.sorted { $0.key < $1.key }
        let variables = pairs.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        return posix_spawnp(&pid, arguments.first ?? "", &actions, &attributes, words, variables)
    }

    /// In the first place that has it.
    private static func replace(_ old: Int32, by new: Int32) {
        for index in running.indices
        where running[index].compareExchange(
            expected: old, desired: new, ordering: .relaxed
        ).exchanged {
            return
        }
    }

    /// Ctrl-C reaches our own group only: from now on it ends the programs, too.
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

    /// How it ended; nil while it runs.
    @discardableResult
    package func reap() -> Exit? {
        var status: Int32 = 0
        guard exit == nil, waitpid(pid, &status, WNOHANG) == pid else { return exit }
        let signal = status & 0x7F
        exit = signal == 0 ? .status((status >> 8) & 0xFF) : .signal(signal)
        return exit
    }

    package func signalGroup(_ signal: Signal) {
        kill(-pid, signal.rawValue)
    }

    /// Of the whole group, as far as it runs.
    package var usage: Usage {
        var sum = Usage()
        let ticks = max(1, sysconf(Int32(_SC_CLK_TCK)))
        let page = max(1, sysconf(Int32(_SC_PAGESIZE)))
        for name in HostFile.names(inFolder: "/proc") where name.allSatisfy(\.isNumber) {
            guard let bytes = try? HostFile.read("/proc/\(name)/stat", bytesMax: 4_096) else {
                continue
            }
            // The name of the program stands in brackets, and may hold anything.
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
