internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// The audio endpoints of the host, as the one client with the role `audio` reports them, and the
/// requests of users to use another. They decide nothing about calls. The journal has only that
/// there were some, and the user's choice: after a restart of the broker that client reports them
/// again.
final class HostEndpoints: BrokerPart {
    /// A request of a user that the owner has not answered.
    private struct Request {
        let target: ReplyTarget
        let endpoint: String
        let timer: TimerQueue<TimerPurpose>.Handle
    }

    /// The client that has the role.
    private var owner: Peer?
    private var endpoints: [AudioEndpoint] = []
    /// True if endpoints were published last, by this broker or an earlier one.
    private(set) var arePublished = false
    /// The user's last choice, which an owner that comes back is told.
    private(set) var chosen: String?
    /// By the ids of the requests to the owner.
    private var requests: [Int64: Request] = [:]

    /// The number of unanswered requests beyond which the owner is sent no more.
    private static let requestsMax = 16

    // MARK: - The owner

    /// Returns true if another client has the role.
    func isOwned(besides peer: Peer) -> Bool {
        owner.map { $0 !== peer } ?? false
    }

    /// Records a peer that has the role.
    func seat(_ peer: Peer) {
        if peer.roles.contains(.audio) { owner = peer }
    }

    /// Removes the endpoints of a client whose connection has ended.
    func disconnect(_ peer: Peer) {
        guard owner === peer else { return }
        owner = nil
        for id in requests.keys.sorted() {
            settle(
                id,
                RPCError(
                    .providerGone, reason: .providerGone,
                    "the client that has the endpoints has disconnected"))
        }
        if !broker.isStopping { replace([]) }
    }

    // MARK: - Requests

    func perform(_ request: AudioRequest, _ target: ReplyTarget) throws(RPCError) {
        switch request {
        case .report(let params): report(params.endpoints, target)
        case .choose(let params): try choose(params.endpoint, target)
        }
    }

    private func report(_ reported: [AudioEndpoint], _ target: ReplyTarget) {
        replace(reported)
        broker.outbox.reply(target) { writer in
            writer.member("chosen", ifSet: chosen)
            writer.member("seq", broker.events.seq)
        }
    }

    private func choose(_ id: String, _ target: ReplyTarget) throws(RPCError) {
        guard let owner, endpoints.contains(where: { $0.id == id && $0.state != .unavailable })
        else {
            throw RPCError(
                .notFound, reason: .unknownEndpoint, "the host has no such endpoint now"
            ).with { $0.field = "/endpoint" }
        }
        guard requests.count < Self.requestsMax else {
            throw RPCError(.overloaded, reason: .pending, "too many changes wait for an answer")
        }
        broker.outbox.postpone(target)
        let number = owner.outgoing.open(.useEndpoint)
        let timer = broker.timers.start(
            afterMS: MethodTable.useEndpointMS, .usingEndpoint(request: number))
        requests[number] = Request(target: target, endpoint: id, timer: timer)
        broker.outbox.request(owner, number, "audio.use_endpoint") { writer in
            writer.member("endpoint", id)
            writer.member("deadline_ms", MethodTable.useEndpointMS)
        }
    }

    /// Applies the owner's answer to a request.
    func complete(_ id: Int64, _ outcome: Message.Outcome) {
        switch outcome {
        case .error(let error):
            settle(id, .failed("the client that has the endpoints returned an error", error))
        case .result:
            guard let request = remove(id) else { return }
            if chosen != request.endpoint {
                chosen = request.endpoint
                broker.journal.append(.endpointChosen(request.endpoint))
            }
            var changed = endpoints
            changed.use(request.endpoint)
            replace(changed)
            broker.outbox.answer(request.target) { $0.member("seq", broker.events.seq) }
        }
    }

    /// Handles the time-out of a request.
    func expire(request id: Int64) {
        guard requests[id] != nil else { return }
        if let owner { broker.outbox.withdraw(id, from: owner) }
        settle(
            id,
            RPCError(
                .deadlineExceeded, reason: .deadlineExceeded,
                "the client that has the endpoints did not answer in time"))
    }

    private func settle(_ id: Int64, _ error: RPCError) {
        if let request = remove(id) { broker.outbox.answer(request.target, error) }
    }

    private func remove(_ id: Int64) -> Request? {
        guard let request = requests.removeValue(forKey: id) else { return nil }
        broker.timers.cancel(request.timer)
        return request
    }

    // MARK: - The list

    private func replace(_ reported: [AudioEndpoint]) {
        guard endpoints != reported else { return }
        endpoints = reported
        publish()
    }

    private func publish() {
        arePublished = !endpoints.isEmpty
        broker.journal.append(.endpointsPublished(hasAny: arePublished))
        broker.events.publish(.endpointsChanged) { $0.member("endpoints", endpoints: endpoints) }
    }

    // MARK: - After a restart

    /// Restores that an earlier broker has published the endpoints.
    func restorePublished(_ arePublished: Bool) {
        self.arePublished = arePublished
    }

    func restore(chosen: String?) {
        self.chosen = chosen
    }

    /// Publishes that the endpoints of an earlier broker are gone.
    func publishGone() {
        if arePublished { publish() }
    }

    // MARK: - Writing

    /// Writes the endpoints into the state of the host, if there are any.
    func write(to writer: inout JSONWriter) {
        if !endpoints.isEmpty { writer.member("endpoints", endpoints: endpoints) }
    }
}
