internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallPlugins
internal import CallProtocol
internal import Logging

/// The processes of plugins, and their connections.
struct PluginProcesses {
    let broker: Broker

    /// What of its last words is read when a process has gone.
    private static let lastBytesMax = 1 << 18

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
        plugin.heardAt = broker.clock.now
        do throws(SocketError) {
            let process = try host.spawn(settings)
            plugin.process = process
            broker.plugins.noteStart(of: process, of: plugin)
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

    /// The broker's end of the socket pair. Whoever is at the other end needs no secret.
    private func attach(_ connection: Connection, to plugin: Plugin) {
        broker.peers.open(connection)
        guard let peer = broker.peers[connection], peer.stage == .new else { return }
        // Its opening is watched by its supervision.
        if let timer = peer.helloTimer { broker.timers.cancel(timer) }
        peer.helloTimer = nil
        attach(peer, to: plugin)
        guard let manifest = plugin.runningManifest, manifest.handshake == .implicit else { return }
        begin(peer, manifest)
    }

    func attach(_ peer: Peer, to plugin: Plugin) {
        peer.plugin = plugin
        plugin.peer = peer
        plugin.hasLostPeer = false
        plugin.heardAt = broker.clock.now
    }

    /// The plugin whose connection this is, or becomes by naming it: one that connects by itself. Nil
    /// for everybody else.
    func plugin(of peer: Peer, _ identity: String?) throws(RPCError) -> Plugin? {
        if let plugin = peer.plugin {
            guard identity == nil || identity == plugin.identity else {
                throw RPCError(
                    .alreadyExists, reason: "identity",
                    "the manifest of this plugin has another identity"
                ).with { $0.field = "/identity" }
            }
            return plugin
        }
        guard let identity, let plugin = broker.plugins[identity], plugin.peer == nil,
            plugin.manifest != nil, plugin.isEnabled, plugin.connectsItself
        else { return nil }
        return plugin
    }

    /// A session without a hello: as if it had said one, and had registered.
    private func begin(_ peer: Peer, _ manifest: PluginManifest) {
        let provider = ProviderID(manifest.identity)
        peer.identity = manifest.identity
        peer.roles = grantable(manifest.roles, peer)
        peer.stage = .ready
        broker.screener.beAdvised(by: peer)
        broker.screens.seat(peer)
        if manifest.roles.contains(.provider), let configuration = manifest.provider {
            do throws(RPCError) {
                _ = try broker.sessions.open(provider, nil, for: peer)
            } catch {
                peer.plugin?.failureMessage = "a provider with this identity is connected already"
                peer.plugin?.process?.terminate()
                return
            }
            enroll(provider, configuration, peer)
        }
        broker.events.subscribe(peer, to: manifest.events)
        broker.screens.claim(declaredBy: peer)
        broker.screener.welcome(peer)
    }

    private func grantable(_ roles: RoleSet, _ peer: Peer) -> RoleSet {
        roles.contains(.ui) && broker.screens.isFull(besides: peer) ? roles.subtracting(.ui) : roles
    }

    /// Registers a provider that says nothing of itself.
    private func enroll(
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
    }

    /// The connection says no more, or is gone.
    func release(_ peer: Peer) {
        guard let plugin = peer.plugin, plugin.peer === peer else { return }
        plugin.peer = nil
        plugin.hasLostPeer = true
        broker.plugins.noteLostConnection()
    }

    // MARK: - What it says

    /// Bytes have come from it.
    func noteSign(of plugin: Plugin) {
        plugin.heardAt = broker.clock.now
        if plugin.supervision.awaitsSign {
            broker.plugins.apply(.heard(at: broker.clock.instant), to: plugin)
        }
    }

    /// Whether a line on its standard output is for people: nothing for us begins so.
    func takeStray(_ line: UnsafeBufferPointer<UInt8>, from peer: Peer) -> Bool {
        guard let plugin = peer.plugin,
            plugin.runningManifest?.program?.transport == .stdio, peer === plugin.peer,
            let first = line.first(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }),
            first != UInt8(ascii: "{"), first != UInt8(ascii: "[")
        else { return false }
        broker.pluginLogs.note(plugin) {
            $0.add(line: line, atMS: broker.clock.unixMS, now: broker.clock.now)
        }
        if !plugin.wasWarnedOfStrayOutput {
            plugin.wasWarnedOfStrayOutput = true
            broker.outbox.notify(peer, "broker.warning") { writer in
                writer.member("reason", "stray_output" as StaticString)
                writer.member(
                    "message",
                    "a line on standard output is no frame; it is kept as a log. Write to standard error"
                        as StaticString)
            }
        }
        return true
    }

    // MARK: - The end

    /// The process of a plugin has gone, and with it whatever it had below it.
    func noteExit(of plugin: Plugin) {
        guard let process = plugin.process, let exit = process.reap() else { return }
        let rest = process.log.readRest(bytesMax: Self.lastBytesMax)
        broker.pluginLogs.note(plugin) { log in
            rest.withUnsafeBufferPointer {
                log.write($0, atMS: broker.clock.unixMS, now: broker.clock.now)
            }
            log.end(atMS: broker.clock.unixMS, now: broker.clock.now)
        }
        process.watch.stop()
        process.log.stop()
        broker.plugins.noteEnd(of: process)
        plugin.process = nil
        let peer = plugin.peer
        plugin.peer = nil
        plugin.hasLostPeer = false
        removeProvider(of: plugin)
        if let peer {
            broker.peers.dismiss(
                peer, reason: "process_exited", "the process of the plugin has exited")
        }
        if plugin.failureMessage == nil { plugin.failureMessage = Self.words(for: exit) }
        let status: Supervision.ExitStatus =
            switch exit {
            case .code(let code): .code(code)
            case .signal(let signal): .signal(signal)
            }
        // Its provider is gone; no call of it is left, or none that waits for this process.
        broker.plugins.noteCallsChanged()
        broker.plugins.apply(.exited(status, random: broker.plugins.nextJitter()), to: plugin)
    }

    private static func words(for exit: ChildProcess.Exit) -> String {
        switch exit {
        case .code(let code): "the process has ended with status \(code)"
        case .signal(let signal): "the process was ended by signal \(signal)"
        }
    }

    /// Rule 26.
    private func removeProvider(of plugin: Plugin) {
        let provider = ProviderID(plugin.identity)
        guard let session = broker.sessions[provider], session.plugin === plugin else { return }
        session.peer?.forgetRequests()
        session.peer = nil
        if session.isRegistered {
            broker.decide(.providerExited(provider))
        } else {
            broker.sessions.drop(provider)
        }
    }
}

extension Plugin {
    /// It comes by the broker's own socket.
    var connectsItself: Bool {
        guard let manifest else { return false }
        guard let program = manifest.program else { return true }
        return program.transport == .connect && process != nil
    }
}
