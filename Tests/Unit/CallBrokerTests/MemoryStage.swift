import BrokerSocket
import CallBroker
import CallModel
import CallPlugins
import CallTesting
import StoryPlayer
import Testing

/// A broker in memory as the stage of a story: everything happens at once.
final class MemoryStage: Stage {
    private var host: MemoryBroker
    private var peers: [Client: MemoryPeer] = [:]
    /// A client that keeps the calls by whole ones and by changes.
    private let comparing: ComparingObserver
    /// What came with the reply to a hello or a subscription.
    private var replayed: [Client: [String]] = [:]
    private(set) var clients: [Client] = [.user, .observer]
    private var processes: [ProviderID: ProcessWatch] = [:]
    /// Session and secret of each provider.
    private var keys: [ProviderID: Wire] = [:]
    private(set) var epoch = ""
    private(set) var offsetMS: Int64 = 0

    init() {
        host = MemoryBroker {
            $0.epoch = UUIDBits(high: 1, low: 1)
            let text = #"{"policy":\#(Wire.beginning.text)}"#
            do { try $0.merge(Array(text.utf8)) } catch { Issue.record(error) }
        }
        comparing = ComparingObserver(Self.witness(of: host))
        beginPlugins()
        greet(Hello.subscribe)
    }

    private static func witness(of host: MemoryBroker) -> MemoryPeer {
        let peer = host.connect()
        _ = peer.ask(Hello.observer)
        return peer
    }

    /// The filters that stories name are installed.
    private func beginPlugins() {
        let files = Filter.manifests.sorted { $0.key < $1.key }.map { identity, manifest in
            PluginCatalog.File("/plugins/\(identity).plugin.json", Array(manifest.utf8))
        }
        let plugins = PluginHost(
            environment: [:], socket: "/run/broker.sock",
            spawn: { _ in preconditionFailure("a filter of a story has no program") },
            readManifests: {
                var rest = Array(files.reversed())
                return { rest.popLast().map { .file($0) } ?? .end }
            }, isProgram: { _ in false }, save: { $1(.success(())) }, quarantine: { "" })
        host.broker.beginPlugins(plugins, choices: .success([]))
    }

    private func greet(_ subscribe: String) {
        let user = host.connect()
        let hello = Wire(text: user.ask(Hello.user).joined())
        peers[.user] = user
        epoch = hello?["result"]?["epoch"]?.string ?? ""
        offsetMS = hello?["result"]?.clockOffsetMS ?? 0
        let observer = host.connect()
        _ = observer.ask(Hello.observer)
        replayed[.observer] = Array(observer.ask(subscribe).dropFirst())
        peers[.observer] = observer
    }

    func perform(_ move: Move) throws {
        switch move {
        case .connect(let client, _): connect(client)
        case .send(let client, let frame): peers[client]?.send(frame.text)
        case .close(let client, isHalf: true): peers[client]?.endInput()
        case .close(let client, isHalf: false): peers[client]?.vanish()
        case .exit(let provider): if let process = processes[provider] { host.exit(process) }
        case .restart(let seq):
            host = try MemoryBroker(goingOnAfter: host)
            processes = [:]
            comparing.move(to: Self.witness(of: host), anew: false)
            beginPlugins()
            greet(Hello.subscribe(to: epoch, after: seq))
        case .settle: try settle()
        case .advance(let toMS): host.turn(afterMS: toMS - Int(host.now.milliseconds))
        }
    }

    private func connect(_ client: Client) {
        switch client {
        case .provider(let provider, _):
            let process = processes[provider] ?? ProcessWatch()
            processes[provider] = process
            let peer = host.connect(process: process)
            let hello = Hello.provider(provider, resuming: keys[provider])
            let reply = Wire(text: peer.ask(hello).joined())
            keys[provider] = reply?["result"]?.sessionKey
            peers[client] = peer
        case .filter(let filter):
            let peer = host.connect()
            replayed[client] = Array(peer.ask(Hello.filter(filter)).dropFirst())
            peers[client] = peer
        case .user, .observer: return
        }
        if !clients.contains(client) { clients.append(client) }
    }

    func frames(for client: Client, atLeast count: Int) throws -> [String] {
        let early = replayed.removeValue(forKey: client) ?? []
        return (early + (peers[client]?.lines() ?? [])).filter { !$0.isUnnumbered }
    }

    func settle() throws {
        // What has closed in one turn is handled in the next.
        host.turn()
        host.turn()
        comparing.read()
    }

    /// What is not the same for a client that is sent changes, once it has read everything.
    func differences() -> [String] {
        for _ in 0..<16 {
            host.turn()
            comparing.read()
        }
        return comparing.differences.map { String($0.prefix(2_000)) }
    }

    /// The curtain has fallen.
    func expectThatItsJournalTellsAll() throws {
        try host.expectThatItsJournalTellsAll()
    }
}
