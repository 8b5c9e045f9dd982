internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// Providers come, are away for a while, and go (rules 26 and 27).
extension Broker {
    /// Gives a connection the session of a provider: its own again if it can show the key, else a
    /// new one. One that is connected is only superseded by who has its key, or that of the session
    /// that it took the place of.
    /// - Returns: Whether the earlier session goes on.
    func openSession(
        _ provider: ProviderID, _ resume: (session: String, secret: String)?, for peer: Peer
    ) throws(RPCError) -> Bool {
        let former = sessions[provider]
        let key = resume.flatMap { self.key(of: provider, $0, besides: former) }
        if let holder = former?.peer {
            // One that has hung up is gone, though what it had sent may not all be handled yet.
            guard key != nil || holder.connection.isDeaf else { throw Self.identityInUse }
            lose(holder)
            dismiss(holder, reason: "superseded", "the session goes on in a new connection")
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
            if let resume, arbiter.configuration(of: provider) == nil {
                session.reset = formerSessions.reset(resume.session)
            }
            if let former { formerSessions.note(session, insteadOf: former, at: now) }
        }
        sessions[provider] = session
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
        return formerSessions.key(of: provider, shown, at: now)
    }

    private static let identityInUse = RPCError(
        .alreadyExists, reason: "identity", "a provider with this identity is connected"
    ).with {
        $0.field = "/identity"
        $0.hint = "close that connection, or resume its session"
    }

    /// The connection of a provider is gone, or will hear nothing any more.
    func lose(_ peer: Peer) {
        part(peer)
        loseScreen(of: peer)
        guard let session = peer.session, session.peer === peer else { return }
        part(session)
        guard session.isRegistered else {
            unwatch(session)
            formerSessions.add(session, nil, at: now)
            return sessions[session.provider] = nil
        }
        if !isStopping { decide(.providerLost(session.provider)) }
    }

    /// Whether a process that has exited had sent frames that wait for their turn.
    func hasFramesLeft(from process: ProcessWatch) -> Bool {
        let session = watched[ObjectIdentifier(process)]
        guard let peer = plugins.running(process)?.peer ?? session?.peer else { return false }
        // Nothing is waited for that may never come.
        let mayGoOn =
            !peer.isWaitingForDrain && !(session.map { history.isOutrun(by: $0.provider) } ?? false)
        return peer.hasBacklog && mayGoOn
    }

    /// A provider's process has exited.
    func noteExit(of process: ProcessWatch) {
        if let plugin = plugins.running(process) { return noteExit(of: plugin) }
        guard let session = watched[ObjectIdentifier(process)] else { return }
        unwatch(session)
        let peer = session.peer
        part(session)
        decide(.providerExited(session.provider))
        // A child of it may hold the connection still.
        if let peer {
            dismiss(peer, reason: "process_exited", "the process that connected has exited")
        }
    }

    private func part(_ session: ProviderSession) {
        session.peer?.forgetRequests()
        if let peer = session.peer { stopHeartbeat(of: peer) }
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
    func forget(_ provider: ProviderID, _ reason: RemovalReason) {
        guard let session = sessions[provider], arbiter.configuration(of: provider) == nil else {
            return
        }
        sessions.setRegistered(session, false)
        session.reset = ResetReason(reason)
        unwatch(session)
        guard session.peer == nil else { return }
        formerSessions.add(session, session.reset, at: now)
        sessions[provider] = nil
    }
}
