internal import BrokerJSON
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallPlugins
internal import CallProtocol
internal import Logging

/// The supervisor of plugins, which owns the table of them and the settings of those that are not
/// installed. Decisions about a plugin are made by its `Supervision`, and carried out here.
final class PluginSupervisor: BrokerPart {
    private(set) var table = PluginTable()
    /// The host's services; nil before `begin`.
    private(set) var host: PluginHost?
    /// The settings of plugins that are not installed.
    private var absent: [String: PluginChoices] = [:]
    /// True if the saved settings can neither be read nor renamed, so that they must not be
    /// overwritten.
    private var isSavingDisabled = false
    /// True if a provider may have calls for the first time, or no more.
    private var haveCallsChanged = false
    /// True if connections have been lost, whose processes may have exited, too.
    private var hasLostConnections = false
    /// The global index of the latest line that any plugin has written.
    private(set) var lastLine = 0
    /// Random numbers for pauses; the same ones in every test.
    private var jitter: BackoffJitter

    init(isTest: Bool) {
        jitter = BackoffJitter(state: isTest ? 1 : UInt64.random(in: 1 ... .max))
    }

    // MARK: - The table

    subscript(identity: String) -> Plugin? {
        table[identity]
    }

    /// All plugins, by name.
    var all: [Plugin] {
        table.all
    }

    func insert(_ plugin: Plugin) {
        table.insert(plugin)
    }

    func remove(_ plugin: Plugin) {
        table.remove(plugin)
    }

    /// Sorts a plugin whose manifest has changed into the lists of filters and screens.
    func sort(_ plugin: Plugin) {
        table.sort(plugin)
    }

    func recordStart(of process: ChildProcess, of plugin: Plugin) {
        table.add(process, of: plugin)
    }

    func recordEnd(of process: ChildProcess) {
        table.remove(process)
    }

    func recordLine(at index: Int) {
        lastLine = index
    }

    func recordLostConnection() {
        hasLostConnections = true
    }

    func markCallsChanged() {
        haveCallsChanged = true
    }

    /// Returns a random number for the next pause.
    func nextJitter() -> UInt32 {
        jitter.next()
    }

    /// True if the next turn has work.
    var hasWork: Bool {
        hasLostConnections
    }

    /// The time for running plugins to exit by themselves when the broker stops.
    private static let stopMS = 1_000

    // MARK: - Beginning and stopping

    /// Begins to read manifests and start plugins: those that start with the broker, and those that
    /// had calls when an earlier broker stopped. If there are very many, some follow in the next
    /// turns.
    ///
    /// - Parameter choices: the saved settings; empty if there are none.
    func begin(_ host: PluginHost, choices: Result<[UInt8], SocketError>) {
        self.host = host
        do {
            let kept = try choices.get()
            if !kept.isEmpty { absent = try PluginChoices.read(kept) }
        } catch {
            quarantineChoices(host, "\(error)")
        }
        broker.manifests.addRequired()
        broker.manifests.rescan()
        broker.manifests.read(effort: ManifestScanner.effortAtStart)
    }

    /// Renames settings that cannot be read, because the next change would overwrite them.
    private func quarantineChoices(_ host: PluginHost, _ fault: String) {
        do throws(SocketError) {
            let aside = try host.quarantine()
            broker.logger.error(
                "cannot read plugin settings; using defaults (saved as \(aside)): \(fault)")
        } catch {
            isSavingDisabled = true
            broker.logger.error(
                "cannot read (\(fault)) or rename (\(error)) plugin settings; changes will be lost")
        }
    }

    /// Stops all plugins, and terminates after a moment those that are still running.
    func stop() {
        for plugin in table.all { apply(.stopRequested, to: plugin) }
        if table.all.contains(where: { $0.process != nil }) {
            _ = broker.timers.start(afterMS: Self.stopMS, .endPlugins)
        }
    }

    func terminate() {
        for plugin in table.all { plugin.process?.terminate() }
    }

    /// Kills all processes that are still running.
    func kill() {
        for plugin in table.all { plugin.process?.kill() }
    }

    var hasProcesses: Bool {
        table.all.contains { $0.process != nil }
    }

    // MARK: - Supervision

    /// Lets the supervision of a plugin decide about an event, and carries out the effects. Events
    /// that come meanwhile wait.
    func apply(_ event: Supervision.Event, to plugin: Plugin) {
        plugin.events.append(event)
        guard !plugin.isBusy else { return }
        plugin.isBusy = true
        while !plugin.events.isEmpty {
            let next = plugin.events.removeFirst()
            for effect in plugin.supervision.apply(next, at: broker.clock.instant) {
                run(effect, of: plugin)
            }
        }
        plugin.isBusy = false
        broker.manifests.removeIfWithdrawn(plugin)
    }

    private func run(_ effect: Supervision.Effect, of plugin: Plugin) {
        switch effect {
        case .spawn: broker.pluginProcesses.spawn(plugin)
        case .ping: ping(plugin)
        case .sayGoodbye: sayGoodbye(to: plugin)
        case .closeWriting: plugin.peer?.connection.endOutput()
        case .terminate: plugin.process?.terminate()
        case .kill: plugin.process?.kill()
        case .startTimer(let timer, let instant): start(timer, of: plugin, at: instant)
        case .stopTimer(let timer):
            if let handle = plugin.timers.removeValue(forKey: timer) {
                broker.timers.cancel(handle)
            }
        case .announce(let former, let state): announce(plugin, from: former, to: state)
        }
    }

    private func start(_ timer: Supervision.Timer, of plugin: Plugin, at instant: Instant) {
        if let handle = plugin.timers[timer] { broker.timers.cancel(handle) }
        let deadline = MonotonicTime(nanoseconds: instant.nanoseconds)
        plugin.timers[timer] = broker.timers.start(at: deadline, .plugin(plugin, timer))
    }

    func fire(_ timer: Supervision.Timer, of plugin: Plugin) {
        plugin.timers[timer] = nil
        if timer == .silence || timer == .ping || timer == .grace {
            let instant = Instant(nanoseconds: plugin.lastActivityAt.nanoseconds)
            apply(.heard(at: instant), to: plugin)
        }
        apply(.timerFired(timer), to: plugin)
    }

    private func ping(_ plugin: Plugin) {
        guard let peer = plugin.peer, peer.stage == .ready else { return }
        broker.heartbeats.ping(peer)
    }

    private func sayGoodbye(to plugin: Plugin) {
        guard let peer = plugin.peer else { return }
        guard plugin.process != nil else {
            return broker.peers.dismiss(peer, reason: .stop, "the plugin was stopped")
        }
        broker.outbox.notify(peer, "broker.goodbye") { writer in
            writer.member("reason", GoodbyeReason.stop.rawValue)
            writer.member("message", "the plugin is being stopped" as StaticString)
            writer.member("resumable", false)
        }
    }

    private func announce(
        _ plugin: Plugin, from former: Supervision.State, to state: Supervision.State
    ) {
        let isWarning = state == .failed || state == .unresponsive
        broker.logger.log(
            level: isWarning ? .warning : .info, "plugin \(plugin.identity): \(state.rawValue)",
            metadata: plugin.failureMetadata(in: state))
        broker.journal.append(.pluginPublished)
        broker.events.publish(.pluginState) { plugin.writeChange(from: former, to: state, to: &$0) }
        broker.demand.settleDemand(for: plugin, in: state)
        if state == .unresponsive, plugin.supervision.hasCalls {
            broker.heartbeats.publishHung(ProviderID(plugin.identity))
        }
    }

    /// Handles lost connections and changes of calls, once per turn, after everything readable has
    /// been read.
    func update() {
        reportLostConnections()
        updateCalls()
    }

    /// Updates the supervision of plugins whose calls have begun or ended.
    private func updateCalls() {
        guard haveCallsChanged else { return }
        haveCallsChanged = false
        for plugin in table.all where plugin.process != nil {
            let hasCalls = broker.arbiter.hasCalls(ProviderID(plugin.identity))
            if hasCalls != plugin.supervision.hasCalls {
                apply(.callsChanged(hasCalls: hasCalls), to: plugin)
            }
        }
    }

    /// Reports connections that have closed although their processes are still running.
    private func reportLostConnections() {
        guard hasLostConnections else { return }
        hasLostConnections = false
        for plugin in table.all where plugin.lostConnection {
            plugin.lostConnection = false
            if plugin.peer == nil { apply(.connectionLost, to: plugin) }
        }
    }

    // MARK: - Settings

    func choices(of plugin: Plugin) -> PluginChoices {
        var choices = PluginChoices()
        choices.isEnabled = plugin.isEnabled
        choices.values = plugin.values
        choices.requiredBy = plugin.requiredBy
        return choices
    }

    /// All settings as the file has them.
    var writtenChoices: [UInt8] {
        let present = table.all.map { (identity: $0.identity, choices: choices(of: $0)) }
        let absent = absent.map { (identity: $0.key, choices: $0.value) }
        return PluginChoices.write((present + absent).filter { !$0.choices.isDefault })
    }

    /// Saves all settings. If that fails, they apply until the broker stops.
    func saveChoices() {
        guard let host, !isSavingDisabled else { return }
        host.save(writtenChoices) { [weak self] result in
            guard case .failure(let error) = result else { return }
            self?.broker.logger.error(
                "cannot save plugin settings; they will be lost on restart: \(error)")
        }
    }

    // MARK: - Settings of plugins that are not installed

    /// Removes and returns the settings of a plugin that was not installed before.
    func takeAbsentChoices(for identity: String) -> PluginChoices {
        absent.removeValue(forKey: identity) ?? PluginChoices()
    }

    /// Keeps the settings of a plugin that is not installed any more.
    func keepAbsent(_ choices: PluginChoices, for identity: String) {
        absent[identity] = choices
    }

    /// The required plugins whose manifests are missing.
    var absentRequired: [(identity: String, choices: PluginChoices)] {
        absent.filter { $0.value.requiredBy != nil }.map { (identity: $0.key, choices: $0.value) }
    }
}
