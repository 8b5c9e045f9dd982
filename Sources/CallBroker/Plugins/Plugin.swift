internal import BrokerSocket
internal import CallPlugins
internal import CallProtocol

/// One plugin: what its manifest says, how its life goes, and what it has of the host.
final class Plugin {
    let identity: String
    /// The file that counts, and what is in it now.
    var entry: PluginCatalogue.Entry
    /// The latest that could be used.
    var manifest: PluginManifest?
    /// What its process was started with: it counts until the process goes.
    var runningManifest: PluginManifest?
    var supervision: Supervision
    var process: ChildProcess?
    /// Its connection, if it has one.
    var peer: Peer?
    var timers: [Supervision.Timer: TimerQueue<TimerPurpose>.Handle] = [:]
    var log = PluginLog()
    /// Lines of it come too fast; soon it is told how many.
    var countsDropped = false
    /// About the last failure, for people.
    var failureMessage: String?
    var starts = 0
    var heardAt = MonotonicTime.zero
    /// Its connection has gone, and nobody has looked yet whether its process has as well.
    var hasLostPeer = false
    var wasWarnedOfStrayOutput = false
    /// Its user wants it.
    var isEnabled = true
    /// Its manifest has gone; it goes as soon as its process has.
    var isWithdrawn = false
    /// The options that somebody has set.
    var values: [String: PluginValue] = [:]
    /// The manifest that says that no call rings without its word. It holds although that manifest cannot
    /// be read, or is gone: until another one says otherwise, or hides the plugin.
    private(set) var requiredBy: String?
    /// What happened while something else was being done about it.
    var events: [Supervision.Event] = []
    var isBusy = false

    init(_ entry: PluginCatalogue.Entry, _ choices: PluginChoices = PluginChoices()) {
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
        noteRequired()
    }

    /// One that no call rings without, and that has no manifest any more.
    convenience init(missing identity: String, _ choices: PluginChoices) {
        let path = choices.requiredBy ?? ""
        self.init(
            PluginCatalogue.Entry(identity: identity, path: path, content: .missing), choices)
        isWithdrawn = true
    }

    /// What its manifest says of calls without its word; one that cannot be read says nothing.
    func noteRequired() {
        switch entry.content {
        case .usable(let manifest):
            requiredBy = manifest.screener?.failsClosed ?? false ? entry.path : nil
        case .masked: requiredBy = nil
        case .broken, .missing: break
        }
    }

    /// What it may be, as its latest manifest says.
    var roles: RoleSet {
        manifest?.roles ?? []
    }

    /// Calls pass it before they ring.
    var isFilter: Bool {
        requiredBy != nil || !roles.isDisjoint(with: [.screener, .directory])
    }

    /// Why its manifest cannot be used.
    var fault: ManifestFault? {
        if case .broken(let fault) = entry.content { fault } else { nil }
    }

    /// One whose manifest was never any good has failed.
    var state: Supervision.State {
        manifest == nil && fault != nil && isEnabled ? .failed : supervision.state
    }

    /// Whether it can be started, now or when it is enabled.
    var hasProgram: Bool {
        manifest?.program != nil
    }

    func value(of option: PluginOption) -> PluginValue? {
        if let value = values[option.name], value.fits(option.kind) { return value }
        return option.fallback
    }

    /// What it may write is shown without these.
    func hideSecrets() {
        let options = manifest?.options.filter { $0.kind == .secret } ?? []
        log.secrets = options.compactMap { option in
            if case .string(let text) = value(of: option) { text } else { nil }
        }
    }
}
