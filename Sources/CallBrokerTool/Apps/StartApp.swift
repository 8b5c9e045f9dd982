internal import ArgumentParser
internal import BrokerSocket
internal import CallBroker

/// `callbroker start-app`: starts an app by the name that it has registered. The broker runs it, so
/// that it never waits for files or for the session bus; the exit code is that of `AppStartFault`.
struct StartApp: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start-app",
        abstract: "Start an app; for the broker.", shouldDisplay: false)

    /// The longest time that the session bus has, in seconds.
    private static let busSeconds = 25

    @Option(help: "A name for which the session bus starts a service.") var dbus: String?
    @Option(help: "The id of a desktop file.") var desktop: String?

    func run() throws {
        do throws(AppStartFault) {
            if let dbus {
                try Self.startService(dbus)
            } else if let desktop {
                try Self.start(desktop)
            }
        } catch {
            StandardError.write("callbroker: \(error.words)\n")
            throw ExitCode(error.rawValue)
        }
    }

    // MARK: - The session bus

    private static func startService(_ name: String) throws(AppStartFault) {
        try call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus",
            "org.freedesktop.DBus.StartServiceByName", "'\(name)'", "uint32 0")
    }

    private static func activate(_ app: String) throws(AppStartFault) {
        let path = app.map { $0 == "." ? "/" : $0 == "-" ? "_" : $0 }
        try call(
            app, "/" + String(path), "org.freedesktop.Application.Activate", "@a{sv} {}")
    }

    private static func call(
        _ name: String, _ path: String, _ method: String, _ arguments: String...
    ) throws(AppStartFault) {
        guard let tool = program("gdbus") else { throw .noBusTool }
        let words = [
            tool, "call", "--session", "--timeout", "\(busSeconds)", "--dest", name,
            "--object-path", path, "--method", method,
        ]
        let run = HostCommand(words + arguments, secondsMax: busSeconds + 1)
        guard run?.isSuccess ?? false else { throw .refusedByBus }
    }

    // MARK: - Desktop files

    private static func start(_ id: String) throws(AppStartFault) {
        guard let entry = DesktopEntry.find(id, Environment.current) else { throw .noDesktopFile }
        guard entry.isProgram, entry.required.map({ program($0) != nil }) ?? true else {
            throw .unusableDesktopFile
        }
        if entry.isBusActivatable { return try activate(String(id.dropLast(".desktop".count))) }
        guard var arguments = entry.arguments, let path = program(arguments[0]) else {
            throw .unusableDesktopFile
        }
        arguments[0] = path
        let command = service(arguments, id, in: entry.folder)
        guard command.isEmpty else {
            guard HostCommand(command)?.isSuccess ?? false else { throw .notStarted }
            return
        }
        do throws(SocketError) {
            try ChildProgram.startDetached(
                arguments, environment: Environment.current, folder: entry.folder)
        } catch {
            throw .notStarted
        }
    }

    /// Returns the command that starts a program as a service of the user's systemd; empty without
    /// one.
    private static func service(
        _ arguments: [String], _ id: String, in folder: String?
    ) -> [String] {
        let runtime = Environment.current["XDG_RUNTIME_DIR"] ?? ""
        guard (try? HostFile.exists("\(runtime)/systemd/private")) == true,
            let runner = program("systemd-run")
        else { return [] }
        let name = id.dropLast(".desktop".count).map { character in
            switch character {
            case "-": #"\x2d"#
            case "+": #"\x2b"#
            case "@": #"\x40"#
            default: String(character)
            }
        }
        let options = [
            "--user", "--quiet", "--collect", "--service-type=exec", "--slice=app.slice",
            "--unit=app-callbroker-\(name.joined())@\(HostProcess.processID).service",
            "--setenv=BROKER_SOCKET",
        ]
        let place = folder.map { ["--working-directory=\($0)"] } ?? []
        // systemd replaces variables in arguments.
        let escaped = arguments.map {
            $0.split(separator: "$", omittingEmptySubsequences: false).joined(separator: "$$")
        }
        return [runner] + options + place + ["--"] + escaped
    }

    /// Returns the path of a program; nil if there is none.
    private static func program(_ name: String) -> String? {
        guard !name.contains("/") else {
            return name.hasPrefix("/") && HostFile.isProgram(name) ? name : nil
        }
        return HostFile.program(name, in: Environment.current["PATH"])
    }
}
