internal import BrokerSocket

/// Reasons why an app cannot be started, with the exit codes of the program that starts it.
package enum AppStartFault: Int32, Error {
    case refusedByBus = 1
    case noDesktopFile = 10
    case unusableDesktopFile = 11
    case noBusTool = 12
    case notStarted = 13
    /// The app was started, as far as is known. No exit code of the program.
    case notRegistered = 14

    /// Creates the reason why the program has exited; nil if it has started the app.
    init?(_ exit: ChildProcess.Exit) {
        guard exit != .code(0) else { return nil }
        if case .code(let code) = exit, let fault = AppStartFault(rawValue: code) {
            self = fault
        } else {
            self = .notStarted
        }
    }

    /// The reason in words, with advice.
    package var words: String {
        switch self {
        case .refusedByBus: "the session bus has no service for its name, or it did not start"
        case .noDesktopFile:
            "there is no desktop file with its id in $XDG_DATA_HOME or $XDG_DATA_DIRS"
        case .unusableDesktopFile:
            "its desktop file names no program, is hidden, or needs a terminal"
        case .noBusTool: "gdbus is missing: install the package libglib2.0-bin"
        case .notStarted: "its program could not be started"
        case .notRegistered: "it has not registered in time"
        }
    }
}
