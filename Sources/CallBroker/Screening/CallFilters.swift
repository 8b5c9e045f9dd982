internal import BrokerSocket
internal import CallArbitration
internal import CallModel
internal import CallPlugins
internal import CallProtocol

/// The screeners and directories that a call has to pass before it rings. Connected ones receive a
/// request, on-demand ones are started by the call, and for absent ones their fallback verdict
/// applies.
struct CallFilters {
    let broker: Broker

    /// The time for look-ups before a call rings.
    private static let lookUpMS = 700

    /// True if a call has to pass any filter.
    var hasFilters: Bool {
        !broker.screener.screeners.isEmpty
            || broker.plugins.table.filters.contains(where: \.takesPart)
    }

    /// The filters that a call would start.
    var dormantFilters: [String] {
        broker.plugins.table.filters.filter(\.isDormant).map(\.identity)
    }

    // MARK: - Requests

    /// Starts the on-demand filters.
    ///
    /// - Parameter isWanted: returns true for the roles of filters to start.
    func bringUpFilters(where isWanted: (RoleSet) -> Bool = { _ in true }) {
        guard !broker.isStopping else { return }
        for plugin in broker.plugins.table.filters where plugin.isOnDemand && isWanted(plugin.roles)
        {
            broker.plugins.apply(.demanded, to: plugin)
        }
    }

    /// Sends a request about a call to every connected filter, and waits for those that may be
    /// ready in time.
    func askFilters(about view: CallView, _ screening: inout Screening) {
        for peer in broker.screener.screeners where peer.stage == .ready {
            for source in sources(of: peer.identity, peer.roles, view) {
                let manifest = peer.plugin?.manifest
                screening.ask(
                    source, until: deadline(of: source, manifest),
                    otherwise: fallback(of: source, peer.plugin))
                ask(source, about: view, peer, screening)
            }
        }
        let isTrial = broker.trials.includes(view.call)
        for plugin in broker.plugins.table.filters
        where plugin.takesPart && !(isTrial && plugin.isDormant) {
            for source in sources(of: plugin.identity, plugin.rolesAsked, view)
            where !screening.awaits(source) {
                expect(source, of: plugin, &screening)
            }
        }
    }

    /// Returns the sources that a plugin is for a call, by its roles.
    func sources(
        of identity: String?, _ roles: RoleSet, _ view: CallView
    ) -> [Screening.Source] {
        guard let identity else { return [] }
        var sources: [Screening.Source] = []
        if roles.contains(.screener) { sources.append(.screener(identity)) }
        if roles.contains(.directory), view.properties.remote != nil {
            sources.append(.directory(identity))
        }
        return sources
    }

    private func deadline(
        of source: Screening.Source, _ manifest: PluginManifest?
    ) -> MonotonicTime {
        let budgetMS =
            switch source {
            case .directory: manifest?.directory?.budgetMS ?? Self.lookUpMS
            case .screener, .store:
                manifest?.screener?.budgetMS ?? broker.arbiter.policy.screeningMS
            }
        return broker.clock.now.advanced(milliseconds: budgetMS)
    }

    private func fallback(
        of source: Screening.Source, _ plugin: Plugin?
    ) -> Screening.Response.Verdict {
        guard case .screener(let identity) = source, plugin?.requiredBy != nil else { return .none }
        return .block(.screener, by: identity)
    }

    func ask(
        _ source: Screening.Source, about view: CallView, _ peer: Peer, _ screening: Screening
    ) {
        switch source {
        case .store: break
        case .screener:
            let end = screening.deadline(of: source) ?? broker.clock.now
            broker.screener.check(
                view, with: peer,
                withinMS: max(1, Int(end.milliseconds - broker.clock.now.milliseconds)))
        case .directory:
            if let remote = view.properties.remote {
                broker.screener.lookUp(view.call, remote, with: peer)
            }
        }
    }

    /// Waits for a plugin that is not connected if it may be ready in time; otherwise its fallback
    /// applies at once.
    private func expect(
        _ source: Screening.Source, of plugin: Plugin, _ screening: inout Screening
    ) {
        let deadline = deadline(of: source, plugin.manifest)
        let fallback = fallback(of: source, plugin)
        guard let absence = absence(of: plugin, until: deadline) else {
            return screening.ask(source, until: deadline, otherwise: fallback)
        }
        guard fallback != .none || !absence.isDeliberate else { return }
        screening.ask(source, until: deadline, otherwise: fallback)
        screening.abandon(source, absence)
    }

    /// Returns the reason why a plugin will have no session by `deadline`; nil if it may have one.
    func absence(of plugin: Plugin, until deadline: MonotonicTime) -> Absence? {
        if plugin.peer?.stage == .ready { return .otherRole }
        guard plugin.isEnabled else { return .disabled }
        guard !plugin.isWithdrawn else { return .notInstalled }
        switch plugin.supervision.state {
        case .starting, .ready, .unresponsive: return nil
        case .backoff:
            let retryAt = plugin.supervision.retryAt?.nanoseconds ?? .max
            return retryAt < deadline.nanoseconds ? nil : .pausing
        case .stopped: return plugin.hasProgram ? .stopped : .notConnected
        case .masked: return .notReadable
        case .disabled: return .disabled
        case .failed: return .givenUp
        }
    }
}

extension Plugin {
    /// The roles in which calls need the plugin. A plugin that must approve every call is a
    /// screener, whatever the state of its manifest.
    fileprivate var rolesAsked: RoleSet {
        requiredBy == nil ? roles : roles.union(.screener)
    }

    /// True for an on-demand plugin that has not been started.
    fileprivate var isDormant: Bool {
        isEnabled && !isWithdrawn && isOnDemand && supervision.state == .stopped
    }

    /// True if a call may have to wait for the plugin, or must not ring without it.
    fileprivate var takesPart: Bool {
        if requiredBy != nil { return true }
        guard isEnabled, !isWithdrawn else { return false }
        switch supervision.state {
        case .stopped: return isOnDemand
        case .starting, .ready, .unresponsive, .backoff, .failed: return true
        case .disabled, .masked: return false
        }
    }
}
