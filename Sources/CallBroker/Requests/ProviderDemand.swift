internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallModel
internal import CallPlugins
internal import CallProtocol

/// Providers that are started when a call needs them.
struct ProviderDemand {
    let broker: Broker

    /// Those that could be, besides those that are registered.
    var startableProviders: [ProviderID] {
        broker.plugins.all.filter { $0.isOnDemand && $0.manifest?.provider != nil }
            .map { ProviderID($0.identity) }
    }

    /// What a provider said of itself, or its manifest says of it.
    func configuration(of provider: ProviderID) -> ProviderConfiguration? {
        broker.arbiter.configuration(of: provider)
            ?? broker.plugins[provider.name]?.manifest?.provider
    }

    /// Brings the providers of a request's starts up, where they are plugins that are not there: the
    /// arbiter lets the request wait for them. For a dry run it only has to know them.
    /// - Returns: Those that it is to forget again.
    func bringUp(
        for actions: [RequestedAction], isDry: Bool
    ) throws(RPCError) -> [ProviderID] {
        var expected: [ProviderID] = []
        for provider in actions.compactMap(\.provider) {
            guard let plugin = broker.plugins[provider.name],
                plugin.manifest?.roles.contains(.provider)
                    ?? false, broker.arbiter.configuration(of: provider) == nil,
                plugin.state != .ready
            else { continue }
            try checkReadiness(of: plugin)
            let configuration =
                plugin.manifest?.provider
                ?? ProviderConfiguration(displayName: plugin.manifest?.name ?? "", handleKinds: [])
            broker.decide(.providerStarting(provider, configuration))
            if isDry {
                expected.append(provider)
            } else {
                broker.plugins.apply(.demanded, to: plugin)
            }
        }
        return expected
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

    /// Nothing was to happen: what was expected for it is expected no more.
    func forgetExpected(_ providers: [ProviderID]) {
        for provider in providers where broker.arbiter.isStarting(provider) {
            broker.decide(.providerExited(provider))
        }
    }

    /// A plugin that calls wait for does not come.
    func settleDemand(for plugin: Plugin, in state: Supervision.State) {
        let provider = ProviderID(plugin.identity)
        switch state {
        case .disabled, .masked, .stopped, .backoff, .failed:
            if broker.arbiter.isStarting(provider) { broker.decide(.providerExited(provider)) }
        case .starting, .ready, .unresponsive: break
        }
        broker.screener.settleFilter(plugin)
    }
}

extension Plugin {
    /// A call may start it.
    var isOnDemand: Bool {
        guard hasProgram, isEnabled, manifest?.start == .demand else { return false }
        switch supervision.state {
        // In its pause the call is told when to come again.
        case .stopped, .starting, .ready, .unresponsive, .backoff: return true
        case .disabled, .masked, .failed: return false
        }
    }
}
