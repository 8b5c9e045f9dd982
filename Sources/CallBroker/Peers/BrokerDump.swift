internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// The result of `broker.dump`: what the broker is doing, for a bug report. Each list is cut after
/// some entries, and where the frame would become too long.
struct BrokerDump {
    private let broker: Broker
    private let now: MonotonicTime

    init(_ broker: Broker) {
        self.broker = broker
        now = broker.clock.now
    }

    func write(to writer: inout JSONWriter) {
        // Each list may use a share of the frame, with what those before it have left.
        let share = broker.limits.frame.frameOutBytes / 10
        let start = writer.bytes.count
        let cuts = [
            writer.list("transactions", broker.requests.open, upTo: start + 2 * share) {
                write($0, to: &$1)
            },
            writer.list("actions", broker.performer.sent, upTo: start + 4 * share) {
                write($0, to: &$1)
            },
            writer.list("timers", broker.timers.summary, upTo: start + 5 * share) {
                write($0, to: &$1)
            },
            writer.list("screens", broker.screens.claimants, upTo: start + 6 * share) {
                write(screen: $0, to: &$1)
            },
            writer.list("connections", broker.peers.all, upTo: start + 8 * share) {
                write(connection: $0, to: &$1)
            },
        ]
        writer.member("anomalies", "anomaly", broker.trace.anomalies) { $0.rawValue }
        writer.member("refusals", "rule", broker.requests.refusals) { $0.rawValue }
        if cuts.contains(true) { writer.member("more", true) }
    }

    private func age(since start: MonotonicTime) -> Int {
        max(0, Int(now.milliseconds - start.milliseconds))
    }

    private func write(_ request: WaitingRequest, to writer: inout JSONWriter) {
        if case .transaction(let options) = request.form, let id = options.transaction {
            writer.member("transaction", id)
        }
        writer.member("client", ifSet: request.target?.peer.number)
        writer.member("accepted", request.isAccepted)
        writer.member("age_ms", age(since: request.since))
    }

    private func write(_ sent: Performer.Sent, to writer: inout JSONWriter) {
        writer.member("action", sent.dispatch.action)
        writer.member("kind", sent.dispatch.kind.kind.word)
        writer.member("call", sent.dispatch.call)
        writer.member("provider", sent.dispatch.provider)
        writer.member("transaction", sent.dispatch.transaction)
        writer.member("attempt", sent.dispatch.attempt)
        writer.member("age_ms", age(since: sent.since))
    }

    private func write(
        _ timer: (what: String, count: Int, nextMS: Int?), to writer: inout JSONWriter
    ) {
        writer.member("what", timer.what)
        writer.member("count", timer.count)
        writer.member("next_ms", ifSet: timer.nextMS)
    }

    private func write(screen peer: Peer, to writer: inout JSONWriter) {
        writer.member("client", peer.number)
        writer.member("identity", ifSet: peer.identity)
        writer.member("primary", broker.screens.isPrimary(peer))
        writer.member("calls", broker.screens.presentedCalls(by: peer))
    }

    private func write(connection peer: Peer, to writer: inout JSONWriter) {
        writer.members(of: peer)
        writer.member("unread_bytes", peer.connection.queuedBytes)
        writer.member("unanswered", peer.outgoing.count)
        writer.name("subscriptions")
        writer.array { writer in
            for subscription in peer.subscriptions.all.prefix(MethodTable.entriesDumped) {
                writer.object { $0.members(of: subscription) }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of subscription: Subscription) {
        member("topics", words: subscription.topics.topics.map(\.rawValue))
        member("seq", subscription.seq)
        member("behind", subscription.isBehind)
    }

    /// Writes a list; returns true if it was cut.
    fileprivate mutating func list<Item>(
        _ name: StaticString, _ items: some Sequence<Item>, upTo end: Int,
        _ write: (Item, inout JSONWriter) -> Void
    ) -> Bool {
        var (written, isCut) = (0, false)
        self.name(name)
        array { writer in
            for item in items {
                let start = writer.bytes.count
                if written < MethodTable.entriesDumped { writer.object { write(item, &$0) } }
                guard written < MethodTable.entriesDumped, writer.bytes.count <= end else {
                    writer.bytes.removeLast(writer.bytes.count - start)
                    return isCut = true
                }
                written += 1
            }
        }
        return isCut
    }
}
