internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// The broker of a first run, which is started if the service manager can do that.
struct SetupBroker {
    let client: ClientOptions
    let questions: Questions

    /// Returns the release of the broker.
    ///
    /// - Throws: the failure of a connection, with how to start a broker.
    func release(_ report: inout SetupReport) throws(ToolFailure) -> String {
        do throws(ToolFailure) {
            return try currentRelease(&report)
        } catch {
            guard error.code == .noConnection, try start(&report) else { throw error }
            report.hasStarted = true
            report.say([Messages.setupBrokerStarted])
            return try currentRelease(&report)
        }
    }

    private func currentRelease(_ report: inout SetupReport) throws(ToolFailure) -> String {
        let reply = try client.open([.observer, .admin]).request(.info)
        let release = reply.result["version"]?.string?.printable ?? "?"
        report.say([Messages.setupBrokerRunning(release: release)])
        return release
    }

    /// Starts the broker, if the user wants it.
    private func start(_ report: inout SetupReport) throws(ToolFailure) -> Bool {
        // A socket that was chosen is no unit's.
        guard !client.connection.isSocketChosen, questions.manner != .declining,
            ServiceManager.hasUnits, questions.confirm(Messages.setupBrokerStart)
        else { return false }
        guard let reason = ServiceManager.startSocket() else { return true }
        throw ToolFailure(.noConnection, Messages.setupBrokerNotStarted(reason: reason.printable))
    }
}
