import BrokerSocket
import CallPlugins
import CallProtocol
import CallStore
import CallTesting

@testable import CallBroker

/// The user's side of a broker in memory: plugins that are asked about calls, and a store.
extension MemoryBroker {
    /// A plugin that is asked about calls. What its manifest would say is said here.
    func adviser(
        _ role: Role, _ identity: String, budgetMS: Int? = nil, failsClosed: Bool = false
    ) -> MemoryPeer {
        let client = ready("observer")
        let peer = Array(broker.peers.all).max { $0.number < $1.number }
        peer?.identity = identity
        peer?.roles = RoleSet(role)
        var manner = PluginManifest.Screening()
        (manner.budgetMS, manner.failsClosed) = (budgetMS, failsClosed)
        var manifest = PluginManifest(identity: identity, name: identity, roles: RoleSet(role))
        if role == .screener { manifest.screener = manner } else { manifest.directory = manner }
        peer?.plugin = Plugin(
            PluginCatalog.Entry(
                identity: identity, path: "/\(identity)", content: .usable(manifest)))
        if let peer { broker.screener.addScreener(peer) }
        return client
    }
}

extension MemoryPeer {
    /// Takes what it is asked, each with its id; what else came is lost.
    func asked(_ method: String) -> [(id: Int, params: JSONTree)] {
        lines().compactMap { try? JSONTree($0) }.compactMap { frame in
            guard frame["method"]?.string == method, let id = frame["id"]?.integer else {
                return nil
            }
            return (id, frame["params"] ?? .null)
        }
    }

    /// Answers whatever it is asked.
    func answer(_ method: String, _ result: String) {
        for (id, _) in asked(method) { send(Frame.result(id, result)) }
    }
}

/// A store in memory, on its thread, which is waited for.
final class MemoryStore {
    private let host: MemoryBroker
    private let wakeup: Wakeup
    private let thread: StoreThread

    init(of host: MemoryBroker, at place: StorePlace = .memory) throws {
        self.host = host
        wakeup = try Wakeup()
        thread = try StoreThread(place, wakes: wakeup)
        host.broker.attach(thread)
        settle()
    }

    deinit {
        thread.stop()
    }

    /// Everything that was asked is done, and told.
    func settle() {
        while !thread.isIdle {
            wakeup.wait()
            host.broker.drainStore()
        }
    }

    /// Keeps the store busy until the gate that this returns is signalled.
    func hold() throws -> Wakeup {
        let (gate, entered) = (try Wakeup(), try Wakeup())
        thread.submit(
            .read,
            { (_) throws(StoreError) in
                entered.signal()
                gate.wait()
            }
        ) { _ in }
        entered.wait()
        return gate
    }

    /// A request that the store answers, and what comes of it.
    func tell(_ peer: MemoryPeer, _ method: String, _ params: String? = nil) -> [String] {
        peer.post(method, params)
        settle()
        return peer.brief()
    }
}
