/// The options of `callbroker serve`, and its environment.
package struct ServeOptions: Sendable {
    package var socket: String?
    package var stateFolder: String?
    /// True to keep a journal, so that calls survive a restart.
    package var keepsJournal = true
    package var configurationFile: String?
    package var pluginFolders: [String] = []
    package var isTestMode = false
    /// True to write every decision to standard error.
    package var explains = false
    /// True to write the paths of the sockets to standard error.
    package var announces = true
    package var environment: [String: String]

    /// Processor time in milliseconds that a turn of the loop may take; nil if it is not measured.
    ///
    /// For tests, which set `BROKER_TURN_LIMIT_MS` and search the log for violations.
    var turnLimitMS: Int? {
        environment["BROKER_TURN_LIMIT_MS"].flatMap { Int($0) }
    }

    package init(environment: [String: String]) {
        self.environment = environment
    }
}
