internal import BrokerJSON
internal import BrokerSocket
internal import CallArbitration
internal import CallModel
internal import CallPlugins
internal import CallProtocol
internal import Logging

/// Manifests are found, change and go. They are read some per turn: nobody waits for a folder full of
/// them.
extension Broker {
    /// How often the manifests are read although nobody says that they have changed.
    private static let rescanMS = 60_000
    /// So many short manifests are read per turn, or as many bytes of long ones as follow from that.
    private static let effortPerTurn = 8
    private static let bytesPerEffort = 4_096
    /// Before the first turn nobody waits yet, and plugins that connect by themselves are to be known.
    static let effortAtStart = 256

    /// Has all manifests read again, and lets each plugin know what has become of its own.
    package func rescan() {
        rescan(for: nil)
    }

    /// - Parameter target: gets its reply when all are read.
    func rescan(for target: ReplyTarget?) {
        guard let host = plugins.host else { return }
        if let timer = rescanTimer { timers.cancel(timer) }
        rescanTimer = startTimer(afterMS: Self.rescanMS, .rescan)
        plugins.reading.request(target, host.readManifests)
    }

    /// Some are left for the next turns.
    package var isReadingManifests: Bool {
        plugins.reading.isUnderWay
    }

    /// Goes on with manifests that were not read in the last turn.
    func goOnReadingManifests() {
        guard isReadingManifests, !isStopping else { return }
        settlePlugins()
        readManifests(effort: Self.effortPerTurn)
    }

    func readManifests(effort: Int) {
        var done = 0
        while done < effort, plugins.reading.isUnderWay { done += readManifest() }
    }

    /// - Returns: how much work that was.
    private func readManifest() -> Int {
        switch plugins.reading.next() {
        case .found(let entry, let bytes):
            take(entry)
            return 1 + bytes / Self.bytesPerEffort
        case .look: break
        case .tooMany(let folder, let kept):
            logger.warning("\(folder) has more than \(kept) manifests: the others are left out")
        case .end: plugins.reading.end(plugins.all.map(\.identity))
        case .gone(let identity): withdraw(identity)
        case .over(let targets): reply(toRescansOf: targets)
        }
        return 1
    }

    private func withdraw(_ identity: String) {
        guard let plugin = plugins[identity] else { return }
        plugin.isWithdrawn = true
        plugin.entry = plugin.entry.gone
        apply(.manifestMasked, to: plugin)
    }

    private func reply(toRescansOf targets: [ReplyTarget]) {
        guard !targets.isEmpty else { return }
        let broken = plugins.all.count { $0.fault != nil }
        for target in targets {
            bringUpToDate(target.peer)
            answer(target) { writer in
                writer.member("plugins", plugins.all.count)
                writer.member("broken", broken)
                writer.member("seq", feed.seq)
            }
        }
    }

    private func take(_ entry: PluginCatalogue.Entry) {
        guard let plugin = plugins[entry.identity] else { return add(entry) }
        plugin.isWithdrawn = false
        guard plugin.entry != entry else { return }
        plugin.entry = entry
        logFault(of: plugin)
        noteRoles(of: plugin)
        switch entry.content {
        case .usable(let manifest):
            plugin.hideSecrets()
            apply(.manifestChanged(Supervision.Settings(manifest)), to: plugin)
            if plugins.reading.isFirst { startIfMissed(plugin) }
        case .masked: apply(.manifestMasked, to: plugin)
        // What runs goes on with the manifest that it was started with.
        case .broken, .missing: break
        }
    }

    private func add(_ entry: PluginCatalogue.Entry) {
        let choices = plugins.absent.removeValue(forKey: entry.identity) ?? PluginChoices()
        let plugin = Plugin(entry, choices)
        plugins.insert(plugin)
        logFault(of: plugin)
        if plugin.requiredBy != choices.requiredBy { keepChoices() }
        apply(.booted, to: plugin)
        if plugins.reading.isFirst { startIfMissed(plugin) }
    }

    /// Its manifest may say something else than before of what it is, and whether calls ring without it.
    private func noteRoles(of plugin: Plugin) {
        if case .usable(let manifest) = plugin.entry.content { plugin.manifest = manifest }
        let former = plugin.requiredBy
        plugin.noteRequired()
        plugins.sort(plugin)
        if plugin.requiredBy != former { keepChoices() }
    }

    /// Those that no call rings without count from the beginning, whether or not their manifests are there.
    func addRequired() {
        for (identity, choices) in plugins.absent where choices.requiredBy != nil {
            plugins.absent[identity] = nil
            plugins.insert(Plugin(missing: identity, choices))
        }
    }

    /// Its calls of an earlier broker wait for it, or those of others do, which it is to show.
    private func startIfMissed(_ plugin: Plugin) {
        let provider = ProviderID(plugin.identity)
        let hasCalls = arbiter.configuration(of: provider) != nil && sessions[provider]?.peer == nil
        let showsCalls = plugin.roles.contains(.ui) && plugin.isOnDemand && !calls.open.isEmpty
        guard plugin.hasProgram, hasCalls || showsCalls else { return }
        apply(.demanded, to: plugin)
    }

    private func logFault(of plugin: Plugin) {
        guard let fault = plugin.fault else { return }
        logger.warning("a plugin cannot be used: \(fault)")
    }

    func forgetIfWithdrawn(_ plugin: Plugin) {
        guard plugin.isWithdrawn, !plugin.supervision.hasProcess, plugin.peer == nil,
            plugin.requiredBy == nil
        else { return }
        let choices = self.choices(of: plugin)
        if !choices.isUsual { plugins.absent[plugin.identity] = choices }
        for timer in plugin.timers.values { timers.cancel(timer) }
        plugins.remove(plugin)
    }
}
