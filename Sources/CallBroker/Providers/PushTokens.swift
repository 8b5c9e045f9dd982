internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// The addresses at which servers can push to apps, as gateways have reported them. Each is kept as
/// long as the connection of its gateway.
final class PushTokens: BrokerPart {
    private struct Entry {
        let gateway: Peer
        let provider: ProviderID
        let type: String
        let token: String
    }

    /// The latest last: it counts for its app and type.
    private var entries: [Entry] = []

    private static let countMax = 1_024

    /// Sets the address of a gateway, or removes it.
    func set(_ params: SetPushTokenParams, _ target: ReplyTarget) throws(RPCError) {
        let (provider, type) = (params.provider, params.type)
        try broker.pushes.checkThatItIsKnown(provider, to: target.peer)
        let former = current(provider, type)
        var others = entries.filter {
            $0.gateway !== target.peer || $0.provider != provider || $0.type != type
        }
        if let token = params.token {
            guard others.count < Self.countMax else { throw Self.tooMany }
            others.append(
                Entry(gateway: target.peer, provider: provider, type: type, token: token))
        }
        entries = others
        broker.outbox.reply(target) { _ in }
        if current(provider, type) != former { notify(provider, type, current(provider, type)) }
    }

    private static let tooMany = RPCError(
        .limitReached, reason: .maxEntries, "there are too many addresses for pushes"
    ).with { $0.limit = RPCError.Limit(name: "push_tokens", value: countMax) }

    /// Sends an app that has registered its addresses: without a gateway, its identity.
    func send(to provider: ProviderID) {
        for type in broker.configuration(of: provider)?.pushTypes ?? [] {
            notify(provider, type, current(provider, type) ?? provider.name)
        }
    }

    /// Removes the addresses of a gateway that is gone.
    func disconnect(_ peer: Peer) {
        let gone = entries.filter { $0.gateway === peer }
        guard !gone.isEmpty else { return }
        let former = gone.map { current($0.provider, $0.type) }
        entries.removeAll { $0.gateway === peer }
        for (entry, former) in zip(gone, former) {
            let token = current(entry.provider, entry.type)
            if token != former { notify(entry.provider, entry.type, token) }
        }
    }

    private func current(_ provider: ProviderID, _ type: String) -> String? {
        entries.last { $0.provider == provider && $0.type == type }?.token
    }

    private func notify(_ provider: ProviderID, _ type: String, _ token: String?) {
        guard let app = broker.pushes.app(of: provider, taking: type) else { return }
        broker.outbox.notify(app, "push.token") { writer in
            writer.member("type", type)
            writer.name("token")
            if let token { writer.value(token) } else { writer.null() }
        }
    }
}
