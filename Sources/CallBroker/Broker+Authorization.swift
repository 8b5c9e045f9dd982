internal import BrokerJSON
internal import BrokerRPC
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// Whether an app may be a provider: the user says so.
extension Broker {
    /// - Throws: CallKit's `unentitled`.
    func checkAuthorized(
        _ provider: ProviderID, _ domain: CallKitCode.Domain
    ) throws(RPCError) {
        guard choices.authorization(of: provider) != .authorized else { return }
        throw RPCError(Refusal(.unentitled), domain).with {
            $0.hint =
                "the user has not allowed this app to have calls: "
                + "callbroker policy set authorization.\(provider.name)=authorized"
        }
    }

    /// Providers whose standing has changed are told, and everybody who watches.
    func tellAuthorizations(since former: HostChoices) {
        for session in sessions.values.sorted(by: { $0.provider < $1.provider })
        where session.isRegistered {
            let status = choices.authorization(of: session.provider)
            guard status != former.authorization(of: session.provider) else { continue }
            if let peer = session.peer {
                notify(peer, "provider.authorization_changed") { writer in
                    writer.member("status", status.rawValue)
                }
            }
            tell(.providerChanged, nil, session.provider) { write(session.provider, to: &$0) }
        }
    }
}
