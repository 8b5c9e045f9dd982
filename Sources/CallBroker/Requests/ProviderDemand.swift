internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallModel
internal import CallPlugins
internal import CallProtocol

/// The start of providers that a call needs and that are not running.
struct ProviderDemand {
    let broker: Broker

    /// The providers that can be started, besides the registered ones.
    var startableProviders: [ProviderID] {
        broker.plugins.all.filter { $0.isOnDemand && $0.manifest?.provider != nil }
            .map { ProviderID($0.identity) } + broker.startable.all
    }

    /// The configuration of a registered provider, that in its manifest, or the one with which it was
    /// registered before.
    func configuration(of provider: ProviderID) -> ProviderConfiguration? {
        broker.configuration(of: provider)
            ?? broker.plugins[provider.name]?.manifest?.provider
            ?? broker.startable.configuration(of: provider)
    }

    /// A provider that a request needs, and that does not run: a plugin, or an app that has said how
    /// it is started.
    struct AbsentProvider {
        /// Nil for an app that is no plugin.
        fileprivate let plugin: Plugin?
        let provider: ProviderID
        fileprivate let configuration: ProviderConfiguration

        /// The event after which a request for the provider waits until it has registered.
        var starting: ArbiterEvent {
            .providerStarting(provider, configuration)
        }
    }

    /// Returns the providers that a request's starts need and that have to be started first.
    ///
    /// - Throws: an error if a plugin cannot be started now.
    func absentProviders(for actions: [RequestedAction]) throws(RPCError) -> [AbsentProvider] {
        var absent: [AbsentProvider] = []
        for provider in actions.compactMap(\.provider)
        where !absent.contains(where: { $0.provider == provider }) {
            if let one = try absentProvider(provider) { absent.append(one) }
        }
        return absent
    }

    /// Returns a provider that has to be started first; nil for any other.
    ///
    /// - Throws: an error if it is a plugin that cannot be started now.
    func absentProvider(_ provider: ProviderID) throws(RPCError) -> AbsentProvider? {
        guard broker.configuration(of: provider) == nil else { return nil }
        return try absentPlugin(provider) ?? absentApp(provider)
    }

    private func absentPlugin(_ provider: ProviderID) throws(RPCError) -> AbsentProvider? {
        guard let plugin = broker.plugins[provider.name],
            plugin.manifest?.roles.contains(.provider) ?? false, plugin.state != .ready
        else { return nil }
        try checkReadiness(of: plugin)
        let configuration =
            plugin.manifest?.provider
            ?? ProviderConfiguration(displayName: plugin.manifest?.name ?? "", handleKinds: [])
        return AbsentProvider(plugin: plugin, provider: provider, configuration: configuration)
    }

    private func absentApp(_ provider: ProviderID) -> AbsentProvider? {
        guard broker.plugins[provider.name] == nil,
            let configuration = broker.startable.configuration(of: provider)
        else { return nil }
        return AbsentProvider(plugin: nil, provider: provider, configuration: configuration)
    }

    /// Starts providers; requests for them wait until they have registered.
    func start(_ absent: [AbsentProvider]) {
        for one in absent {
            broker.decide(one.starting)
            if let plugin = one.plugin {
                broker.plugins.apply(.demanded, to: plugin)
            } else {
                broker.startable.start(one.provider)
            }
        }
    }

    private func checkReadiness(of plugin: Plugin) throws(RPCError) {
        switch plugin.state {
        case .stopped where plugin.isOnDemand, .starting, .ready, .unresponsive: return
        case .backoff:
            let restMS = plugin.supervision.retryAt.map {
                ($0.nanoseconds - broker.clock.now.nanoseconds) / 1_000_000
            }
            throw RPCError(
                Refusal(.providerGone, rule: .providerLost), .requestTransaction
            ).with {
                $0.retryAfterMS = Int(max(1, restMS ?? 1))
                $0.hint = "the plugin has failed, and is started again then: plugin.doctor says why"
            }
        case .disabled, .masked, .stopped, .failed:
            throw RPCError(
                Refusal(.unknownProvider, rule: .unknownCall), .requestTransaction
            ).with {
                $0.hint =
                    "the provider is a plugin that is \(plugin.state.rawValue): plugin.doctor and "
                    + "plugin.list say more"
            }
        }
    }

    /// Stops waiting for a plugin that will not register.
    func settleDemand(for plugin: Plugin, in state: Supervision.State) {
        let provider = ProviderID(plugin.identity)
        switch state {
        case .disabled, .masked, .stopped, .backoff, .failed:
            if broker.arbiter.isStarting(provider) { broker.decide(.providerExited(provider)) }
            broker.pushes.handleExit(of: provider)
        case .starting, .ready, .unresponsive: break
        }
        broker.screener.settleFilter(plugin)
    }
}

extension Plugin {
    /// True if a call may start the plugin.
    var isOnDemand: Bool {
        guard hasProgram, isEnabled, manifest?.start == .demand else { return false }
        switch supervision.state {
        // During the backoff a call is refused with the time to retry.
        case .stopped, .starting, .ready, .unresponsive, .backoff: return true
        case .disabled, .masked, .failed: return false
        }
    }
}
