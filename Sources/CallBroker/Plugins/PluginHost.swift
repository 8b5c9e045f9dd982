package import BrokerSocket
package import CallPlugins
internal import CallProtocol

/// What plugins need of the host. The broker itself does no input or output.
package struct PluginHost {
    /// Ours, of which they get a part.
    package var environment: [String: String]
    /// Where the broker is found.
    package var socket: String
    package var spawn: (ChildSettings) throws(SocketError) -> ChildProcess
    /// Begins to read the manifests, those of the highest precedence first; each call is a small step.
    package var readManifests: () -> () -> PluginCatalogue.Step
    /// Whether a path names a program.
    package var isProgram: (String) -> Bool
    /// Keeps what users have chosen, and says whether that could be done.
    package var keep: ([UInt8], @escaping (Result<Void, SocketError>) -> Void) -> Void
    /// Moves what was kept out of the way, for somebody to look at; where.
    package var keepAside: () throws(SocketError) -> String

    package init(
        environment: [String: String], socket: String,
        spawn: @escaping (ChildSettings) throws(SocketError) -> ChildProcess,
        readManifests: @escaping () -> () -> PluginCatalogue.Step,
        isProgram: @escaping (String) -> Bool,
        keep: @escaping ([UInt8], @escaping (Result<Void, SocketError>) -> Void) -> Void,
        keepAside: @escaping () throws(SocketError) -> String
    ) {
        self.environment = environment
        self.socket = socket
        self.spawn = spawn
        self.readManifests = readManifests
        self.isProgram = isProgram
        self.keep = keep
        self.keepAside = keepAside
    }
}

extension PluginHost {
    /// How the process of a plugin is made; nil without a program.
    func settings(
        for manifest: PluginManifest, in folder: String, options: String?
    ) -> ChildSettings? {
        guard let program = manifest.program else { return nil }
        var environment = program.environment(from: environment)
        environment["BROKER_SOCKET"] = socket
        environment["BROKER_OPTIONS"] = options
        var settings = ChildSettings(
            program: program.path(besides: folder, environment, isProgram: isProgram),
            arguments: program.arguments,
            environment: environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" },
            folder: program.workingFolder(besides: folder),
            wiring: ChildSettings.Wiring(program.transport))
        settings.memoryBytes = program.memoryMB.map { UInt64($0) << 20 }
        settings.descriptors = program.descriptors
        settings.endsChildren = program.children == .end
        return settings
    }
}

extension ChildSettings.Wiring {
    fileprivate init(_ transport: PluginManifest.Program.Transport) {
        switch transport {
        case .stdio: self = .standard
        case .fd3: self = .third
        case .connect: self = .none
        }
    }
}

/// The plugins, and what is needed to find one.
struct PluginTable {
    /// By name.
    private(set) var all: [Plugin] = []
    private var byName: [String: Plugin] = [:]
    /// Those that calls pass before they ring, and those that show calls, by name.
    private(set) var filters: [Plugin] = []
    private(set) var screens: [Plugin] = []
    /// Those that run, by what tells of their ends and by what they write to.
    private var running: [ObjectIdentifier: Plugin] = [:]
    /// The place of the latest line of a plugin that is no more.
    private var removedLine = 0

    subscript(identity: String) -> Plugin? {
        byName[identity]
    }

    func running(_ process: ProcessWatch) -> Plugin? {
        running[ObjectIdentifier(process)]
    }

    /// Whether some manifest says who presents calls.
    var declareScreen: Bool {
        all.contains { $0.isEnabled && $0.manifest?.roles.contains(.ui) ?? false }
    }

    func writing(to log: LogPipe) -> Plugin? {
        running[ObjectIdentifier(log)]
    }

    mutating func began(_ process: ChildProcess, of plugin: Plugin) {
        running[ObjectIdentifier(process.watch)] = plugin
        running[ObjectIdentifier(process.log)] = plugin
    }

    mutating func ended(_ process: ChildProcess) {
        running[ObjectIdentifier(process.watch)] = nil
        running[ObjectIdentifier(process.log)] = nil
    }

    mutating func insert(_ plugin: Plugin) {
        byName[plugin.identity] = plugin
        all.insert(plugin, at: place(of: plugin.identity))
        sort(plugin)
    }

    /// Its manifest is new, or another, or gone. No call looks through all plugins for those that it needs.
    mutating func sort(_ plugin: Plugin) {
        filters.removeAll { $0 === plugin }
        screens.removeAll { $0 === plugin }
        guard byName[plugin.identity] === plugin else { return }
        if plugin.isFilter { filters.insert(plugin, before: plugin.identity) }
        if plugin.roles.contains(.ui) { screens.insert(plugin, before: plugin.identity) }
    }

    /// Where a plugin of this name is, or would be.
    private func place(of identity: String) -> Int {
        var (low, high) = (0, all.count)
        while low < high {
            let middle = (low + high) / 2
            if all[middle].identity < identity { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Every line behind this place is kept.
    var forgottenLine: Int {
        all.reduce(removedLine) { max($0, $1.log.forgottenPlace) }
    }

    mutating func remove(_ plugin: Plugin) {
        guard byName.removeValue(forKey: plugin.identity) != nil else { return }
        removedLine = max(removedLine, plugin.log.lines.last?.place ?? 0)
        all.remove(at: place(of: plugin.identity))
        sort(plugin)
    }
}

extension [Plugin] {
    /// Keeps them in the order of their names.
    fileprivate mutating func insert(_ plugin: Plugin, before identity: String) {
        insert(plugin, at: firstIndex { $0.identity > identity } ?? endIndex)
    }
}

/// SplitMix64: only pauses depend on it.
struct PluginJitter {
    var state: UInt64

    mutating func next() -> UInt32 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return UInt32(truncatingIfNeeded: mixed >> 32)
    }
}
