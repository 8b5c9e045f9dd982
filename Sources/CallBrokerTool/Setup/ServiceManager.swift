/// The systemd of the user, with the units that were installed with the program.
enum ServiceManager {
    static let socketUnit = "callbroker.socket"
    static let serviceUnit = "callbroker.service"

    /// True if the manager answers and has the unit of the broker's socket.
    static var hasUnits: Bool {
        let list = run("list-unit-files", "--no-legend", socketUnit)
        return list?.isSuccess == true && list?.output.contains(socketUnit) == true
    }

    /// True if the broker is not started at login, but could be.
    static var isServiceDisabled: Bool {
        run("is-enabled", serviceUnit)?.firstLine == "disabled"
    }

    /// Starts the socket, now and at each login.
    ///
    /// - Returns: Why that failed; nil if it has not.
    static func startSocket() -> String? {
        guard let command = run("enable", "--now", socketUnit) else { return "systemctl" }
        return command.isSuccess ? nil : command.firstLine
    }

    private static func run(_ words: String...) -> HostCommand? {
        HostCommand(["systemctl", "--user"] + words)
    }
}
