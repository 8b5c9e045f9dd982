internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// Whether an app may be a provider: the user says so.
extension Broker {
    /// - Throws: CallKit's `unentitled`.
    func checkAuthorized(
        _ provider: ProviderID, _ domain: CallKitCode.Domain
    ) throws(RPCError) {
        guard !choices.isAuthorized(provider) else { return }
        throw RPCError(Refusal(.unentitled, rule: .rights), domain).with {
            $0.hint = notAllowed(provider)
        }
    }

    /// Why an app that could have calls has none, and what to do about it.
    func notAllowed(_ provider: ProviderID) -> String {
        let state =
            choices.authorization(of: provider) == .denied ? "is denied" : "waits to be allowed"
        return "\(provider.name) \(state), and may have no calls; to allow it: "
            + "callbroker policy set authorization.\(provider.name)=authorized"
    }

    /// Of the calls that an app has when it registers, those that are new here: it may have none.
    func unauthorizedCalls(in calls: [LiveCall], of provider: ProviderID) -> [CallID] {
        guard !choices.isAuthorized(provider) else { return [] }
        let known = Set(arbiter.calls(of: provider))
        return calls.map(\.call).filter { !known.contains($0) }
    }

    /// Who is denied loses the calls that it has. One whom the user has only to be asked about keeps
    /// them until they end.
    func revokeDenied(since former: HostChoices) {
        for provider in changed(since: former, among: arbiter.providerIDs)
        where choices.authorization(of: provider) == .denied
            && arbiter.configuration(of: provider) != nil
        {
            decide(.providerRevoked(provider))
        }
    }

    /// Providers whose standing has changed are told, and everybody who watches.
    func tellAuthorizations(since former: HostChoices) {
        for provider in changed(since: former, among: sessions.registered) {
            guard let session = sessions[provider], session.isRegistered else { continue }
            let status = choices.authorization(of: provider)
            if let peer = session.peer {
                notify(peer, "provider.authorization_changed") { writer in
                    writer.member("status", status.rawValue)
                }
            }
            tell(.providerChanged, nil, provider) { write(provider, to: &$0) }
        }
    }

    /// The providers whose standing has changed, in order. Only what new ones may do concerns those that
    /// nobody has named.
    private func changed(
        since former: HostChoices, among all: @autoclosure () -> [ProviderID]
    ) -> [ProviderID] {
        let isSame = choices.newProviders == former.newProviders
        guard !isSame || choices.authorizations != former.authorizations else { return [] }
        let named = Set(choices.authorizations.keys).union(former.authorizations.keys).sorted()
        return (isSame ? named : all()).filter {
            choices.authorization(of: $0) != former.authorization(of: $0)
        }
    }
}
