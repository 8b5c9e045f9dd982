internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallProtocol

/// The writer of outgoing frames. Every frame is written whole into the scratch buffer, measured,
/// and then queued, so that no frame is ever sent in part.
final class Outbox: BrokerPart {
    /// The buffer in which frames are written before they are queued.
    private var scratch = JSONWriter()
    /// The maximum length of a frame.
    private let bytesMax: Int
    private(set) var framesSent = 0
    private(set) var bytesSent = 0
    private(set) var errorsSent = 0

    init(_ limits: BrokerLimits) {
        bytesMax = limits.frame.frameOutBytes
    }

    func reply(_ target: ReplyTarget, _ result: (inout JSONWriter) -> Void) {
        reply(target, isBounded: true, result)
    }

    /// Sends a reply.
    ///
    /// - Parameters:
    ///   - target: the destination.
    ///   - isBounded: false for the one reply that may be longer than a frame.
    ///   - mayNamePeople: false for what cannot have calls or callers in it, and stays as it is for
    ///     every client.
    ///   - result: writes the members of the result.
    func reply(
        _ target: ReplyTarget, isBounded: Bool, mayNamePeople: Bool = true,
        _ result: (inout JSONWriter) -> Void
    ) {
        if let batch = target.batch {
            target.peer.batches[batch]?.add(replyTo: target.id) {
                $0.reply(to: target.id, result: result)
            }
            return
        }
        send(to: target.peer, isRedacted: mayNamePeople) { writer in
            writer.reply(to: target.id, result: result)
            writer.endLine()
            guard isBounded, writer.bytes.count > bytesMax else { return }
            writer.bytes.removeAll(keepingCapacity: true)
            writer.reply(to: target.id, error: .replyBytes(bytesMax))
            writer.endLine()
        }
    }

    func reply(to id: RequestID?, of peer: Peer, batch: Int? = nil, _ error: RPCError) {
        errorsSent += 1
        if let batch {
            peer.batches[batch]?.add(replyTo: id) { $0.reply(to: id, error: error) }
            return
        }
        send(to: peer) { writer in
            writer.reply(to: id, error: error)
            writer.endLine()
        }
    }

    /// Sends a request to a client, whose response has the same `id`. An app is asked for actions of
    /// its own calls, with all that belongs to them.
    ///
    /// - Parameters:
    ///   - peer: the client.
    ///   - id: the id of the request.
    ///   - method: the method.
    ///   - isOwn: true if the request is about a call of the client's own.
    ///   - params: writes the members of the params.
    func request(
        _ peer: Peer, _ id: Int64, _ method: StaticString, isOwn: Bool = true,
        params: (inout JSONWriter) -> Void
    ) {
        send(to: peer, isRedacted: !isOwn) { $0.request(id, method, params: params) }
    }

    func notify(
        _ peer: Peer, _ method: StaticString, params: (inout JSONWriter) -> Void
    ) {
        send(to: peer, isRedacted: false) { $0.notification(method, params: params) }
    }

    /// Cancels a request to a peer, and does not wait for its reply any longer.
    func withdraw(_ request: Int64, from peer: Peer) {
        _ = peer.outgoing.settle(request)
        notify(peer, "broker.cancel") { $0.member("request", request) }
    }

    /// Sends the replies to a batch if it is complete.
    func finish(batch number: Int, of peer: Peer) {
        guard let batch = peer.batches[number], batch.isComplete else { return }
        peer.batches[number] = nil
        for id in batch.heldIDs { _ = peer.requests.remove(id) }
        guard let frame = batch.frame() else { return }
        send(to: peer) { $0.bytes.append(contentsOf: frame) }
    }

    /// Defers the reply to a request; it must be sent later, through `answer`.
    func postpone(_ target: ReplyTarget) {
        if target.batch == nil { target.peer.requests.insert(target.id) }
    }

    /// Sends the result of a deferred request.
    func answer(_ target: ReplyTarget, _ result: (inout JSONWriter) -> Void) {
        settle(target) { reply(target, result) }
    }

    func answer(_ target: ReplyTarget, _ error: RPCError) {
        settle(target) { reply(to: target.id, of: target.peer, batch: target.batch, error) }
    }

    /// Sends the reply to a deferred request with a function of the caller's.
    func settle(_ target: ReplyTarget, _ reply: () -> Void) {
        guard release(target) else { return }
        reply()
        finishReply(target)
    }

    /// Releases the id of a deferred request. False if the request is not pending any more.
    func release(_ target: ReplyTarget) -> Bool {
        guard target.peer.requests.contains(target.id) else { return false }
        return target.batch != nil || target.peer.requests.remove(target.id)
    }

    /// Completes the batch, and closes the connection, after the reply to a deferred request if
    /// they are due.
    func finishReply(_ target: ReplyTarget) {
        if let batch = target.batch { finish(batch: batch, of: target.peer) }
        broker.peers.closeIfDone(target.peer)
    }

    private func send(
        to peer: Peer, isRedacted: Bool = true, _ write: (inout JSONWriter) -> Void
    ) {
        scratch.bytes.removeAll(keepingCapacity: true)
        write(&scratch)
        if isRedacted, let redaction = peer.redaction {
            send(scratch.bytes, redaction, to: peer)
        } else {
            send(scratch.bytes, to: peer)
        }
    }

    /// Queues a frame without the people in it. One that could not be read is not sent.
    func send(_ frame: [UInt8], _ redaction: Redaction, to peer: Peer) {
        if let redacted = redaction.apply(to: frame) { send(redacted, to: peer) }
    }

    /// Queues a frame.
    func send(_ frame: [UInt8], to peer: Peer) {
        frame.withUnsafeBufferPointer { peer.connection.send($0) }
        count(sentBytes: frame.count)
    }

    /// Counts a frame that was queued.
    func count(sentBytes: Int) {
        framesSent += 1
        bytesSent += sentBytes
    }
}
