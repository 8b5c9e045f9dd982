internal import BrokerSocket
internal import CallArbitration
internal import CallModel
internal import CallPlugins
internal import CallProtocol

/// The plugins that calls pass before they ring: those that are there are asked, those that come with the
/// first call are started by it, and of those that cannot be asked it is known what that means.
struct CallFilters {
    let broker: Broker

    /// How long look-ups are waited for before the ring.
    private static let lookUpMS = 700

    /// Whether a call has to pass any of them.
    var hasFilters: Bool {
        !broker.screener.advisers.isEmpty
            || broker.plugins.table.filters.contains(where: \.takesPart)
    }

    // MARK: - Asking

    /// Starts those that start with the first call.
    /// - Parameter isWanted: for the call, by the role that it has.
    func bringUpFilters(where isWanted: (RoleSet) -> Bool = { _ in true }) {
        guard !broker.isStopping else { return }
        for plugin in broker.plugins.table.filters where plugin.isOnDemand && isWanted(plugin.roles)
        {
            broker.plugins.apply(.demanded, to: plugin)
        }
    }

    /// Asks all that are there, and waits for those that come in time.
    func askFilters(about view: CallView, _ screening: inout Screening) {
        for peer in broker.screener.advisers where peer.stage == .ready {
            for source in sources(of: peer.identity, peer.roles, view) {
                let manifest = peer.plugin?.manifest
                screening.ask(
                    source, until: deadline(of: source, manifest),
                    otherwise: fallback(of: source, peer.plugin))
                ask(source, about: view, peer, screening)
            }
        }
        for plugin in broker.plugins.table.filters where plugin.takesPart {
            for source in sources(of: plugin.identity, plugin.rolesAsked, view)
            where !screening.awaits(source) {
                expect(source, of: plugin, &screening)
            }
        }
    }

    /// What a plugin is to be asked about a call.
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
    ) -> Screening.Answer.Verdict {
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

    /// One that is not there is waited for if it may be in time; else it has said all that it says.
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
        screening.giveUp(source, absence)
    }

    /// Why a plugin without a session will have none by then; nil if it may.
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

    // MARK: - Coming and going

}

extension Plugin {
    /// What it is asked as; one that no call rings without is a screener, whatever has become of its
    /// manifest.
    fileprivate var rolesAsked: RoleSet {
        requiredBy == nil ? roles : roles.union(.screener)
    }

    /// A call may have to wait for it, or must not ring without it.
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
