internal import BrokerJSON
internal import CallArbitration
internal import CallModel
internal import CallPlugins
internal import CallProtocol
internal import Logging

/// The scanner of manifests: finds new, changed and removed ones. It reads a few per turn, so that
/// a full folder does not stop the loop.
final class ManifestScanner: BrokerPart {
    private var reading = ManifestReading()
    /// The timer of the next scan.
    private var timer: BrokerTimers.Handle?

    /// The period of scans without a notification of a change.
    private static let rescanMS = 60_000
    /// The effort per turn: a short manifest counts 1.
    private static let effortPerTurn = 8
    /// The bytes of a long manifest that count 1 more.
    private static let bytesPerEffort = 4_096
    /// The effort before the first turn, when no client waits yet, and plugins that connect by
    /// themselves must be known.
    static let effortAtStart = 256

    /// Begins to read all manifests again.
    func rescan() {
        rescan(for: nil)
    }

    /// Begins to read all manifests again.
    ///
    /// - Parameter target: the request that is replied to when all are read.
    func rescan(for target: ReplyTarget?) {
        guard let host = broker.plugins.host else { return }
        if let timer = timer { broker.timers.cancel(timer) }
        timer = broker.timers.start(afterMS: Self.rescanMS, .rescan)
        reading.request(target, host.readManifests)
    }

    /// True while some manifests are not read yet.
    var isReading: Bool {
        reading.isUnderWay
    }

    /// The entries that look like a plugin, and are none.
    var strays: [PluginCatalog.Stray] {
        reading.strays
    }

    /// Resumes the scan of the last turn.
    func resume() {
        guard isReading, !broker.isStopping else { return }
        broker.plugins.update()
        read(effort: Self.effortPerTurn)
    }

    func read(effort: Int) {
        var done = 0
        while done < effort, reading.isUnderWay { done += readManifest() }
    }

    /// Takes one step.
    ///
    /// - Returns: the effort of the step.
    private func readManifest() -> Int {
        switch reading.next() {
        case .found(let entry, let bytes):
            update(entry)
            return 1 + bytes / Self.bytesPerEffort
        case .look: break
        case .tooMany(let folder, let kept):
            broker.logger.warning(
                "\(folder) has more than \(kept) manifests; the others are ignored")
        case .end: reading.end(broker.plugins.all.map(\.identity))
        case .gone(let identity): withdraw(identity)
        case .over(let targets): reply(toRescansOf: targets)
        }
        return 1
    }

    private func withdraw(_ identity: String) {
        guard let plugin = broker.plugins[identity] else { return }
        plugin.isWithdrawn = true
        plugin.entry = plugin.entry.gone
        broker.plugins.apply(.manifestMasked, to: plugin)
    }

    private func reply(toRescansOf targets: [ReplyTarget]) {
        guard !targets.isEmpty else { return }
        let broken = broker.plugins.all.count { $0.fault != nil }
        for target in targets {
            broker.events.bringUpToDate(target.peer)
            broker.outbox.answer(target) { writer in
                writer.member("plugins", broker.plugins.all.count)
                writer.member("broken", broken)
                writer.member("seq", broker.events.seq)
            }
        }
    }

    private func update(_ entry: PluginCatalog.Entry) {
        guard let plugin = broker.plugins[entry.identity] else { return add(entry) }
        plugin.isWithdrawn = false
        guard plugin.entry != entry else { return }
        plugin.entry = entry
        logFault(of: plugin)
        updateRoles(of: plugin)
        switch entry.content {
        case .usable(let manifest):
            plugin.hideSecrets()
            broker.plugins.apply(.manifestChanged(Supervision.Settings(manifest)), to: plugin)
            if reading.isFirst { startIfMissed(plugin) }
        case .masked: broker.plugins.apply(.manifestMasked, to: plugin)
        // A running process continues with the manifest that it was started with.
        case .broken, .missing: break
        }
    }

    private func add(_ entry: PluginCatalog.Entry) {
        let choices = broker.plugins.takeAbsentChoices(for: entry.identity)
        let plugin = Plugin(entry, choices)
        broker.plugins.insert(plugin)
        logFault(of: plugin)
        if plugin.requiredBy != choices.requiredBy { broker.plugins.saveChoices() }
        broker.plugins.apply(.booted, to: plugin)
        if reading.isFirst { startIfMissed(plugin) }
    }

    /// Updates a plugin whose manifest may declare other roles, or another rule for calls that ring
    /// without it.
    private func updateRoles(of plugin: Plugin) {
        if case .usable(let manifest) = plugin.entry.content { plugin.manifest = manifest }
        let former = plugin.requiredBy
        plugin.updateRequired()
        broker.plugins.sort(plugin)
        if plugin.requiredBy != former { broker.plugins.saveChoices() }
    }

    /// Adds the plugins that every call requires, even if their manifests are missing.
    func addRequired() {
        for (identity, choices) in broker.plugins.absentRequired {
            _ = broker.plugins.takeAbsentChoices(for: identity)
            broker.plugins.insert(Plugin(missing: identity, choices))
        }
    }

    /// Starts a plugin if its own calls from before a restart wait for it, or calls that it has to
    /// show.
    private func startIfMissed(_ plugin: Plugin) {
        let provider = ProviderID(plugin.identity)
        let hasCalls =
            broker.configuration(of: provider) != nil
            && broker.sessions[provider]?.peer == nil
        let showsCalls =
            plugin.roles.contains(.ui) && plugin.isOnDemand && !broker.calls.open.isEmpty
        guard plugin.hasProgram, hasCalls || showsCalls else { return }
        broker.plugins.apply(.demanded, to: plugin)
    }

    private func logFault(of plugin: Plugin) {
        guard let fault = plugin.fault else { return }
        broker.logger.warning("invalid plugin manifest: \(fault)")
    }

    /// Removes a plugin without a manifest once its process and connection have ended.
    func removeIfWithdrawn(_ plugin: Plugin) {
        guard plugin.isWithdrawn, !plugin.supervision.hasProcess, plugin.peer == nil,
            plugin.requiredBy == nil
        else { return }
        let choices = broker.plugins.choices(of: plugin)
        if !choices.isDefault { broker.plugins.keepAbsent(choices, for: plugin.identity) }
        for timer in plugin.timers.values { broker.timers.cancel(timer) }
        broker.plugins.remove(plugin)
    }
}
