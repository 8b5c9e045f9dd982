package import BrokerSocket
package import CallPlugins
internal import CallProtocol

/// The host's services for plugins. The broker itself does no input or output.
package struct PluginHost {
    /// The broker's environment, of which plugins get a part.
    package var environment: [String: String]
    /// The environment of apps that are no plugins.
    package var appEnvironment: [String: String] = [:]
    /// The path of this program, another run of which starts such apps.
    package var ownProgram = ""
    /// The path of the broker's socket.
    package var socket: String
    /// The folders of manifests, by increasing precedence.
    package var folders: [String] = []
    package var spawn: (ChildSettings) throws(SocketError) -> ChildProcess
    /// Begins to read the manifests, those of the highest precedence first. Each call of the
    /// returned function is a small step.
    package var readManifests: () -> () -> PluginCatalog.Step
    /// Returns true if a path names a program.
    package var isProgram: (String) -> Bool
    /// Saves the users' settings, and calls back with the result.
    package var save: ([UInt8], @escaping (Result<Void, SocketError>) -> Void) -> Void
    /// Renames settings that cannot be read, and returns their new path.
    package var quarantine: () throws(SocketError) -> String

    package init(
        environment: [String: String], socket: String,
        spawn: @escaping (ChildSettings) throws(SocketError) -> ChildProcess,
        readManifests: @escaping () -> () -> PluginCatalog.Step,
        isProgram: @escaping (String) -> Bool,
        save: @escaping ([UInt8], @escaping (Result<Void, SocketError>) -> Void) -> Void,
        quarantine: @escaping () throws(SocketError) -> String
    ) {
        self.environment = environment
        self.socket = socket
        self.spawn = spawn
        self.readManifests = readManifests
        self.isProgram = isProgram
        self.save = save
        self.quarantine = quarantine
    }
}

extension PluginHost {
    /// Returns the settings of a plugin's process; nil without a program.
    func settings(
        for manifest: PluginManifest, in folder: String, options: String?
    ) -> ChildSettings? {
        guard let program = manifest.program else { return nil }
        var environment = program.environment(from: environment)
        environment["BROKER_SOCKET"] = socket
        environment["BROKER_OPTIONS"] = options
        var settings = ChildSettings(
            name: manifest.identity,
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

/// The plugins, with indices by name, role and process.
struct PluginTable {
    /// All plugins, sorted by name.
    private(set) var all: [Plugin] = []
    private var byName: [String: Plugin] = [:]
    /// The plugins that calls pass before they ring, sorted by name.
    private(set) var filters: [Plugin] = []
    /// The plugins that show calls, sorted by name.
    private(set) var screens: [Plugin] = []
    /// The running plugins, by their process watches and log pipes.
    private var running: [ObjectIdentifier: Plugin] = [:]
    /// The running plugins, by their process groups.
    private var groups: [Int32: Plugin] = [:]
    /// The running plugins, by the places that their processes cannot leave.
    private var places: [String: Plugin] = [:]
    /// The global index of the latest line of a removed plugin.
    private var removedLine = 0

    subscript(identity: String) -> Plugin? {
        byName[identity]
    }

    func running(_ process: ProcessWatch) -> Plugin? {
        running[ObjectIdentifier(process)]
    }

    /// Returns the plugin that a process belongs to: by its unit, its cgroup or one around that, or
    /// its process group.
    func running(with process: PeerProcess) -> Plugin? {
        if let unit = process.unit, let plugin = places[unit] { return plugin }
        var path = process.controlGroup.map { $0[...] } ?? ""
        while !path.isEmpty {
            if let plugin = places[String(path)] { return plugin }
            path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        }
        return process.group.flatMap { groups[$0] }
    }

    /// True if a manifest declares a screen.
    var declareScreen: Bool {
        all.contains { $0.isEnabled && $0.manifest?.roles.contains(.ui) ?? false }
    }

    func writing(to log: LogPipe) -> Plugin? {
        running[ObjectIdentifier(log)]
    }

    mutating func add(_ process: ChildProcess, of plugin: Plugin) {
        running[ObjectIdentifier(process.watch)] = plugin
        running[ObjectIdentifier(process.log)] = plugin
        groups[process.pid] = plugin
        if let place = process.place { places[place] = plugin }
    }

    mutating func remove(_ process: ChildProcess) {
        running[ObjectIdentifier(process.watch)] = nil
        running[ObjectIdentifier(process.log)] = nil
        groups[process.pid] = nil
        if let place = process.place { places[place] = nil }
    }

    mutating func insert(_ plugin: Plugin) {
        byName[plugin.identity] = plugin
        all.insert(plugin, at: index(of: plugin.identity))
        sort(plugin)
    }

    /// Sorts a plugin whose manifest has changed into the lists by role, so that no call has to
    /// search all plugins.
    mutating func sort(_ plugin: Plugin) {
        filters.removeAll { $0 === plugin }
        screens.removeAll { $0 === plugin }
        guard byName[plugin.identity] === plugin else { return }
        if plugin.isFilter { filters.insert(plugin, before: plugin.identity) }
        if plugin.roles.contains(.ui) { screens.insert(plugin, before: plugin.identity) }
    }

    /// Returns the index at which a plugin of this name is, or would be.
    private func index(of identity: String) -> Int {
        var (low, high) = (0, all.count)
        while low < high {
            let middle = (low + high) / 2
            if all[middle].identity < identity { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The global index after which every line is still kept.
    var evictedLine: Int {
        all.reduce(removedLine) { max($0, $1.log.evictedIndex) }
    }

    mutating func remove(_ plugin: Plugin) {
        guard byName.removeValue(forKey: plugin.identity) != nil else { return }
        removedLine = max(removedLine, plugin.log.lines.last?.globalIndex ?? 0)
        all.remove(at: index(of: plugin.identity))
        sort(plugin)
    }
}

extension [Plugin] {
    /// Inserts a plugin so that the list stays sorted by name.
    fileprivate mutating func insert(_ plugin: Plugin, before identity: String) {
        insert(plugin, at: firstIndex { $0.identity > identity } ?? endIndex)
    }
}

/// The generator of random numbers for pauses (SplitMix64).
struct BackoffJitter {
    var state: UInt64

    mutating func next() -> UInt32 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return UInt32(truncatingIfNeeded: mixed >> 32)
    }
}
