internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// Providers come, are away for a while, and go (rules 26 and 27).
final class ProviderSessions {
    private unowned let broker: Broker

    private var table = SessionTable()
    private var ended = FormerSessions()
    /// Sessions whose processes are watched.
    private var watched: [ObjectIdentifier: ProviderSession] = [:]
    /// Processes that have exited in this turn.
    private var exits: [ProcessWatch] = []

    init(_ broker: Broker) {
        self.broker = broker
    }

    // MARK: - Reading

    subscript(provider: ProviderID) -> ProviderSession? {
        table[provider]
    }

    var all: some Collection<ProviderSession> {
        table.all
    }

    /// The names of the registered providers, in order.
    var registered: [ProviderID] {
        table.registered
    }

    /// The registered providers behind a name, in order.
    func registered(after name: String?) -> ArraySlice<ProviderID> {
        table.registered(after: name)
    }

    // MARK: - Opening

    /// Gives a connection the session of a provider: its own again if it can show the key, else a
    /// new one. One that is connected is only superseded by who has its key, or that of the session
    /// that it took the place of.
    /// - Returns: Whether the earlier session goes on.
    func open(
        _ provider: ProviderID, _ resume: (session: String, secret: String)?, for peer: Peer
    ) throws(RPCError) -> Bool {
        let former = table[provider]
        let key = resume.flatMap { self.key(of: provider, $0, besides: former) }
        if let holder = former?.peer {
            // One that has hung up is gone, though what it had sent may not all be handled yet.
            guard key != nil || holder.connection.isDeaf else { throw Self.identityInUse }
            disconnect(holder)
            broker.peers.dismiss(
                holder, reason: .superseded, "the session goes on in a new connection")
        }
        // Another process may go on with it.
        if let former { unwatch(former) }
        let session: ProviderSession
        if let former, former.key == key {
            session = former
        } else {
            session = ProviderSession(provider: provider, key: key ?? .random())
            session.isRegistered = former?.isRegistered ?? false
            session.displayName = former?.displayName
            session.isNewcomer = former != nil && key == nil
            if let resume, broker.arbiter.configuration(of: provider) == nil {
                session.reset = ended.reset(resume.session)
            }
            if let former { ended.note(session, insteadOf: former, at: broker.clock.now) }
        }
        table[provider] = session
        session.peer = peer
        session.plugin = peer.plugin
        peer.session = session
        return key != nil
    }

    /// The key that somebody shows, if it is that of the session that there is, or of one before it.
    private func key(
        of provider: ProviderID, _ shown: (session: String, secret: String),
        besides current: ProviderSession?
    ) -> SessionKey? {
        guard let current else { return nil }
        if shown.session == current.key.id, shown.secret == current.key.secret {
            return current.key
        }
        return ended.key(of: provider, shown, at: broker.clock.now)
    }

    private static let identityInUse = RPCError(
        .alreadyExists, reason: .identity, "a provider with this identity is connected"
    ).with {
        $0.field = "/identity"
        $0.hint = "close that connection, or resume its session"
    }

    /// The connection of a provider is gone, or will hear nothing any more.
    func disconnect(_ peer: Peer) {
        broker.pluginProcesses.release(peer)
        broker.screens.disconnect(peer)
        guard let session = peer.session, session.peer === peer else { return }
        release(session)
        guard session.isRegistered else {
            unwatch(session)
            ended.add(session, nil, at: broker.clock.now)
            return table[session.provider] = nil
        }
        if !broker.isStopping { broker.decide(.providerLost(session.provider)) }
    }

    /// Whether a process that has exited had sent frames that wait for their turn.
    private func hasFramesLeft(from process: ProcessWatch) -> Bool {
        let session = watched[ObjectIdentifier(process)]
        guard let peer = broker.plugins.table.running(process)?.peer ?? session?.peer else {
            return false
        }
        // Nothing is waited for that may never come.
        let isOutrun = session.map { broker.history.isOutrun(by: $0.provider) } ?? false
        return peer.backlog == .waiting && !isOutrun
    }

    /// A provider's process has exited.
    private func noteExit(of process: ProcessWatch) {
        if let plugin = broker.plugins.table.running(process) {
            return broker.pluginProcesses.noteExit(of: plugin)
        }
        guard let session = watched[ObjectIdentifier(process)] else { return }
        unwatch(session)
        let peer = session.peer
        release(session)
        broker.decide(.providerExited(session.provider))
        // A child of it may hold the connection still.
        if let peer {
            broker.peers.dismiss(
                peer, reason: .processExited, "the process that connected has exited")
        }
    }

    private func release(_ session: ProviderSession) {
        session.peer?.discardRequests()
        if let peer = session.peer { broker.heartbeats.stop(peer) }
        session.peer = nil
    }

    /// From now on it is noticed when the process that connected exits.
    func watch(_ session: ProviderSession, _ connection: Connection) {
        // Of a plugin that we have started, that process decides, whoever connects for it.
        guard session.plugin?.process == nil, session.process == nil,
            let process = connection.watchProcess()
        else { return }
        session.process = process
        watched[ObjectIdentifier(process)] = session
    }

    private func unwatch(_ session: ProviderSession) {
        guard let process = session.process else { return }
        process.stop()
        session.process = nil
        watched[ObjectIdentifier(process)] = nil
    }

    /// The arbiter has forgotten a provider; unless it is there again at once, without its calls.
    func remove(_ provider: ProviderID, _ reason: RemovalReason) {
        guard let session = table[provider], broker.arbiter.configuration(of: provider) == nil
        else {
            return
        }
        table.setRegistered(session, false)
        session.reset = ResetReason(reason)
        unwatch(session)
        guard session.peer == nil else { return }
        ended.add(session, session.reset, at: broker.clock.now)
        table[provider] = nil
    }
}

// Processes that exit.
extension ProviderSessions {
    /// Notes the exit of a process, which is handled when everything readable was read.
    func noteExitLater(of process: ProcessWatch) {
        exits.append(process)
    }

    /// Everything that was readable has been read: now for the processes that are gone.
    func settleExits() {
        guard !exits.isEmpty else { return }
        let gone = exits
        exits = []
        for process in gone {
            if hasFramesLeft(from: process) { exits.append(process) } else { noteExit(of: process) }
        }
        broker.turn.meter.end(.exit, at: .now())
    }

    func setRegistered(_ session: ProviderSession, _ isRegistered: Bool) {
        table.setRegistered(session, isRegistered)
    }

    /// Drops the session of a provider that was never registered.
    func drop(_ provider: ProviderID) {
        table[provider] = nil
    }
}

// What outlives the broker.
extension ProviderSessions {
    var stored: [StoredSession] {
        table.all.filter(\.isRegistered).map(\.stored)
    }

    func restore(_ stored: StoredSession) {
        let key = SessionKey(id: stored.id, secret: stored.secret)
        let session = ProviderSession(provider: stored.provider, key: key)
        session.isRegistered = true
        session.displayName = broker.arbiter.configuration(of: stored.provider)?.displayName
        if let former = table[stored.provider], former.key != key {
            ended.note(session, insteadOf: former, at: broker.clock.now)
        }
        table[stored.provider] = session
    }

    /// Gives everybody that was away as much time again.
    func renewFormer() {
        ended.renew(at: broker.clock.now)
    }
}
