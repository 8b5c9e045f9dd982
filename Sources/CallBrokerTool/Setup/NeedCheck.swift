internal import BrokerSocket
internal import CallPlugins
internal import CallProtocol

/// Looks for what plugins drive and run with on this host.
struct NeedCheck {
    /// Folders of programs that are not in the path of every user.
    private static let systemFolders = ["/usr/local/sbin", "/usr/sbin", "/sbin"]

    private let environment: [String: String]

    init(_ environment: [String: String] = Environment.current) {
        self.environment = environment
    }

    /// A need that is not met.
    struct Problem {
        let message: String
        /// The Debian package that brings it; nil if that would not help.
        let package: String?
    }

    /// Returns what is missing; nil if it is there.
    func problem(_ need: PluginManifest.Need) -> Problem? {
        switch need.thing {
        case .program(let name):
            guard !hasProgram(name) else { return nil }
            return Problem(
                message: Messages.setupMissingProgram(name: name), package: need.package)
        case .module(let name):
            guard !hasModule(name) else { return nil }
            return Problem(message: Messages.setupMissingModule(name: name), package: need.package)
        case .service(let name, let bus):
            guard let isProvided = isProvided(name, bus) else {
                return Problem(message: Self.noBus(bus, name), package: nil)
            }
            guard !isProvided else { return nil }
            return Problem(message: Self.noService(bus, name), package: need.package)
        case .oneOf(let alternatives):
            let problems = alternatives.compactMap(problem)
            guard problems.count == alternatives.count else { return nil }
            return Problem(
                message: problems.map(\.message).joined(separator: Messages.setupMissingOr),
                package: problems.lazy.compactMap(\.package).first)
        }
    }

    /// Returns the values that the options of a plugin have with what it would drive here.
    func options(_ needs: [PluginManifest.Need]) -> [String: String] {
        needs.reduce(into: [:]) { options, need in
            guard case .oneOf(let alternatives) = need.thing,
                let present = alternatives.first(where: { problem($0) == nil })
            else { return }
            options.merge(present.options) { $1 }
        }
    }

    private func hasProgram(_ name: String) -> Bool {
        let path = environment["PATH"]?.split(separator: ":").map(String.init) ?? []
        return (path + Self.systemFolders).contains { HostFile.isProgram("\($0)/\(name)") }
    }

    /// Returns whether the Python of the distribution, which runs the plugins, has a library.
    private func hasModule(_ name: String) -> Bool {
        let script =
            "import importlib.util, sys; sys.exit(not importlib.util.find_spec(sys.argv[1]))"
        return HostCommand(["/usr/bin/python3", "-c", script, name])?.isSuccess ?? false
    }

    // MARK: - D-Bus

    private static func noBus(_ bus: PluginManifest.Need.Bus, _ name: String) -> String {
        switch bus {
        case .session: Messages.setupMissingSessionBus(name: name)
        case .system: Messages.setupMissingSystemBus(name: name)
        }
    }

    private static func noService(_ bus: PluginManifest.Need.Bus, _ name: String) -> String {
        switch bus {
        case .session: Messages.setupMissingSessionService(name: name)
        case .system: Messages.setupMissingSystemService(name: name)
        }
    }

    /// True if there may be a bus: without an address `dbus-send` would start one.
    private func mayHave(_ bus: PluginManifest.Need.Bus) -> Bool {
        guard bus == .session, environment["DBUS_SESSION_BUS_ADDRESS"] == nil else { return true }
        let runtime = environment["XDG_RUNTIME_DIR"] ?? ""
        return !runtime.isEmpty && (try? HostFile.exists("\(runtime)/bus")) == true
    }

    /// Returns whether a name has an owner, or can be activated; nil if the bus does not answer.
    private func isProvided(_ name: String, _ bus: PluginManifest.Need.Bus) -> Bool? {
        let option = "--\(bus.rawValue)"
        guard mayHave(bus), let owned = ask(option, "NameHasOwner", ["string:\(name)"]) else {
            return nil
        }
        if owned.contains("boolean true") { return true }
        return ask(option, "ListActivatableNames", [])?.contains("string \"\(name)\"") ?? false
    }

    private func ask(_ bus: String, _ method: String, _ arguments: [String]) -> String? {
        let name = "org.freedesktop.DBus"
        let words =
            ["dbus-send", bus, "--print-reply", "--reply-timeout=3000", "--dest=\(name)"]
            + ["/org/freedesktop/DBus", "\(name).\(method)"] + arguments
        guard let command = HostCommand(words), command.isSuccess else { return nil }
        return command.output
    }
}
