internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallPlugins
internal import CallProtocol
internal import Logging

/// The plugins that the broker starts and watches. Whatever is decided about one is decided by its
/// `Supervision`; here it is done.
final class PluginSupervisor {
    private unowned let broker: Broker
    private(set) var table = PluginTable()
    /// Nil until there are plugins.
    private(set) var host: PluginHost?
    /// What users have chosen for plugins that are not installed.
    private var absent: [String: PluginChoices] = [:]
    /// The choices of before cannot be read, and are in the way: nothing may take their place.
    private var keepsNothing = false
    /// Providers may have more or fewer calls than before.
    private var haveCallsChanged = false
    /// Connections have been lost, and their processes may have exited, too.
    private var hasLostConnections = false
    /// The place of the latest line that any plugin has written.
    private(set) var lastLine = 0
    /// Random numbers for pauses; the same ones in every test.
    private var jitter: PluginJitter

    init(_ broker: Broker) {
        self.broker = broker
        let isTest = broker.configuration.isTestMode
        jitter = PluginJitter(state: isTest ? 1 : UInt64.random(in: 1 ... .max))
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

    /// Sorts a plugin whose manifest is another one now into the lists of filters and screens.
    func sort(_ plugin: Plugin) {
        table.sort(plugin)
    }

    func noteStart(of process: ChildProcess, of plugin: Plugin) {
        table.began(process, of: plugin)
    }

    func noteEnd(of process: ChildProcess) {
        table.ended(process)
    }

    func noteLine(at place: Int) {
        lastLine = place
    }

    func noteLostConnection() {
        hasLostConnections = true
    }

    func noteCallsChanged() {
        haveCallsChanged = true
    }

    /// A random number for the next pause.
    func nextJitter() -> UInt32 {
        jitter.next()
    }

    /// Whether something is to be looked at in the next turn.
    var hasWork: Bool {
        hasLostConnections
    }

    /// How long those that run get to go by themselves when we stop.
    private static let stopMS = 1_000

    // MARK: - Beginning and end

    /// From now on there are plugins. Those start that start with the broker, and those that had calls
    /// when an earlier broker stopped. Where there are very many, some follow in the next turns.
    ///
    /// - Parameter choices: what was kept of what users have chosen; empty if there is nothing.
    func begin(_ host: PluginHost, choices: Result<[UInt8], SocketError>) {
        self.host = host
        do {
            let kept = try choices.get()
            if !kept.isEmpty { absent = try PluginChoices.read(kept) }
        } catch {
            keepAside(host, "\(error)")
        }
        broker.manifests.addRequired()
        broker.manifests.rescan()
        broker.manifests.read(effort: ManifestScanner.effortAtStart)
    }

    /// What was chosen before cannot be read. The next choice would write over it.
    private func keepAside(_ host: PluginHost, _ fault: String) {
        do throws(SocketError) {
            let aside = try host.keepAside()
            broker.logger.error(
                "what was chosen for plugins cannot be read, and does not count; it is kept as \(aside): \(fault)"
            )
        } catch {
            keepsNothing = true
            broker.logger.error(
                "what was chosen for plugins cannot be read (\(fault)) nor moved away (\(error)): nothing that is chosen now is kept"
            )
        }
    }

    /// We stop: they are told, as everybody is, and have a moment.
    func stop() {
        for plugin in table.all { apply(.stopRequested, to: plugin) }
        if table.all.contains(where: { $0.process != nil }) {
            _ = broker.timers.start(afterMS: Self.stopMS, .endPlugins)
        }
    }

    func terminate() {
        for plugin in table.all { plugin.process?.terminate() }
    }

    /// Nobody stays behind.
    func kill() {
        for plugin in table.all { plugin.process?.kill() }
    }

    var hasProcesses: Bool {
        table.all.contains { $0.process != nil }
    }

    // MARK: - The life of one

    /// Lets its supervision decide, and does what follows. What happens meanwhile waits.
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
        broker.manifests.forgetIfWithdrawn(plugin)
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
            apply(.heard(at: Instant(nanoseconds: plugin.heardAt.nanoseconds)), to: plugin)
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
            return broker.peers.dismiss(peer, reason: "stop", "the plugin is not wanted any more")
        }
        broker.outbox.notify(peer, "broker.goodbye") { writer in
            writer.member("reason", "stop" as StaticString)
            writer.member("message", "the plugin is being stopped" as StaticString)
            writer.member("resumable", false)
        }
    }

    private func announce(
        _ plugin: Plugin, from former: Supervision.State, to state: Supervision.State
    ) {
        let isLoud = state == .failed || state == .unresponsive
        broker.logger.log(
            level: isLoud ? .warning : .info, "plugin \(plugin.identity): \(state.rawValue)",
            metadata: plugin.failureMetadata(in: state))
        broker.journal.append(.pluginTold)
        broker.events.publish(.pluginState) { plugin.writeChange(from: former, to: state, to: &$0) }
        broker.demand.settleDemand(for: plugin, in: state)
        if state == .unresponsive, plugin.supervision.hasCalls {
            broker.heartbeats.tellHung(ProviderID(plugin.identity))
        }
    }

    /// What of plugins is looked at once per turn, when everything readable was read.
    func settle() {
        reportLostConnections()
        updateCalls()
    }

    /// Several things may have ended the calls of a provider.
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

    /// A connection that has gone without its process is told.
    private func reportLostConnections() {
        guard hasLostConnections else { return }
        hasLostConnections = false
        for plugin in table.all where plugin.hasLostPeer {
            plugin.hasLostPeer = false
            if plugin.peer == nil { apply(.connectionLost, to: plugin) }
        }
    }

    // MARK: - What users choose

    func choices(of plugin: Plugin) -> PluginChoices {
        var choices = PluginChoices()
        choices.isEnabled = plugin.isEnabled
        choices.values = plugin.values
        choices.requiredBy = plugin.requiredBy
        return choices
    }

    /// Writes everything that was chosen down. What cannot be kept counts until we stop.
    func saveChoices() {
        guard let host, !keepsNothing else { return }
        let present = table.all.map { (identity: $0.identity, choices: choices(of: $0)) }
        let absent = absent.map { (identity: $0.key, choices: $0.value) }
        let all = (present + absent).filter { !$0.choices.isUsual }
        host.keep(PluginChoices.write(all)) { [weak self] result in
            guard case .failure(let error) = result else { return }
            self?.broker.logger.error(
                "what was chosen for plugins is lost with the next restart: \(error)")
        }
    }

    // MARK: - Choices for plugins that are not installed

    /// Removes and returns what users have chosen for a plugin that is found now.
    func takeAbsentChoices(for identity: String) -> PluginChoices {
        absent.removeValue(forKey: identity) ?? PluginChoices()
    }

    /// Keeps what users have chosen for a plugin that is not installed any more.
    func keepAbsent(_ choices: PluginChoices, for identity: String) {
        absent[identity] = choices
    }

    /// Plugins that no call rings without, and whose manifests are not there.
    var absentRequired: [(identity: String, choices: PluginChoices)] {
        absent.filter { $0.value.requiredBy != nil }.map { (identity: $0.key, choices: $0.value) }
    }
}
