internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallPlugins
internal import CallProtocol
internal import Logging

/// The method `broker.hello`, which opens a session.
struct SessionMethods {
    let broker: Broker

    func hello(_ hello: HelloParams, _ target: ReplyTarget) throws(RPCError) {
        let peer = target.peer
        // A session that a manifest has opened allows one hello.
        guard peer.stage == .new || isOpenAlready(peer) else {
            throw RPCError(
                .invalidState, reason: .alreadyInitialized, "the session is already open")
        }
        peer.grant = try grant(of: peer, hello)
        let major = try chooseProtocol(hello)
        guard peer.process == nil, peer.plugin == nil else {
            return try complete(hello, major, target)
        }
        broker.outbox.postpone(target)
        broker.processes.find(peer) {
            broker.outbox.settle(target) {
                do throws(RPCError) {
                    // The user may have revoked it meanwhile.
                    peer.grant = try grant(of: peer, hello)
                    try complete(hello, major, target)
                } catch {
                    broker.outbox.reply(to: target.id, of: peer, error)
                }
            }
        }
    }

    /// Completes a hello whose sender is known.
    private func complete(
        _ hello: HelloParams, _ major: Int, _ target: ReplyTarget
    ) throws(RPCError) {
        let peer = target.peer
        var rights = broker.rights(of: peer, as: hello.identity ?? peer.plugin?.identity)
        // A stranger is no plugin, whatever its identity.
        let isStranger = rights == .stranger || peer.grant != nil
        let plugin =
            isStranger ? nil : try broker.pluginProcesses.plugin(of: peer, hello.identity)
        if plugin == nil { rights = broker.pluginProcesses.bound(rights, of: peer) }
        let (granted, denied) = grant(hello.roles, plugin?.manifest, rights, to: peer)
        var isResumed = false
        let isOpenAlready = isOpenAlready(peer)
        if !isOpenAlready {
            if let plugin, peer.plugin == nil { broker.pluginProcesses.attach(peer, to: plugin) }
            do throws(RPCError) {
                isResumed = try setIdentity(hello, granted, of: peer)
            } catch {
                abandonHello(of: peer, plugin)
                throw error
            }
            open(peer, granted, rights)
        }
        peer.features = hello.features
        logOpened(peer, hello, granted)
        broker.outbox.reply(target, isBounded: true, mayNamePeople: false) { writer in
            writeHello(&writer, major, peer, granted, denied, isResumed: isResumed)
        }
        if let fault = broker.journal.fault { broker.journal.warn(peer, of: fault) }
        if let fault = broker.store.fault { broker.store.warn(peer, of: fault) }
        if let plugin, !isOpenAlready { start(plugin, at: peer) }
    }

    private func logOpened(_ peer: Peer, _ hello: HelloParams, _ granted: RoleSet) {
        broker.logger.info(
            "session opened",
            metadata: [
                "peer": "\(peer.number)", "client": "\(LogText(hello.clientName))",
                "roles": "\(granted.roles.map(\.rawValue))",
            ])
    }

    private func isOpenAlready(_ peer: Peer) -> Bool {
        peer.stage == .ready && peer.plugin != nil && peer.features == nil
    }

    /// Applies the manifest of a plugin whose session has opened: its subscriptions, screen and
    /// roles.
    private func start(_ plugin: Plugin, at peer: Peer) {
        broker.events.subscribe(peer, to: plugin.manifest?.events ?? [])
        broker.plugins.apply(.connected, to: plugin)
        broker.screens.claim(declaredBy: peer)
        broker.screener.sendPendingRequests(to: peer)
    }

    /// Unlinks a plugin that connects by itself, and whose hello has failed.
    private func abandonHello(of peer: Peer, _ plugin: Plugin?) {
        guard let plugin, plugin.process?.connection !== peer.connection else { return }
        peer.plugin = nil
        plugin.peer = nil
    }

    /// Returns the grant of the credential in a hello; nil if the peer needs and sends none.
    private func grant(of peer: Peer, _ hello: HelloParams) throws(RPCError) -> Grant? {
        guard let credential = hello.credential else {
            if broker.peers.isTrusted(peer) { return nil }
            throw RPCError(
                .permissionDenied, reason: .credentialRequired, "this broker serves another user")
        }
        let uid = peer.connection.credentials.uid
        if let grant = broker.grants.find(credential, hello.identity, uid: uid) { return grant }
        throw RPCError(
            .permissionDenied, reason: .badCredential,
            "the credential is unknown, revoked or for another client")
    }

    private func chooseProtocol(_ hello: HelloParams) throws(RPCError) -> Int {
        let ours = Release.protocolMajors
        let newest = min(Int64(ours.upperBound), hello.protocolMajors.max)
        guard newest >= hello.protocolMajors.min, newest >= Int64(ours.lowerBound) else {
            throw RPCError(
                .versionUnsupported, reason: .versionUnsupported,
                "client and broker have no protocol version in common"
            ).with {
                $0.field = "/protocol"
                $0.supported = ours
            }
        }
        return Int(newest)
    }

    /// Grants roles, of those that the policy leaves to the program. A plugin may have those of its
    /// manifest. Only manifests can declare screeners
    /// and directories, and screens if any manifest does; other clients may have every other role.
    private func grant(
        _ names: [String], _ manifest: PluginManifest?, _ rights: Rights, to peer: Peer
    ) -> (granted: RoleSet, denied: [(role: String, reason: HelloResult.Denial)]) {
        var granted: RoleSet = []
        var denied: [(role: String, reason: HelloResult.Denial)] = []
        for name in names {
            switch Role(rawValue: name) {
            case nil: denied.append((name, .unknownRole))
            case let role? where !rights.roles.contains(RoleSet(role)):
                denied.append((name, .notGranted))
            case let role? where manifest.map({ !$0.roles.contains(RoleSet(role)) }) ?? false:
                denied.append((name, .notGranted))
            case .screener where manifest == nil, .directory where manifest == nil:
                denied.append((name, .notGranted))
            case .ui where manifest == nil && broker.plugins.table.declareScreen:
                denied.append((name, .notGranted))
            case .ui where broker.screens.isFull(besides: peer): denied.append((name, .taken))
            case .audio where broker.endpoints.isOwned(besides: peer):
                denied.append((name, .taken))
            case let role?: granted.insert(RoleSet(role))
            }
        }
        // Who reaches its own calls only, has none without an app.
        if rights.isForOwnCalls, granted.contains(.controller), !granted.contains(.provider) {
            granted.subtract(.controller)
            denied.append((Role.controller.rawValue, .notGranted))
        }
        return (granted, denied)
    }

    /// Sets the identity of a peer, and opens the session of a provider.
    ///
    /// - Returns: true if an earlier session of the provider is resumed.
    private func setIdentity(
        _ hello: HelloParams, _ granted: RoleSet, of peer: Peer
    ) throws(RPCError) -> Bool {
        peer.identity = hello.identity ?? peer.plugin?.identity
        guard granted.roles.contains(where: \.needsIdentity) else { return false }
        guard let identity = peer.identity else {
            throw RPCError(
                SchemaFault(
                    reason: .missingMember, message: "is required for these roles",
                    pointer: "/identity"))
        }
        guard granted.contains(RoleSet(.provider)) else { return false }
        return try broker.sessions.open(ProviderID(identity), hello.resume, for: peer)
    }

    private func open(_ peer: Peer, _ granted: RoleSet, _ rights: Rights) {
        peer.roles = granted
        peer.rights = rights
        broker.screener.addScreener(peer)
        broker.screens.seat(peer)
        broker.endpoints.seat(peer)
        peer.stage = .ready
        if let timer = peer.timers.hello { broker.timers.cancel(timer) }
        peer.timers.hello = nil
    }

    // MARK: - The reply

    private func writeHello(
        _ writer: inout JSONWriter, _ major: Int, _ peer: Peer, _ granted: RoleSet,
        _ denied: [(role: String, reason: HelloResult.Denial)], isResumed: Bool
    ) {
        writer.member("protocol", major)
        writer.name("broker")
        writer.object { writer in
            writer.member("name", Release.name)
            writer.member("version", Release.version)
            writer.member("instance", broker.instance)
        }
        writeSession(&writer, peer, isResumed: isResumed)
        writer.name("granted_roles")
        writer.array { writer in for role in granted.roles { writer.value(role.rawValue) } }
        writer.name("denied_roles")
        writer.array { writer in
            for denial in denied {
                writer.object { writer in
                    writer.member("role", denial.role)
                    writer.member("reason", denial.reason.rawValue)
                }
            }
        }
        writeFeatures(&writer, peer)
        writer.name("rights")
        writer.object { writer in
            writer.member("calls", (peer.rights.isForOwnCalls ? "own" : "all") as StaticString)
            writer.member("redacted", peer.rights.isRedacted)
        }
        writer.name("limits")
        writer.object { broker.limits.write(to: &$0) }
        writer.member("epoch", broker.epoch)
        writer.member("seq", broker.events.seq)
        writer.name("clock")
        writer.object { writer in
            writer.member("now_at_ms", broker.clock.loopClock.unixMS)
            writer.member("mono_ms", broker.clock.now.milliseconds)
        }
        writer.name("options")
        writer.object { peer.plugin?.writeValues(to: &$0) }
        writer.member("heartbeat_ms", broker.policy.choices.heartbeatMS)
    }

    private func writeFeatures(_ writer: inout JSONWriter, _ peer: Peer) {
        writer.name("features")
        writer.object { writer in
            for feature in HelloParams.Feature.allCases {
                writer.name(feature.rawValue)
                writer.object { writer in
                    writer.member("version", feature.version)
                    writer.member("granted", peer.knows(feature))
                }
            }
        }
    }

    /// Writes the session. Only a provider can resume one; other clients subscribe again with a
    /// cursor.
    private func writeSession(_ writer: inout JSONWriter, _ peer: Peer, isResumed: Bool) {
        let key = peer.session?.key ?? .random()
        writer.name("session")
        writer.object { writer in
            writer.member("session", key.id)
            writer.member("secret", key.secret)
            writer.member("resumed", isResumed)
            writer.member("grace_ms", peer.session == nil ? 0 : broker.arbiter.policy.graceMS)
        }
    }
}
