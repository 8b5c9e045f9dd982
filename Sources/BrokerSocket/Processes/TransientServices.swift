internal import CLinux
internal import Glibc

/// The services of the user's systemd in which children run if this process is such a service
/// itself: outside its sandbox, which a child that it forks could not leave (seccomp(2)), and with a
/// life of their own.
///
/// `systemd-run` starts a service, passes the descriptors on, runs as long as the service, and exits
/// with its status. So the child of this process is `systemd-run`, and signals for the program go
/// through `systemctl`. Each start has a unit of its own: that of an earlier one is not free while a
/// process is left in it.
package final class TransientServices {
    /// The time for the service manager to answer at the start.
    private static let answerMS: Int32 = 2_000
    /// The time in seconds in which a service that systemd stops has to end by itself.
    private static let stopSeconds = 2

    private let runner: String
    private let control: String
    /// The environment of both programs.
    private let environment: [String]
    /// The folder of the log pipes.
    private let folder: String
    /// The services that an earlier process has started, by the names of the children.
    private var running: [String: Service] = [:]
    private var starts = 0
    /// Programs that deliver signals, until they are reaped.
    private var messengers: [Int32] = []

    /// Returns nil if this process is not the main process of a service of a user's systemd, or the
    /// programs are missing.
    ///
    /// - Parameter folder: The folder for the log pipes, which has to exist.
    package init?(environment: [String: String], folder: String) {
        guard environment["SYSTEMD_EXEC_PID"].flatMap({ Int32($0) }) == getpid(),
            let runtime = environment["XDG_RUNTIME_DIR"],
            (try? HostFile.exists("\(runtime)/systemd/private")) == true,
            let runner = Self.program("systemd-run", environment),
            let control = Self.program("systemctl", environment)
        else { return nil }
        self.runner = runner
        self.control = control
        self.environment = ["XDG_RUNTIME_DIR=\(runtime)"]
        self.folder = folder
    }

    /// Creates services whose programs a test provides.
    init(runner: String, control: String, environment: [String], folder: String) {
        self.runner = runner
        self.control = control
        self.environment = environment
        self.folder = folder
    }

    private static func program(_ name: String, _ environment: [String: String]) -> String? {
        let path = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/\(name)" }.first(where: HostFile.isProgram)
    }

    deinit {
        finishSignals()
    }

    /// A service of a child.
    struct Service: Equatable {
        let unit: String
        let mainProcess: Int32
    }

    private static let prefix = "callbroker-plugin-"

    /// Returns the unit of the next start of a child.
    func nextUnit(of name: String) -> String {
        starts += 1
        return "\(Self.prefix)\(name)-\(getpid())-\(starts).service"
    }

    /// Returns the child of a unit; nil if it is none of a child.
    static func name(of unit: Substring) -> String? {
        let parts = unit.split(separator: "-", omittingEmptySubsequences: false)
        guard unit.hasPrefix(prefix), parts.count > 4 else { return nil }
        return parts.dropFirst(2).dropLast(2).joined(separator: "-")
    }

    // MARK: - Starting

    /// Returns the settings of the `systemd-run` that starts a child as a service.
    func settings(for child: ChildSettings, in unit: String) -> ChildSettings {
        var arguments = [
            "systemd-run", "--user", "--quiet", "--wait", "--collect", "--service-type=exec",
            "--unit=\(unit)", "--description=CallBroker plugin \(child.name)",
            "--working-directory=\(child.folder)",
            "--property=KillMode=\(child.endsChildren ? "control-group" : "process")",
            "--property=TimeoutStopSec=\(Self.stopSeconds)",
        ]
        if child.wiring != .none { arguments.append("--pipe") }
        if let bytes = child.memoryBytes { arguments.append("--property=LimitAS=\(bytes)") }
        if let count = child.descriptors { arguments.append("--property=LimitNOFILE=\(count)") }
        // Values stay out of the arguments, which every user of the host can read.
        for variable in child.environment {
            arguments.append("--setenv=\(variable.prefix { $0 != "=" })")
        }
        arguments.append("--")
        arguments += command(of: child).map(Self.escaped)
        var settings = child
        settings.program = runner
        settings.arguments = arguments
        settings.environment =
            child.environment + environment.filter { !child.environment.contains($0) }
        (settings.memoryBytes, settings.descriptors) = (nil, nil)
        if settings.wiring == .third { settings.wiring = .standard }
        return settings
    }

    /// Returns the command of a service, whose descriptors a shell moves to where the program
    /// expects them.
    private func command(of child: ChildSettings) -> [String] {
        let program = [child.program] + child.arguments.dropFirst()
        switch child.wiring {
        case .standard: return program
        case .third:
            return ["/bin/sh", "-c", #"exec "$@" 3<&0 </dev/null >&2"#, child.name] + program
        case .none:
            // Open for reading, too: a log that nobody reads for a moment must not end the program.
            let redirection = #"log=$1; shift; exec "$@" </dev/null 1<>"$log" 2>&1"#
            return ["/bin/sh", "-c", redirection, child.name, logPath(child.name)] + program
        }
    }

    /// Returns an argument in the form that systemd, which expands variables in it, restores.
    private static func escaped(_ argument: String) -> String {
        argument.split(separator: "$", omittingEmptySubsequences: false).joined(separator: "$$")
    }

    // MARK: - Logs

    private func logPath(_ name: String) -> String {
        "\(folder)/plugin-\(name).log"
    }

    /// Opens the log pipe of a program that connects by itself, and so outlives this process.
    func openLog(_ name: String) throws(SocketError) -> Int32 {
        let path = logPath(name)
        guard mkfifo(path, 0o600) == 0 || errno == EEXIST else {
            throw .system("cannot create the pipe \(path)")
        }
        // Open for writing, too, so that it does not end with one program.
        let descriptor = open(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("cannot open the pipe \(path)") }
        return descriptor
    }

    // MARK: - Signals

    /// Sends a signal to the processes of a service, without waiting for the delivery.
    ///
    /// - Parameter isWhole: false for the main process only.
    func send(_ signal: Int32, to unit: String, isWhole: Bool) {
        perform(["kill", "--signal=\(signal)", "--kill-whom=\(isWhole ? "all" : "main")", unit])
    }

    /// Stops a service, without waiting for its end.
    func stop(_ unit: String) {
        perform(["stop", "--no-block", unit])
    }

    /// Waits until all signals are delivered: programs that deliver them would end with this process.
    package func finishSignals() {
        for pid in messengers { while waitpid(pid, nil, 0) < 0, errno == EINTR {} }
        messengers = []
    }

    /// Reaps the programs that have delivered their signals.
    func reapMessengers() {
        messengers.removeAll { waitpid($0, nil, WNOHANG) != 0 }
    }

    private func perform(_ arguments: [String]) {
        reapMessengers()
        guard let pid = start(arguments, output: nil) else { return }
        messengers.append(pid)
    }

    /// Starts `systemctl`.
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
        let words = ([control, "--user"] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0) } + [nil]
        defer { for text in words + variables { free(text) } }
        var pid: pid_t = 0
        guard posix_spawn(&pid, control, &actions, nil, words, variables) == 0 else { return nil }
        return pid
    }

    // MARK: - Services of an earlier process

    /// Finds the services that an earlier process has left.
    package func findRunning() {
        running = Self.services(
            in: output(of: ["show", "--property=Id,MainPID", "\(Self.prefix)*.service"]))
    }

    /// Stops the services found that were not taken over.
    package func stopRemaining() {
        for service in running.values { stop(service.unit) }
        running = [:]
    }

    /// Returns the service that an earlier process has left, once; nil if the connection of the
    /// program ended with that process: then the service is stopped.
    func takeRunning(_ child: ChildSettings) -> Service? {
        guard let service = running.removeValue(forKey: child.name) else { return nil }
        if child.wiring == .none { return service }
        _ = output(of: ["stop", service.unit])
        return nil
    }

    /// Parses the output of `systemctl show`: blocks of properties, separated by empty lines.
    static func services(in text: String) -> [String: Service] {
        var services: [String: Service] = [:]
        for block in text.split(separator: "\n\n") {
            var properties: [Substring: Substring] = [:]
            for line in block.split(separator: "\n") {
                let parts = line.split(separator: "=", maxSplits: 1)
                if parts.count == 2 { properties[parts[0]] = parts[1] }
            }
            guard let unit = properties["Id"], let name = name(of: unit),
                let pid = properties["MainPID"].flatMap({ Int32($0) }), pid > 0
            else { continue }
            services[name] = Service(unit: String(unit), mainProcess: pid)
        }
        return services
    }

    /// Returns the output of `systemctl`; what there is of it if it takes too long.
    private func output(of arguments: [String]) -> String {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { return "" }
        defer { close(ends[0]) }
        let pid = start(arguments, output: ends[1])
        close(ends[1])
        guard let pid else { return "" }
        let bytes = Self.read(ends[0], until: .now().advanced(milliseconds: Int(Self.answerMS)))
        messengers.append(pid)
        return String(decoding: bytes, as: UTF8.self)
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
