import BrokerSocket
import CallBroker
import CallModel
import CallTesting
import StoryPlayer
import Testing

/// A broker in memory as the stage of a story: everything happens at once.
final class MemoryStage: Stage {
    private var host: MemoryBroker
    private var peers: [Client: MemoryPeer] = [:]
    /// What the observer got with the reply to its subscription.
    private var replayed: [String] = []
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
        greet(Hello.subscribe)
    }

    private func greet(_ subscribe: String) {
        let user = host.connect()
        let hello = Wire(text: user.ask(Hello.user).joined())
        peers[.user] = user
        epoch = hello?["result"]?["epoch"]?.string ?? ""
        offsetMS = hello?["result"]?.clockOffsetMS ?? 0
        let observer = host.connect()
        _ = observer.ask(Hello.observer)
        replayed = Array(observer.ask(subscribe).dropFirst())
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
            greet(Hello.subscribe(to: epoch, after: seq))
        case .advance(let toMS): host.turn(afterMS: toMS - Int(host.now.milliseconds))
        }
    }

    private func connect(_ client: Client) {
        guard case .provider(let provider, _) = client else { return }
        let process = processes[provider] ?? ProcessWatch()
        processes[provider] = process
        let peer = host.connect(process: process)
        let hello = Hello.provider(provider, resuming: keys[provider])
        let reply = Wire(text: peer.ask(hello).joined())
        keys[provider] = reply?["result"]?.sessionKey
        peers[client] = peer
        clients.append(client)
    }

    func frames(for client: Client, atLeast count: Int) throws -> [String] {
        let early = client == .observer ? replayed : []
        if client == .observer { replayed = [] }
        return (early + (peers[client]?.lines() ?? [])).filter { !$0.isUnnumbered }
    }

    func settle() throws {}

    /// The curtain has fallen.
    func expectThatItsJournalTellsAll() throws {
        try host.expectThatItsJournalTellsAll()
    }
}
