/// How the daemon is to run: the options of `callbroker serve`, and its environment.
package struct ServeOptions: Sendable {
    package var socket: String?
    package var stateFolder: String?
    /// Whether calls survive a restart.
    package var keepsJournal = true
    package var configurationFile: String?
    package var pluginFolders: [String] = []
    package var isTestMode = false
    /// Whether every decision is told on standard error.
    package var explains = false
    /// Whether standard error is told where it listens.
    package var announces = true
    package var environment: [String: String]

    /// Processor time in milliseconds that a turn of the loop may take; nil: it is not measured.
    ///
    /// For tests, which set `BROKER_TURN_LIMIT_MS` and look for what is logged.
    var turnLimitMS: Int? {
        environment["BROKER_TURN_LIMIT_MS"].flatMap { Int($0) }
    }

    package init(environment: [String: String]) {
        self.environment = environment
    }
}
