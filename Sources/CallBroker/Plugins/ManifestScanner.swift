internal import BrokerJSON
internal import BrokerSocket
internal import CallArbitration
internal import CallModel
internal import CallPlugins
internal import CallProtocol
internal import Logging

/// Manifests are found, change and go. They are read some per turn: nobody waits for a folder full of
/// them.
final class ManifestScanner {
    private unowned let broker: Broker

    private var reading = ManifestReading()
    /// Runs until the manifests are read again.
    private var timer: BrokerTimers.Handle?

    init(_ broker: Broker) {
        self.broker = broker
    }

    /// How often the manifests are read although nobody says that they have changed.
    private static let rescanMS = 60_000
    /// So many short manifests are read per turn, or as many bytes of long ones as follow from that.
    private static let effortPerTurn = 8
    private static let bytesPerEffort = 4_096
    /// Before the first turn nobody waits yet, and plugins that connect by themselves are to be known.
    static let effortAtStart = 256

    /// Has all manifests read again, and lets each plugin know what has become of its own.
    func rescan() {
        rescan(for: nil)
    }

    /// - Parameter target: gets its reply when all are read.
    func rescan(for target: ReplyTarget?) {
        guard let host = broker.plugins.host else { return }
        if let timer = timer { broker.timers.cancel(timer) }
        timer = broker.timers.start(afterMS: Self.rescanMS, .rescan)
        reading.request(target, host.readManifests)
    }

    /// Some are left for the next turns.
    var isReading: Bool {
        reading.isUnderWay
    }

    /// Goes on with manifests that were not read in the last turn.
    func resume() {
        guard isReading, !broker.isStopping else { return }
        broker.plugins.settle()
        read(effort: Self.effortPerTurn)
    }

    func read(effort: Int) {
        var done = 0
        while done < effort, reading.isUnderWay { done += readManifest() }
    }

    /// - Returns: how much work that was.
    private func readManifest() -> Int {
        switch reading.next() {
        case .found(let entry, let bytes):
            take(entry)
            return 1 + bytes / Self.bytesPerEffort
        case .look: break
        case .tooMany(let folder, let kept):
            broker.logger.warning(
                "\(folder) has more than \(kept) manifests: the others are left out")
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

    private func take(_ entry: PluginCatalogue.Entry) {
        guard let plugin = broker.plugins[entry.identity] else { return add(entry) }
        plugin.isWithdrawn = false
        guard plugin.entry != entry else { return }
        plugin.entry = entry
        logFault(of: plugin)
        noteRoles(of: plugin)
        switch entry.content {
        case .usable(let manifest):
            plugin.hideSecrets()
            broker.plugins.apply(.manifestChanged(Supervision.Settings(manifest)), to: plugin)
            if reading.isFirst { startIfMissed(plugin) }
        case .masked: broker.plugins.apply(.manifestMasked, to: plugin)
        // What runs goes on with the manifest that it was started with.
        case .broken, .missing: break
        }
    }

    private func add(_ entry: PluginCatalogue.Entry) {
        let choices = broker.plugins.takeAbsentChoices(for: entry.identity)
        let plugin = Plugin(entry, choices)
        broker.plugins.insert(plugin)
        logFault(of: plugin)
        if plugin.requiredBy != choices.requiredBy { broker.plugins.saveChoices() }
        broker.plugins.apply(.booted, to: plugin)
        if reading.isFirst { startIfMissed(plugin) }
    }

    /// Its manifest may say something else than before of what it is, and whether calls ring without it.
    private func noteRoles(of plugin: Plugin) {
        if case .usable(let manifest) = plugin.entry.content { plugin.manifest = manifest }
        let former = plugin.requiredBy
        plugin.noteRequired()
        broker.plugins.sort(plugin)
        if plugin.requiredBy != former { broker.plugins.saveChoices() }
    }

    /// Those that no call rings without count from the beginning, whether or not their manifests are there.
    func addRequired() {
        for (identity, choices) in broker.plugins.absentRequired {
            _ = broker.plugins.takeAbsentChoices(for: identity)
            broker.plugins.insert(Plugin(missing: identity, choices))
        }
    }

    /// Its calls of an earlier broker wait for it, or those of others do, which it is to show.
    private func startIfMissed(_ plugin: Plugin) {
        let provider = ProviderID(plugin.identity)
        let hasCalls =
            broker.arbiter.configuration(of: provider) != nil
            && broker.sessions[provider]?.peer == nil
        let showsCalls =
            plugin.roles.contains(.ui) && plugin.isOnDemand && !broker.calls.open.isEmpty
        guard plugin.hasProgram, hasCalls || showsCalls else { return }
        broker.plugins.apply(.demanded, to: plugin)
    }

    private func logFault(of plugin: Plugin) {
        guard let fault = plugin.fault else { return }
        broker.logger.warning("a plugin cannot be used: \(fault)")
    }

    func forgetIfWithdrawn(_ plugin: Plugin) {
        guard plugin.isWithdrawn, !plugin.supervision.hasProcess, plugin.peer == nil,
            plugin.requiredBy == nil
        else { return }
        let choices = broker.plugins.choices(of: plugin)
        if !choices.isUsual { broker.plugins.keepAbsent(choices, for: plugin.identity) }
        for timer in plugin.timers.values { broker.timers.cancel(timer) }
        broker.plugins.remove(plugin)
    }
}
