internal import CallSimulation
internal import Glibc
internal import Synchronization

/// A process that is stopped says where it was, to whoever started it.
enum Crash {
    struct Place {
        var seed: UInt64 = 0
        var steps = 0
        var transition = 0
    }

    enum End {
        case ended(Int32)
        case crashed(Place)
    }

    private static let exitCode: Int32 = 99
    /// Where the worker writes its place to.
    private static let placeDescriptor: Int32 = 3

    // MARK: - In the worker

    /// From now on a crash is a line and an exit code. Without `SWIFT_BACKTRACE` set nothing else
    /// is told of it.
    static func catchAll() {
        guard getenv("SWIFT_BACKTRACE") == nil else { return }
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGBUS] {
            signal(number) { _ in
                Crash.write(lastWords.seed.load(ordering: .relaxed))
                Crash.write(UInt64(lastWords.steps.load(ordering: .relaxed)))
                Crash.write(UInt64(lastWords.transition.load(ordering: .relaxed)))
                _exit(Crash.exitCode)
            }
        }
    }

    /// Without allocating: a signal handler must not.
    private static func write(_ number: UInt64) {
        withUnsafeBytes(of: number) { _ = Glibc.write(placeDescriptor, $0.baseAddress, 8) }
    }

    /// A line that is out before the process stops.
    static func say(_ line: String) {
        var text = line + "\n"
        text.withUTF8 { _ = Glibc.write(1, $0.baseAddress, $0.count) }
    }

    static func flush() {
        fflush(nil)
    }

    // MARK: - In the supervisor

    /// Runs this program once more, and waits for it.
    static func spawn(_ arguments: [String], isQuiet: Bool = false) -> End {
        flush()
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return .ended(1) }
        defer { for end in ends { close(end) } }
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_adddup2(&files, ends[1], placeDescriptor)
        if isQuiet { posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0) }
        guard let status = run(["Simulate"] + arguments, &files) else { return .ended(1) }
        guard status & 0x7F == 0 else { return .ended(status) }
        let code = status >> 8 & 0xFF
        return code == exitCode ? .crashed(readPlace(ends[0])) : .ended(code)
    }

    private static func run(
        _ words: [String], _ files: inout posix_spawn_file_actions_t
    ) -> Int32? {
        var arguments = words.map { strdup($0) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        guard posix_spawn(&child, "/proc/self/exe", &files, nil, arguments, environ) == 0 else {
            return nil
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {}
        return status
    }

    private static func readPlace(_ descriptor: Int32) -> Place {
        var numbers: [UInt64] = [0, 0, 0]
        numbers.withUnsafeMutableBytes { _ = read(descriptor, $0.baseAddress, $0.count) }
        return Place(
            seed: numbers[0], steps: Int(numbers[1]), transition: Int(numbers[2]))
    }
}
