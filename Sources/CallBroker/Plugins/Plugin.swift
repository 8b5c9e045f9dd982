internal import BrokerSocket
internal import CallPlugins
internal import CallProtocol

/// A plugin: its manifest, the state of its supervision, its process and its connection.
final class Plugin {
    let identity: String
    /// The current manifest file with its content.
    var entry: PluginCatalog.Entry
    /// The latest manifest that was valid.
    var manifest: PluginManifest?
    /// The manifest with which the process was started, which applies until the process ends.
    var runningManifest: PluginManifest?
    var supervision: Supervision
    var process: ChildProcess?
    /// The plugin's connection; nil if there is none.
    var peer: Peer?
    var timers: [Supervision.Timer: TimerQueue<TimerPurpose>.Handle] = [:]
    var log = PluginLog()
    /// True while dropped lines are counted; their number is reported soon.
    var countsDropped = false
    /// The message about the last failure, for people.
    var failureMessage: String?
    var starts = 0
    /// The time of the latest bytes from the plugin.
    var lastActivityAt = MonotonicTime.zero
    /// True if the connection has closed, and the process was not checked since.
    var lostConnection = false
    var wasWarnedOfStrayOutput = false
    /// False if the user has disabled the plugin.
    var isEnabled = true
    /// True if the manifest was removed; the plugin is removed as soon as its process has ended.
    var isWithdrawn = false
    /// The options that were set.
    var values: [String: PluginValue] = [:]
    /// The path of the manifest that makes the plugin required: no call rings without its verdict.
    /// This holds even if that manifest cannot be read or is removed, until another one changes it
    /// or masks the plugin.
    private(set) var requiredBy: String?
    /// Events that came while an earlier one was being handled.
    var events: [Supervision.Event] = []
    var isBusy = false

    init(_ entry: PluginCatalog.Entry, _ choices: PluginChoices = PluginChoices()) {
        identity = entry.identity
        self.entry = entry
        isEnabled = choices.isEnabled
        values = choices.values
        requiredBy = choices.requiredBy
        var rest: Supervision.Rest = isEnabled ? .stopped : .disabled
        var settings = Supervision.Settings()
        switch entry.content {
        case .usable(let manifest):
            self.manifest = manifest
            settings = Supervision.Settings(manifest)
        case .masked, .broken, .missing:
            if isEnabled { rest = .masked }
        }
        supervision = Supervision(settings, at: rest)
        hideSecrets()
        updateRequired()
    }

    /// Creates a required plugin whose manifest is missing.
    convenience init(missing identity: String, _ choices: PluginChoices) {
        let path = choices.requiredBy ?? ""
        self.init(
            PluginCatalog.Entry(identity: identity, path: path, content: .missing), choices)
        isWithdrawn = true
    }

    /// Updates `requiredBy` from the manifest; one that cannot be read changes nothing.
    func updateRequired() {
        switch entry.content {
        case .usable(let manifest):
            requiredBy = manifest.screener?.failsClosed ?? false ? entry.path : nil
        case .masked: requiredBy = nil
        case .broken, .missing: break
        }
    }

    /// The roles in the latest valid manifest.
    var roles: RoleSet {
        manifest?.roles ?? []
    }

    /// True if calls have to pass the plugin before they ring.
    var isFilter: Bool {
        requiredBy != nil || !roles.isDisjoint(with: [.screener, .directory])
    }

    /// The fault of the current manifest; nil if it is valid.
    var fault: ManifestFault? {
        if case .broken(let fault) = entry.content { fault } else { nil }
    }

    /// The state; a plugin whose manifest was never valid has failed.
    var state: Supervision.State {
        manifest == nil && fault != nil && isEnabled ? .failed : supervision.state
    }

    /// True if the broker has told the plugin to end, and its process still runs.
    var isStopping: Bool {
        if case .leaving = supervision.phase { true } else { false }
    }

    /// True if the broker can start the plugin, now or when it is enabled.
    var hasProgram: Bool {
        manifest?.program != nil
    }

    func value(of option: PluginOption) -> PluginValue? {
        if let value = values[option.name], value.fits(option.kind) { return value }
        return option.fallback
    }

    /// Sets the secrets that are removed from the plugin's output.
    func hideSecrets() {
        let options = manifest?.options.filter { $0.kind == .secret } ?? []
        log.secrets = options.compactMap { option in
            if case .string(let text) = value(of: option) { text } else { nil }
        }
    }
}
