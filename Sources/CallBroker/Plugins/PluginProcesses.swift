internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallPlugins
internal import CallProtocol

/// The processes of plugins and their connections: starts them, opens their sessions, and handles
/// their exits.
struct PluginProcesses {
    let broker: Broker

    /// The maximum of output that is read after a process has exited.
    private static let remainingBytesMax = 1 << 18

    func spawn(_ plugin: Plugin) {
        guard let host = broker.plugins.host, let manifest = plugin.manifest,
            let settings = host.settings(
                for: manifest, in: plugin.entry.folder, options: plugin.environmentOptions)
        else {
            return broker.plugins.apply(
                .spawnFailed(random: broker.plugins.nextJitter()), to: plugin)
        }
        plugin.log.begin()
        plugin.wasWarnedOfStrayOutput = false
        plugin.lastActivityAt = broker.clock.now
        do throws(SocketError) {
            let process = try host.spawn(settings)
            plugin.process = process
            broker.plugins.recordStart(of: process, of: plugin)
        } catch {
            plugin.failureMessage = "\(error)"
            return broker.plugins.apply(
                .spawnFailed(random: broker.plugins.nextJitter()), to: plugin)
        }
        plugin.failureMessage = nil
        plugin.starts += 1
        plugin.runningManifest = manifest
        if let connection = plugin.process?.connection { attach(connection, to: plugin) }
    }

    // MARK: - Connections

    /// Attaches the broker's end of the socket pair. The process at the other end needs no secret.
    private func attach(_ connection: Connection, to plugin: Plugin) {
        broker.peers.open(connection)
        guard let peer = broker.peers[connection], peer.stage == .new else { return }
        // The supervision has a timer for the hello.
        if let timer = peer.timers.hello { broker.timers.cancel(timer) }
        peer.timers.hello = nil
        attach(peer, to: plugin)
        guard let manifest = plugin.runningManifest, manifest.handshake == .implicit else { return }
        openSession(peer, manifest)
    }

    func attach(_ peer: Peer, to plugin: Plugin) {
        peer.plugin = plugin
        plugin.peer = peer
        plugin.lostConnection = false
        plugin.lastActivityAt = broker.clock.now
    }

    /// Returns the plugin of a peer: the one whose connection it is, or one that connects by itself
    /// and names its identity. Nil for other clients.
    func plugin(of peer: Peer, _ identity: String?) throws(RPCError) -> Plugin? {
        let owner = peer.plugin ?? owner(of: peer)
        if let owner, let identity, !mayUse(identity, owner, at: peer) {
            throw RPCError(
                .alreadyExists, reason: .identity,
                "the manifest of this plugin has another identity"
            ).with { $0.field = "/identity" }
        }
        if let plugin = peer.plugin { return plugin }
        guard let identity, let plugin = broker.plugins[identity], plugin.peer == nil,
            plugin.manifest != nil, plugin.isEnabled, plugin.connectsItself
        else { return nil }
        return plugin
    }

    /// Returns whether a plugin may have an identity on a connection: its own, and on further
    /// connections those below it that no other plugin has, one for each app that it stands for.
    private func mayUse(_ identity: String, _ owner: Plugin, at peer: Peer) -> Bool {
        guard identity != owner.identity else { return true }
        return peer.plugin == nil && identity.hasPrefix(owner.identity + ".")
            && broker.plugins[identity] == nil
    }

    /// Returns the plugin that the process of a peer belongs to; nil for other clients.
    private func owner(of peer: Peer) -> Plugin? {
        peer.process.flatMap { broker.plugins.table.running(with: $0) }
    }

    /// Returns the rights of a further connection of a plugin's processes: those in the manifest, but
    /// for screener and directory, which are on the plugin's own connection.
    func bound(_ rights: Rights, of peer: Peer) -> Rights {
        guard let owner = owner(of: peer) else { return rights }
        var rights = rights
        let manifest = owner.runningManifest ?? owner.manifest
        rights.roles.formIntersection(manifest?.roles ?? [])
        rights.roles.subtract([.screener, .directory])
        return rights
    }

    /// Opens the session of a plugin that sends neither a hello nor a registration.
    private func openSession(_ peer: Peer, _ manifest: PluginManifest) {
        let provider = ProviderID(manifest.identity)
        peer.identity = manifest.identity
        peer.rights = broker.rights(of: peer, as: manifest.identity)
        peer.roles = grantable(manifest.roles, peer)
        peer.stage = .ready
        broker.screener.addScreener(peer)
        broker.screens.seat(peer)
        broker.endpoints.seat(peer)
        if peer.roles.contains(.provider), let configuration = manifest.provider {
            do throws(RPCError) {
                _ = try broker.sessions.open(provider, nil, for: peer)
            } catch {
                peer.plugin?.failureMessage = "a provider with this identity is connected already"
                peer.plugin?.process?.terminate()
                return
            }
            register(provider, configuration, peer)
        }
        broker.events.subscribe(peer, to: manifest.events)
        broker.screens.claim(declaredBy: peer)
        broker.screener.sendPendingRequests(to: peer)
    }

    private func grantable(_ roles: RoleSet, _ peer: Peer) -> RoleSet {
        let roles = roles.intersection(peer.rights.roles)
        return roles.contains(.ui) && broker.screens.isFull(besides: peer)
            ? roles.subtracting(.ui) : roles
    }

    /// Registers a provider as its manifest describes it.
    private func register(
        _ provider: ProviderID, _ configuration: ProviderConfiguration, _ peer: Peer
    ) {
        guard let session = peer.session else { return }
        broker.sessions.setRegistered(session, true)
        broker.journal.append(.session(session.stored))
        broker.decide(
            .providerRegistered(
                ProviderRegistration(
                    token: broker.requests.nextToken(), provider: provider,
                    configuration: configuration)))
        broker.questions.ask(aboutCallsOf: provider)
    }

    /// Unlinks a plugin from a connection that has ended.
    func release(_ peer: Peer) {
        guard let plugin = peer.plugin, plugin.peer === peer else { return }
        plugin.peer = nil
        plugin.lostConnection = true
        broker.plugins.recordLostConnection()
    }

    // MARK: - Input

    /// Records that bytes have come from a plugin.
    func recordActivity(of plugin: Plugin) {
        plugin.lastActivityAt = broker.clock.now
        if plugin.supervision.awaitsSign {
            broker.plugins.apply(.heard(at: broker.clock.instant), to: plugin)
        }
    }

    /// Logs a line on a plugin's standard output that is not a frame, because it does not begin
    /// like one.
    ///
    /// - Returns: false if the line may be a frame.
    func takeNonFrameOutput(_ line: UnsafeBufferPointer<UInt8>, from peer: Peer) -> Bool {
        guard let plugin = peer.plugin,
            plugin.runningManifest?.program?.transport == .stdio, peer === plugin.peer,
            let first = line.first(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }),
            first != UInt8(ascii: "{"), first != UInt8(ascii: "[")
        else { return false }
        broker.pluginLogs.update(plugin) {
            $0.add(line: line, atMS: broker.clock.unixMS, now: broker.clock.now)
        }
        if !plugin.wasWarnedOfStrayOutput {
            plugin.wasWarnedOfStrayOutput = true
            broker.outbox.notify(peer, "broker.warning") { writer in
                writer.member("reason", "stray_output" as StaticString)
                writer.member(
                    "message",
                    "a line on standard output is not a frame and was logged; "
                        + "write log output to standard error")
            }
        }
        return true
    }

    // MARK: - Exits

    /// Handles the exit of a plugin's process, and of all its child processes.
    func handleExit(of plugin: Plugin) {
        guard let process = plugin.process, let exit = process.reap() else { return }
        let rest = process.log.readRest(bytesMax: Self.remainingBytesMax)
        broker.pluginLogs.update(plugin) { log in
            rest.withUnsafeBufferPointer {
                log.write($0, atMS: broker.clock.unixMS, now: broker.clock.now)
            }
            log.end(atMS: broker.clock.unixMS, now: broker.clock.now)
        }
        process.watch.stop()
        process.log.stop()
        broker.plugins.recordEnd(of: process)
        plugin.process = nil
        let peer = plugin.peer
        plugin.peer = nil
        plugin.lostConnection = false
        removeProvider(of: plugin)
        if let peer {
            broker.peers.dismiss(
                peer, reason: .processExited, "the process of the plugin has exited")
        }
        if plugin.failureMessage == nil { plugin.failureMessage = Self.words(for: exit) }
        let status: Supervision.ExitStatus =
            switch exit {
            case .code(let code): .code(code)
            case .signal(let signal): .signal(signal)
            }
        // The provider is gone, and no call of it waits for this process any more.
        broker.plugins.markCallsChanged()
        broker.plugins.apply(.exited(status, random: broker.plugins.nextJitter()), to: plugin)
    }

    private static func words(for exit: ChildProcess.Exit) -> String {
        switch exit {
        case .code(let code): "the process exited with status \(code)"
        case .signal(let signal): "the process was killed by signal \(signal)"
        }
    }

    /// Removes the provider of a plugin whose process has exited (rule 26).
    private func removeProvider(of plugin: Plugin) {
        let provider = ProviderID(plugin.identity)
        guard let session = broker.sessions[provider], session.plugin === plugin else { return }
        session.peer?.discardRequests()
        session.peer = nil
        if session.isRegistered {
            broker.decide(.providerExited(provider))
        } else {
            broker.sessions.drop(provider)
        }
    }
}

extension Plugin {
    /// True if the plugin connects to the broker's socket by itself.
    var connectsItself: Bool {
        guard let manifest else { return false }
        guard let program = manifest.program else { return true }
        return program.transport == .connect && process != nil
    }
}
