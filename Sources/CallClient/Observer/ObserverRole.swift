package import BrokerJSON
internal import CallModel
internal import CallProtocol

/// A request to an observer to be ready for the audio of a call, or the end of one.
enum HandoverEvent: Sendable {
    case prepare(AudioHandover, BrokerRequest)
    /// The broker does not wait for the reply any more.
    case withdrawn(BrokerRequest)
}

/// The role of an observer: it keeps a copy of the calls, and resumes its subscription after a lost
/// connection.
package final class ObserverRole: LinkRole {
    private let topics: [String]
    private let onConnection: @Sendable (Bool) -> Void
    private let onEvent: @Sendable (CallEvent) -> Void
    private let end: @Sendable (CallError?) -> Void
    private let failed: @Sendable (CallError) -> Void
    /// Receives requests to be ready for audio; nil if the client refuses them.
    private let handovers: AsyncStream<HandoverEvent>.Continuation?
    private var requests = OpenRequests()
    /// The calls in the order of the snapshot, followed by newer ones.
    private var calls = KeptCalls()
    private var cursor: (epoch: String, seq: Int64)?
    private var subscription: Int64?
    /// The number of the last event that the snapshot includes.
    private var floor: Int64 = 0
    private var isComplete = false

    /// - Parameters:
    ///   - topics: the names of the events, or patterns of them such as `call.*`.
    ///   - onConnection: receives whether a session is open, on the link's thread.
    ///   - onEvent: receives events in order, on the link's thread.
    ///   - failed: called when a session could not be opened; another attempt follows.
    ///   - end: called when no more events will follow.
    package convenience init(
        topics: [String] = ["call.*"],
        onConnection: @escaping @Sendable (Bool) -> Void = { _ in },
        onEvent: @escaping @Sendable (CallEvent) -> Void,
        failed: @escaping @Sendable (CallError) -> Void = { _ in },
        end: @escaping @Sendable (CallError?) -> Void = { _ in }
    ) {
        self.init(
            topics: topics, handovers: nil, onConnection: onConnection, onEvent: onEvent,
            failed: failed, end: end)
    }

    init(
        topics: [String], handovers: AsyncStream<HandoverEvent>.Continuation?,
        onConnection: @escaping @Sendable (Bool) -> Void,
        onEvent: @escaping @Sendable (CallEvent) -> Void,
        failed: @escaping @Sendable (CallError) -> Void,
        end: @escaping @Sendable (CallError?) -> Void
    ) {
        self.topics = topics
        self.handovers = handovers
        self.onConnection = onConnection
        self.onEvent = onEvent
        self.failed = failed
        self.end = end
    }

    package func open(_ loop: LinkLoop) {
        requests.reconnect()
        subscribe(loop)
    }

    package func opened(_ loop: LinkLoop) {
        onConnection(true)
    }

    package func failedToOpen(_ error: CallError, _ loop: LinkLoop) {
        withdrawRequests()
        failed(error)
    }

    package func lost(_ loop: LinkLoop) {
        subscription = nil
        onConnection(false)
        withdrawRequests()
    }

    package func ended(_ error: CallError?) {
        withdrawRequests()
        end(error)
    }

    private func withdrawRequests() {
        for request in requests.removeAll() { handovers?.yield(.withdrawn(request)) }
    }

    package func receive(_ method: String, id: Int64, _ params: JSONValue?, _ loop: LinkLoop) {
        if let handovers, method == MethodName.handover.rawValue,
            let handover = params.flatMap({ AudioHandover($0) })
        {
            handovers.yield(.prepare(handover, requests.begin(id)))
        } else {
            loop.answer(
                id, error: .methodNotFound, reason: "not_supported",
                "this observer does not support the method")
        }
    }

    /// Answers a request to be ready for the audio of a call, unless it was withdrawn.
    func complete(_ request: BrokerRequest, _ loop: LinkLoop) {
        if requests.end(request) { loop.answer(request.id) { _ in } }
    }

    package func receive(notification method: String, _ params: JSONValue?, _ loop: LinkLoop) {
        if method == MethodName.cancel.rawValue, let request = requests.cancel(params, loop) {
            handovers?.yield(.withdrawn(request))
        }
        guard let params, params["subscription"]?.integer == subscription, subscription != nil
        else { return }
        switch method {
        case MethodName.event.rawValue: receive(event: params, loop)
        case MethodName.gap.rawValue: resubscribe(loop)
        default: break
        }
    }

    // MARK: - The subscription

    private func subscribe(_ loop: LinkLoop) {
        loop.request(.subscribe, isOpening: true) { writer in
            writer.member("topics", words: topics)
            if loop.brokerKnows(.callChanges) { writer.member("detail", "changes") }
            guard let cursor else { return }
            writer.name("cursor")
            writer.object { writer in
                writer.member("epoch", cursor.epoch)
                writer.member("seq", cursor.seq)
            }
        } then: { [self] result in
            switch result {
            case .failure(let error): loop.cannotOpen(error)
            case .success(let reply): subscribed(reply, loop)
            }
        }
    }

    private func subscribed(_ reply: JSONValue, _ loop: LinkLoop) {
        subscription = reply["subscription"]?.integer
        let seq = reply["seq"]?.integer ?? 0
        guard let snapshot = reply["snapshot"] else {
            isComplete = true
            return loop.opened()
        }
        calls.removeAll()
        isComplete = false
        cursor = (reply["epoch"]?.string ?? "", seq)
        floor = seq
        apply(page: snapshot, loop)
    }

    /// Applies a page of the snapshot. That happens before the next frame is processed, so pages
    /// and events cannot cross.
    private func apply(page: JSONValue, _ loop: LinkLoop) {
        for value in page["calls"].map({ Array($0.elements) }) ?? [] { calls.store(value) }
        guard let next = page["next"]?.string else {
            isComplete = true
            onEvent(.snapshot(calls.all))
            return loop.opened()
        }
        loop.request(.listCalls, isOpening: true, { $0.member("after", next) }) { [self] result in
            switch result {
            case .failure(let error): loop.cannotOpen(error)
            case .success(let page): apply(page: page, loop)
            }
        }
    }

    /// Subscribes again for a new snapshot, because events were missed.
    private func resubscribe(_ loop: LinkLoop) {
        if let subscription {
            loop.request(
                .unsubscribe, isOpening: true, { $0.member("subscription", subscription) },
                then: { _ in })
        }
        subscription = nil
        cursor = nil
        subscribe(loop)
    }

    private func receive(event: JSONValue, _ loop: LinkLoop) {
        let seq = event["seq"]?.integer ?? 0
        let prev = event["prev"]?.integer ?? 0
        guard let known = cursor, event["epoch"]?.string == known.epoch, prev <= known.seq else {
            return resubscribe(loop)
        }
        let topic = event["topic"]?.string ?? ""
        guard seq > floor || Topic(rawValue: topic)?.isNumbered == false else { return }
        cursor = (known.epoch, max(known.seq, seq))
        apply(topic, event["data"], event)
    }

    private func apply(_ topic: String, _ data: JSONValue?, _ event: JSONValue) {
        switch topic {
        case Topic.bookmark.rawValue: break
        case Topic.callAdded.rawValue:
            guard let data, let call = calls.store(data), isComplete else { return }
            onEvent(.added(call, Cause(data["cause"])))
        case Topic.callChanged.rawValue:
            if let data { change(CallID(event["call"]), data) }
        case Topic.allowedChanged.rawValue:
            guard let data, let (call, names) = calls.allow(data) else { return }
            if isComplete, !names.isEmpty { onEvent(.changed(call, names: names, nil)) }
        case Topic.callRemoved.rawValue:
            guard let id = CallID(event["call"] ?? data?["call"]) else { return }
            calls.remove(id)
            if isComplete { onEvent(.removed(id)) }
        default:
            var writer = JSONWriter()
            if let data { writer.value(data) }
            if isComplete { onEvent(.other(topic: topic, data: writer.text)) }
        }
    }

    /// Applies the changes of a call, or the whole call.
    private func change(_ id: CallID?, _ data: JSONValue) {
        let call =
            data["set"].map {
                calls.change(id, $0, removing: Set(Self.words(data["removed"])))
            } ?? calls.store(data)
        guard let call, isComplete else { return }
        onEvent(.changed(call, names: Self.words(data["changed"]), Cause(data["cause"])))
    }

    private static func words(_ value: JSONValue?) -> [String] {
        value.map { $0.elements.compactMap(\.string) } ?? []
    }
}
