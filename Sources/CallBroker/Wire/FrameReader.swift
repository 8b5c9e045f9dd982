internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallProtocol

/// The reader of frames: splits the bytes of a connection into frames, parses them as messages, and
/// routes those.
struct FrameReader {
    let broker: Broker

    func receive(_ bytes: UnsafeBufferPointer<UInt8>, from connection: Connection) {
        guard let peer = broker.peers[connection], !peer.stage.isOver else { return }
        broker.stats.bytesReceived += bytes.count
        broker.turn.part = .response
        broker.heartbeats.recordActivity(of: peer)
        if let plugin = peer.plugin { broker.pluginProcesses.recordActivity(of: plugin) }
        guard !peer.subscriptions.isLagging else {
            peer.framer.keep(bytes)
            return waitForTurn(peer, true)
        }
        feed(peer) { take in peer.framer.receive(bytes, take) }
    }

    // MARK: - Sharing the turn

    /// Handles frames until there are no more, or the peer has used up its share of this turn, does
    /// not read its replies, or ends calls faster than the store writes them. In these cases
    /// reading pauses and the rest waits.
    func feed(_ peer: Peer, _ cut: ((MessageFramer.Frame) -> MessageFramer.Continuation) -> Void) {
        var share = FrameShare(broker.limits)
        var mustWait = false
        cut { frame in
            handle(frame, from: peer)
            mustWait =
                !peer.stage.isOver
                && (share.isUsedUp() || isHeldUp(peer) || broker.history.outrunsStore(peer))
            return mustWait || peer.stage.isOver ? .stop : .proceed
        }
        guard peer.stage != .closing else { return }
        waitForTurn(peer, mustWait)
        if !mustWait { broker.peers.closeIfDone(peer) }
    }

    private func waitForTurn(_ peer: Peer, _ mustWait: Bool) {
        peer.backlog = mustWait ? .waiting : .none
        peer.connection.pauseReading(mustWait)
        if mustWait { broker.turn.enqueue(peer) }
    }

    /// Resumes peers whose events and frames had to wait, each at most once. Peers for which no
    /// time is left are first in the next turn.
    package func resumeBacklog() {
        broker.events.catchUpLaggingPeers()
        broker.turn.meter.end(.backlog, at: .now())
        broker.turn.resumeBacklog { resume($0) }
        broker.manifests.resume()
        broker.turn.meter.end(.plugins, at: .now())
    }

    /// Resumes a peer. One that still does not read waits until it does, and one that is ahead of
    /// the store until that has caught up.
    private func resume(_ peer: Peer) {
        guard !isHeldUp(peer) else { return peer.backlog = .waitingForDrain }
        if let provider = peer.session?.provider, broker.history.isOutrun(by: provider) {
            return broker.history.pause(peer, for: provider)
        }
        feed(peer) { take in peer.framer.resume(take) }
        if peer.connection.hasInputEnded, peer.backlog == .none { broker.sessions.disconnect(peer) }
    }

    /// Returns true if the peer's frames wait for something that will release them.
    private func isHeldUp(_ peer: Peer) -> Bool {
        peer.isBeingFound || mustRead(peer)
    }

    /// Returns true if the peer has to read first what it has been sent, or should have been: a
    /// reply comes after every earlier event.
    private func mustRead(_ peer: Peer) -> Bool {
        peer.subscriptions.isLagging || broker.peers.isOverSoftBound(peer.connection)
    }

    // MARK: - Frames

    private func handle(_ frame: MessageFramer.Frame, from peer: Peer) {
        broker.stats.framesReceived += 1
        switch frame {
        case .overlong:
            refuse(
                peer,
                .frameLimit(.frameBytes, broker.limits.frame.frameBytes, "the frame is too long"))
        case .line(let text):
            if broker.pluginProcesses.takeNonFrameOutput(text, from: peer) { return }
            do throws(JSONFault) {
                try handle(
                    JSONDocument(inPlace: text, limits: broker.limits.frame.json), from: peer)
            } catch {
                refuse(peer, RPCError(error, limits: broker.limits.frame.json))
            }
        }
    }

    private func handle(_ document: borrowing JSONDocument, from peer: Peer) {
        if document.root.kind == .array {
            handleBatch(document.root, from: peer)
        } else {
            count(handle(document.root, from: peer, batch: nil), of: peer)
        }
    }

    /// Sends an error for a frame that cannot be parsed.
    private func refuse(_ peer: Peer, _ error: RPCError) {
        broker.outbox.reply(to: nil, of: peer, error)
        count(false, of: peer)
    }

    /// Counts a frame by whether it was good, and dismisses a peer after too many bad ones in a
    /// row.
    private func count(_ isGood: Bool, of peer: Peer) {
        if isGood {
            return peer.faults.recordGoodFrame()
        }
        broker.stats.framesBad += 1
        guard peer.faults.recordBadFrame() >= broker.limits.badFrames else { return }
        broker.peers.dismiss(peer, reason: .protocolErrors, "too many bad frames in a row")
    }

    private func handleBatch(_ batch: JSONValue, from peer: Peer) {
        guard batch.count > 0 else {
            return refuse(
                peer, RPCError(.invalidRequest, reason: .emptyBatch, "the batch has no entries"))
        }
        guard batch.count <= broker.limits.frame.batch else {
            return refuse(
                peer,
                .frameLimit(.batch, broker.limits.frame.batch, "the batch has too many entries"))
        }
        let number = peer.batches.open(
            entries: batch.count, frameOutBytes: broker.limits.frame.frameOutBytes)
        var isGood = false
        for entry in batch.elements where handle(entry, from: peer, batch: number) { isGood = true }
        broker.outbox.finish(batch: number, of: peer)
        count(isGood, of: peer)
    }

    // MARK: - Messages

    /// Handles one message. Returns false if it is malformed.
    private func handle(_ value: JSONValue, from peer: Peer, batch: Int?) -> Bool {
        switch Message(value, limits: broker.limits.frame) {
        case .request(let id, let call):
            broker.stats.requests += 1
            request(call, ReplyTarget(peer: peer, id: id, batch: batch))
        case .notification(let call):
            broker.stats.notifications += 1
            skip(batch, of: peer)
            notification(call, from: peer)
        case .response(let response):
            broker.performer.receive(response, from: peer)
            skip(batch, of: peer)
        case .invalid(let error, let id):
            // An error with the id of a request that is still pending would answer that one.
            let freeID = id.flatMap { peer.requests.contains($0) ? nil : $0 }
            broker.outbox.reply(to: freeID, of: peer, batch: batch, error)
            return !error.code.isBadFrame
        }
        return true
    }

    private func skip(_ batch: Int?, of peer: Peer) {
        if let batch { peer.batches[batch]?.skip() }
    }

    private func request(_ call: Message.Call, _ target: ReplyTarget) {
        let peer = target.peer
        do throws(RPCError) {
            try peer.requests.check(target.id)
            if !peer.accepted.isEmpty { peer.accepted[target.id] = nil }
            if let batch = target.batch {
                peer.requests.insert(target.id)
                peer.batches[batch]?.hold(target.id)
            }
            let (method, decode) = try route(call, target)
            broker.turn.part = .method(method.name)
            try perform(method, decode, call.params.named, target)
        } catch {
            // An error with the id of a request that is still pending would answer that one.
            let id = error.request == target.id ? nil : target.id
            broker.outbox.reply(to: id, of: peer, batch: target.batch, error)
        }
        broker.refusedDials.publish()
    }

    private typealias RequestDecoding = @Sendable (JSONValue?) throws(SchemaFault) -> ClientRequest

    /// Checks the params, decodes them, and performs the request.
    private func perform(
        _ method: Method, _ decode: RequestDecoding, _ params: JSONValue?, _ target: ReplyTarget
    ) throws(RPCError) {
        do throws(RPCError) {
            let request: ClientRequest
            do throws(SchemaFault) {
                try method.check(params)
                request = try decode(params)
            } catch {
                throw RPCError(error)
            }
            try broker.perform(request, target)
        } catch {
            if method.roles == .asking {
                let refused = RefusedParams(unchecked: params)
                if method.name == .dial { broker.refusedDials.record(refused, target, error) }
                broker.trace.record(refused, target, error)
            }
            throw error
        }
    }

    /// Returns the method of a request with its decoding, if this peer may call it now.
    private func route(
        _ call: Message.Call, _ target: ReplyTarget
    ) throws(RPCError) -> (Method, RequestDecoding) {
        let peer = target.peer
        guard broker.peers.admitsRequest(of: peer) else { throw tooManyRequests }
        guard let method = broker.table.find(call.method), method.direction != .toClient else {
            throw RPCError(
                .methodNotFound, reason: .unknownMethod, "the broker has no such method"
            ).with { $0.hint = "rpc.discover lists the methods" }
        }
        guard !broker.isStopping || !method.errors.contains(.stopping) else {
            throw RPCError(.stopping, reason: .stopping, "the broker is stopping").with {
                $0.hint = "retry after the broker has restarted"
                $0.retryable = true
            }
        }
        guard case .toRequest(let decode) = method.decoding else {
            throw RPCError(
                .methodNotFound, reason: .notARequest, "this method is a notification"
            ).with { $0.hint = "send it without an id" }
        }
        guard peer.stage == .ready || method.stage == .always else {
            throw RPCError(.helloRequired, reason: .helloRequired, "send broker.hello first")
        }
        guard target.batch == nil || method.isAllowedInBatch else {
            throw RPCError(
                .invalidRequest, reason: .notInBatch, "this method cannot be part of a batch")
        }
        guard method.isOpen(to: peer.roles) else {
            let roles = method.roles.roles.map(\.rawValue).joined(separator: " or ")
            throw RPCError(
                .permissionDenied, reason: .roleNotGranted, "this method needs the role \(roles)"
            ).with { $0.hint = "request the role in broker.hello" }
        }
        return (method, decode)
    }

    private var tooManyRequests: RPCError {
        RPCError(.overloaded, reason: .rate, "too many requests per second").with {
            $0.retryable = true
            $0.retryAfterMS = 1_000
            $0.limit = RPCError.Limit(
                name: "other_user_requests_per_second",
                value: broker.limits.otherUserRequestsPerSecond)
        }
    }

    /// Handles a notification, which never has a reply, even if it is invalid.
    private func notification(_ call: Message.Call, from peer: Peer) {
        guard let method = broker.table.find(call.method),
            case .toNotification(let decode) = method.decoding
        else { return warnOfNotification(peer) }
        guard peer.stage == .ready || method.stage == .always else { return }
        let params = call.params.named
        guard (try? method.check(params)) != nil, let notification = try? decode(params) else {
            return
        }
        broker.perform(notification, from: peer)
    }

    /// Warns a client, once, that a notification was dropped.
    private func warnOfNotification(_ peer: Peer) {
        guard peer.stage == .ready, peer.faults.shouldWarnOfNotifications() else { return }
        broker.outbox.notify(peer, "broker.warning") { writer in
            writer.member("reason", "unknown_notification" as StaticString)
            writer.member(
                "message",
                "the broker has no notification of that name; it was dropped" as StaticString)
        }
    }
}

extension Message.Params {
    fileprivate var named: JSONValue? {
        if case .named(let value) = self { value } else { nil }
    }
}
