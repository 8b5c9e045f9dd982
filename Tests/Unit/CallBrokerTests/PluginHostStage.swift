import BrokerSocket
import CallBroker
import CallPlugins
import CallTesting

/// A broker in memory with plugins in memory: manifests are texts, processes do what the test says.
final class PluginHostStage {
    let memory: MemoryBroker
    let admin: MemoryPeer
    /// Manifests by identity, as they are in the one folder.
    var manifests: [String: String]
    private(set) var spawned: [ChildSettings] = []
    private(set) var processes: [ChildProcess] = []
    private(set) var kept: [String] = []
    /// The unit or the cgroup of the next process.
    var place: String?
    /// Why nothing can be started.
    var fault: SocketError?
    /// How often what was kept was moved away, and why it cannot be.
    private(set) var keptAside = 0
    private let asideFault: SocketError?

    init(
        _ manifests: [String: String], choices: String = "", memory: MemoryBroker = MemoryBroker(),
        topics: [String] = ["plugin.*", "provider.*"], asideFault: SocketError? = nil
    ) {
        self.asideFault = asideFault
        self.manifests = manifests
        self.memory = memory
        admin = memory.ready("admin", "observer", "controller")
        let names = topics.map { #""\#($0)""# }.joined(separator: ",")
        _ = admin.ask(
            Frame.request(
                1, "events.subscribe", #"{"topics":[\#(names)],"snapshot":false}"#))
        memory.broker.beginPlugins(host, choices: .success(Array(choices.utf8)))
    }

    private var host: PluginHost {
        var host = pluginHost
        host.appEnvironment = ["HOME": "/home/ada", "DISPLAY": ":0", "NOTIFY_SOCKET": "/n"]
        host.ownProgram = "/usr/bin/callbroker"
        return host
    }

    private var pluginHost: PluginHost {
        PluginHost(
            environment: ["HOME": "/home/ada", "SECRET": "x", "FIFO": "/f", "LANG": "C"],
            socket: "/run/broker.sock",
            spawn: { [unowned self] settings throws(SocketError) in try spawn(settings) },
            readManifests: { [unowned self] in
                var files = Array(files.reversed())
                return { files.popLast().map { .file($0) } ?? .end }
            },
            isProgram: { $0 == "/usr/bin/python3" },
            save: { [unowned self] bytes, then in
                kept.append(String(decoding: bytes, as: UTF8.self))
                then(.success(()))
            },
            quarantine: { [unowned self] () throws(SocketError) in
                if let asideFault { throw asideFault }
                keptAside += 1
                return "/state/plugins.json.kept-\(keptAside)"
            })
    }

    private var files: [PluginCatalog.File] {
        manifests.sorted { $0.key < $1.key }.map { name, text in
            PluginCatalog.File("/plugins/\(name).plugin.json", Array(text.utf8))
        }
    }

    private func spawn(_ settings: ChildSettings) throws(SocketError) -> ChildProcess {
        if let fault { throw fault }
        spawned.append(settings)
        let number = 500 + spawned.count
        let connection = settings.wiring == .none ? nil : Connection(inMemory: number)
        let process = ChildProcess(
            inMemory: Int32(number), connection: connection, place: place)
        processes.append(process)
        return process
    }

    /// The plugin's own end of its socket.
    func plugin(_ index: Int = 0) -> MemoryPeer {
        guard let connection = processes[index].connection else {
            preconditionFailure("this plugin has no socket")
        }
        return memory.adopt(connection)
    }

    func exit(_ index: Int = 0, _ exit: ChildProcess.Exit) {
        processes[index].exitInMemory = exit
        memory.exit(processes[index].watch)
    }

    func log(_ text: String, _ index: Int = 0) {
        Array(text.utf8).withUnsafeBufferPointer {
            memory.broker.handle(.logged(processes[index].log, $0))
        }
    }

    /// What the admin has heard: states of plugins, and events of providers.
    func news() -> [String] {
        admin.lines().compactMap { line in
            guard let data = try? JSONTree(line)["params"] else { return nil }
            let topic = data["topic"]?.string ?? ""
            guard topic == "plugin.state" else { return topic }
            let rest = data["data"]?.without("plugin", "state", "previous")
            let stderr = rest?["stderr"]?.elements.isEmpty ?? true ? rest?.without("stderr") : rest
            return "\(data["data"]?["previous"]?.string ?? "") -> "
                + "\(data["data"]?["state"]?.string ?? "") \(stderr.map { "\($0)" } ?? "")"
        }
    }

    /// The result of a request of the admin.
    func ask(_ method: String, _ params: String = "{}") throws -> JSONTree {
        _ = admin.lines()
        let frames = admin.ask(Frame.request(7, method, params))
        let json = try JSONTree(frames.last ?? "null")
        return json["result"] ?? json["error"] ?? json
    }

    /// The result of a rescan, which may take some turns.
    func rescan() throws -> JSONTree {
        _ = admin.lines()
        admin.send(Frame.request(7, "plugin.rescan"))
        while memory.broker.hasWork { memory.turn() }
        let reply = admin.lines().first { $0.contains(#""id":7"#) }
        return try JSONTree(reply ?? "null")["result"] ?? .null
    }

    /// The row of the only plugin, or of the one at a place.
    func row(_ index: Int = 0) throws -> JSONTree {
        try ask("plugin.list")["plugins"]?.elements[index] ?? .null
    }

    /// A manifest of a provider.
    static func bell(_ members: String = "", identity: String = "org.bell") -> String {
        let more = members.isEmpty ? "" : "," + members
        return
            #"{"manifest":1,"identity":"\#(identity)","roles":["provider"],"exec":["./bell"]\#(more)}"#
    }

    /// One that is ready as soon as it runs.
    static let implicit =
        #""start":"boot","handshake":"implicit","provider":{"handle_types":["generic"]}"#
}
