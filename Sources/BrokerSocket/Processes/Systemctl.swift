internal import CLinux
internal import Glibc

/// Requests to the user's systemd, each by one run of `systemctl`.
final class Systemctl {
    /// The time in milliseconds for a reply.
    private static let replyMS = 2_000

    private let program: String
    private let environment: [String]
    /// The runs that are not reaped.
    private var runs: [Int32] = []

    init(program: String, environment: [String]) {
        self.program = program
        self.environment = environment
    }

    deinit {
        finish()
    }

    /// Sends a request without waiting for its end.
    func request(_ arguments: [String]) {
        reap()
        if let pid = start(arguments, output: nil) { runs.append(pid) }
    }

    /// Waits until all requests have been carried out: they would end with this process.
    func finish() {
        for pid in runs { while waitpid(pid, nil, 0) < 0, errno == EINTR {} }
        runs = []
    }

    /// Reaps the runs that have ended.
    func reap() {
        runs.removeAll { waitpid($0, nil, WNOHANG) != 0 }
    }

    /// Returns the output of a request; what there is of it if it takes too long.
    func reply(to arguments: [String]) -> String {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { return "" }
        defer { close(ends[0]) }
        let pid = start(arguments, output: ends[1])
        close(ends[1])
        guard let pid else { return "" }
        let bytes = Self.read(ends[0], until: .now().advanced(milliseconds: Self.replyMS))
        runs.append(pid)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func start(_ arguments: [String], output: Int32?) -> Int32? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number in [STDIN_FILENO, Int32(1), STDERR_FILENO] {
            if number == 1, let output {
                posix_spawn_file_actions_adddup2(&actions, output, number)
            } else {
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_CREAT | 2, 0)
            }
        }
        let words = ([program, "--user"] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0) } + [nil]
        defer { for text in words + variables { free(text) } }
        var pid: pid_t = 0
        guard posix_spawn(&pid, program, &actions, nil, words, variables) == 0 else { return nil }
        return pid
    }

    private static func read(_ descriptor: Int32, until deadline: MonotonicTime) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let restMS = deadline.milliseconds - MonotonicTime.now().milliseconds
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard restMS > 0, poll(&ready, 1, Int32(restMS)) > 0 else { return bytes }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }
}
