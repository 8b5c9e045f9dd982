internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// The sessions of providers: opened, lost for a while, resumed and removed (rules 26 and 27).
final class ProviderSessions: BrokerPart {
    private var table = SessionTable()
    private var ended = EndedSessions()
    /// Sessions whose processes are watched.
    private var watched: [ObjectIdentifier: ProviderSession] = [:]
    /// Processes that have exited in this turn.
    private var exits: [ProcessWatch] = []

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

    /// Opens the session of a provider in a connection: the earlier session if the client has its
    /// key, otherwise a new one. A connected provider is superseded only with its key, or that of the
    /// session that it has replaced.
    ///
    /// - Returns: true if the earlier session is resumed.
    func open(
        _ provider: ProviderID, _ resume: (session: String, secret: String)?, for peer: Peer
    ) throws(RPCError) -> Bool {
        let former = table[provider]
        let key = resume.flatMap { self.key(of: provider, $0, besides: former) }
        if let holder = former?.peer {
            // A client that has disconnected is gone, even if some of its frames still wait.
            guard key != nil || holder.connection.isDeaf else { throw Self.identityInUse }
            disconnect(holder)
            broker.peers.dismiss(
                holder, reason: .superseded, "the session goes on in a new connection")
        }
        // Another process may resume the session.
        if let former { unwatch(former) }
        let session: ProviderSession
        if let former, former.key == key {
            session = former
        } else {
            session = ProviderSession(provider: provider, key: key ?? .random())
            session.isRegistered = former?.isRegistered ?? false
            session.configuration = former?.configuration
            session.isNewcomer = former != nil && key == nil
            if let resume, broker.configuration(of: provider) == nil {
                session.reset = ended.reset(resume.session)
            }
            if let former { ended.replace(former, by: session, at: broker.clock.now) }
        }
        table[provider] = session
        session.peer = peer
        session.plugin = peer.plugin
        peer.session = session
        return key != nil
    }

    /// Returns the key in a hello if it is that of the current session, or of an earlier one.
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

    /// Handles the loss of a provider's connection.
    func disconnect(_ peer: Peer) {
        broker.pluginProcesses.release(peer)
        broker.screens.disconnect(peer)
        broker.endpoints.disconnect(peer)
        broker.handover.disconnect(peer)
        broker.forwarded.disconnect(peer)
        broker.pushes.disconnect(peer)
        broker.pushTokens.disconnect(peer)
        guard let session = peer.session, session.peer === peer else { return }
        release(session)
        guard session.isRegistered else {
            unwatch(session)
            ended.add(session, nil, at: broker.clock.now)
            return table[session.provider] = nil
        }
        if !broker.isStopping { broker.decide(.providerLost(session.provider)) }
    }

    /// Returns true if frames of a process that has exited wait for their turn.
    private func hasFramesLeft(from process: ProcessWatch) -> Bool {
        let session = watched[ObjectIdentifier(process)]
        guard let peer = broker.plugins.table.running(process)?.peer ?? session?.peer else {
            return false
        }
        // Frames that wait for the store or for a reader may never be handled.
        let isOutrun = session.map { broker.history.isOutrun(by: $0.provider) } ?? false
        return peer.backlog == .waiting && !isOutrun
    }

    /// Handles the exit of a provider's process.
    private func handleExit(of process: ProcessWatch) {
        if let plugin = broker.plugins.table.running(process) {
            return broker.pluginProcesses.handleExit(of: plugin)
        }
        if broker.startable.handleExit(of: process) { return }
        guard let session = watched[ObjectIdentifier(process)] else { return }
        unwatch(session)
        let peer = session.peer
        release(session)
        broker.decide(.providerExited(session.provider))
        // A child process may still hold the connection.
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

    /// Watches for the exit of the process that connected.
    func watch(_ session: ProviderSession, _ connection: Connection) {
        // For a plugin with a supervised process, that process counts, whichever one connects.
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

    /// Handles the removal of a provider, unless it has registered again in the same turn.
    func remove(_ provider: ProviderID, _ reason: RemovalReason) {
        guard let session = table[provider], broker.configuration(of: provider) == nil
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
    /// Records the exit of a process, which is handled when everything readable was read.
    func recordExit(of process: ProcessWatch) {
        exits.append(process)
    }

    /// Handles the exits of processes, after everything readable was read.
    func handleExits() {
        guard !exits.isEmpty else { return }
        let gone = exits
        exits = []
        for process in gone {
            if hasFramesLeft(from: process) {
                exits.append(process)
            } else {
                handleExit(of: process)
            }
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

// Storing and restoring.
extension ProviderSessions {
    var stored: [StoredSession] {
        table.all.filter(\.isRegistered).map(\.stored)
    }

    func restore(_ stored: StoredSession) {
        let key = SessionKey(id: stored.id, secret: stored.secret)
        let session = ProviderSession(provider: stored.provider, key: key)
        session.isRegistered = true
        session.configuration = broker.configuration(of: stored.provider)
        if let former = table[stored.provider], former.key != key {
            ended.replace(former, by: session, at: broker.clock.now)
        }
        table[stored.provider] = session
    }

    /// Restarts the validity of the secrets of earlier sessions.
    func renewEndedSessions() {
        ended.renew(at: broker.clock.now)
    }
}
