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
    /// The time in seconds in which a service that systemd stops has to end by itself.
    private static let stopSeconds = 2

    private let runner: String
    private let systemctl: Systemctl
    /// The environment of both programs.
    private let environment: [String]
    /// The names of variables that a service may have from its manager, and that are not for
    /// plugins.
    private let inherited: [String]
    /// The folder of the log pipes.
    private let folder: String
    /// The services that an earlier process has started, by the names of the children.
    private var running: [String: Service] = [:]
    private var starts = 0

    /// Returns nil if this process is not the main process of a service of a user's systemd, or the
    /// programs are missing.
    ///
    /// - Parameter folder: The folder for the log pipes, which has to exist.
    package convenience init?(environment: [String: String], folder: String) {
        guard environment["SYSTEMD_EXEC_PID"].flatMap({ Int32($0) }) == getpid(),
            let runtime = environment["XDG_RUNTIME_DIR"],
            (try? HostFile.exists("\(runtime)/systemd/private")) == true,
            let runner = HostFile.program("systemd-run", in: environment["PATH"]),
            let control = HostFile.program("systemctl", in: environment["PATH"])
        else { return nil }
        self.init(
            runner: runner, control: control, environment: ["XDG_RUNTIME_DIR=\(runtime)"],
            inherited: environment.keys.sorted(), folder: folder)
    }

    /// Creates services with other programs in the place of systemd's.
    init(
        runner: String, control: String, environment: [String], inherited: [String],
        folder: String
    ) {
        self.runner = runner
        systemctl = Systemctl(program: control, environment: environment)
        self.environment = environment
        self.inherited = inherited
        self.folder = folder
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
        let names = child.environment.map { String($0.prefix { $0 != "=" }) }
        arguments += names.map { "--setenv=\($0)" }
        let foreign = inherited.filter { !names.contains($0) }
        if !foreign.isEmpty {
            arguments.append("--property=UnsetEnvironment=\(foreign.joined(separator: " "))")
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
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
            close(descriptor)
            throw SocketError(.unusable, "\(path) is in the way: the log of a plugin is a pipe")
        }
        return descriptor
    }

    // MARK: - Signals

    /// Sends a signal to the processes of a service, without waiting for the delivery.
    ///
    /// - Parameter isWhole: false for the main process only.
    func send(_ signal: Int32, to unit: String, isWhole: Bool) {
        systemctl.request([
            "kill", "--signal=\(signal)", "--kill-whom=\(isWhole ? "all" : "main")", unit,
        ])
    }

    /// Stops a service, without waiting for its end.
    func stop(_ unit: String) {
        systemctl.request(["stop", "--no-block", unit])
    }

    /// Waits until all signals are delivered: programs that deliver them would end with this process.
    package func finishSignals() {
        systemctl.finish()
    }

    /// Reaps the programs that have delivered their signals.
    func reapMessengers() {
        systemctl.reap()
    }

    // MARK: - Services of an earlier process

    /// Finds the services that an earlier process has left.
    package func findRunning() {
        running = Self.services(
            in: systemctl.reply(to: ["show", "--property=Id,MainPID", "\(Self.prefix)*.service"]))
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
        _ = systemctl.reply(to: ["stop", service.unit])
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
}
