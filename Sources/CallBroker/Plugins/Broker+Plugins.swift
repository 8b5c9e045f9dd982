internal import BrokerJSON
internal import BrokerRPC
package import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
package import CallPlugins
internal import CallProtocol
internal import Logging

/// The plugins that the broker starts and watches. Whatever is decided about one is decided by its
/// `Supervision`; here it is done.
extension Broker {
    /// How long those that run get to go by themselves when we stop.
    private static let stopMS = 1_000

    // MARK: - Beginning and end

    /// From now on there are plugins. Those start that start with the broker, and those that had calls
    /// when an earlier broker stopped. Where there are very many, some follow in the next turns.
    ///
    /// - Parameter choices: what was kept of what users have chosen; empty if there is nothing.
    package func beginPlugins(_ host: PluginHost, choices: Result<[UInt8], SocketError>) {
        plugins.host = host
        do {
            let kept = try choices.get()
            if !kept.isEmpty { plugins.absent = try PluginChoices.read(kept) }
        } catch {
            keepAside(host, "\(error)")
        }
        addRequired()
        rescan()
        readManifests(effort: Self.effortAtStart)
    }

    /// What was chosen before cannot be read. The next choice would write over it.
    private func keepAside(_ host: PluginHost, _ fault: String) {
        do throws(SocketError) {
            let aside = try host.keepAside()
            logger.error(
                "what was chosen for plugins cannot be read, and does not count; it is kept as \(aside): \(fault)"
            )
        } catch {
            plugins.keepsNothing = true
            logger.error(
                "what was chosen for plugins cannot be read (\(fault)) nor moved away (\(error)): nothing that is chosen now is kept"
            )
        }
    }

    /// We stop: they are told, as everybody is, and have a moment.
    func stopPlugins() {
        for plugin in plugins.all { apply(.stopRequested, to: plugin) }
        if plugins.all.contains(where: { $0.process != nil }) {
            _ = startTimer(afterMS: Self.stopMS, .endPlugins)
        }
    }

    func endPlugins() {
        for plugin in plugins.all { plugin.process?.terminate() }
    }

    /// Nobody stays behind.
    package func killPlugins() {
        for plugin in plugins.all { plugin.process?.kill() }
    }

    package var hasPluginProcesses: Bool {
        plugins.all.contains { $0.process != nil }
    }

    /// Whoever is at the other end of a connection is taken for what a manifest describes, as nobody
    /// has changed it. He is no plugin of ours: nobody starts him, watches him, or lists him.
    package func take(_ connection: Connection, for entry: PluginCatalogue.Entry) {
        peer(of: connection)?.plugin = Plugin(entry)
    }

    // MARK: - The life of one

    /// Lets its supervision decide, and does what follows. What happens meanwhile waits.
    func apply(_ event: Supervision.Event, to plugin: Plugin) {
        plugin.events.append(event)
        guard !plugin.isBusy else { return }
        plugin.isBusy = true
        while !plugin.events.isEmpty {
            let next = plugin.events.removeFirst()
            for effect in plugin.supervision.apply(next, at: instant) { run(effect, of: plugin) }
        }
        plugin.isBusy = false
        forgetIfWithdrawn(plugin)
    }

    private func run(_ effect: Supervision.Effect, of plugin: Plugin) {
        switch effect {
        case .spawn: spawn(plugin)
        case .ping: ping(plugin)
        case .sayGoodbye: sayGoodbye(to: plugin)
        case .closeWriting: plugin.peer?.connection.endOutput()
        case .terminate: plugin.process?.terminate()
        case .kill: plugin.process?.kill()
        case .startTimer(let timer, let instant): start(timer, of: plugin, at: instant)
        case .stopTimer(let timer):
            if let handle = plugin.timers.removeValue(forKey: timer) { timers.cancel(handle) }
        case .announce(let former, let state): announce(plugin, from: former, to: state)
        }
    }

    private func start(_ timer: Supervision.Timer, of plugin: Plugin, at instant: Instant) {
        if let handle = plugin.timers[timer] { timers.cancel(handle) }
        let deadline = MonotonicTime(nanoseconds: instant.nanoseconds)
        plugin.timers[timer] = timers.start(at: deadline, .plugin(plugin, timer))
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
        ping(peer)
    }

    private func sayGoodbye(to plugin: Plugin) {
        guard let peer = plugin.peer else { return }
        guard plugin.process != nil else {
            return dismiss(peer, reason: "stop", "the plugin is not wanted any more")
        }
        notify(peer, "broker.goodbye") { writer in
            writer.member("reason", "stop" as StaticString)
            writer.member("message", "the plugin is being stopped" as StaticString)
            writer.member("resumable", false)
        }
    }

    private func announce(
        _ plugin: Plugin, from former: Supervision.State, to state: Supervision.State
    ) {
        let isLoud = state == .failed || state == .unresponsive
        logger.log(
            level: isLoud ? .warning : .info, "plugin \(plugin.identity): \(state.rawValue)",
            metadata: plugin.failureMetadata(in: state))
        journal?.append(JournalEntry(.pluginTold, at: instant))
        tell(.pluginState) { plugin.writeChange(from: former, to: state, to: &$0) }
        settleDemand(for: plugin, in: state)
        if state == .unresponsive, plugin.supervision.hasCalls {
            tellHung(ProviderID(plugin.identity))
        }
    }

    /// What of plugins is looked at once per turn, when everything readable was read.
    func settlePlugins() {
        notePartings()
        noteCalls()
    }

    /// Several things may have ended the calls of a provider.
    private func noteCalls() {
        guard plugins.callsHaveChanged else { return }
        plugins.callsHaveChanged = false
        for plugin in plugins.all where plugin.process != nil {
            let hasCalls = arbiter.hasCalls(ProviderID(plugin.identity))
            if hasCalls != plugin.supervision.hasCalls {
                apply(.callsChanged(hasCalls: hasCalls), to: plugin)
            }
        }
    }

    /// A connection that has gone without its process is told.
    private func notePartings() {
        guard plugins.haveParted else { return }
        plugins.haveParted = false
        for plugin in plugins.all where plugin.hasLostPeer {
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
    func keepChoices() {
        guard let host = plugins.host, !plugins.keepsNothing else { return }
        let present = plugins.all.map { (identity: $0.identity, choices: choices(of: $0)) }
        let absent = plugins.absent.map { (identity: $0.key, choices: $0.value) }
        let all = (present + absent).filter { !$0.choices.isUsual }
        host.keep(PluginChoices.write(all)) { [weak self] result in
            guard case .failure(let error) = result else { return }
            self?.logger.error(
                "what was chosen for plugins is lost with the next restart: \(error)")
        }
    }
}
