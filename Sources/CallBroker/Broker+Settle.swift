internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallModel
internal import CallProtocol

/// Somebody waits until nothing is under way.
struct SettleRequest {
    let target: ReplyTarget
    /// Providers that need not answer.
    let ignored: [String]
}

/// `test.settle`: tests wait for peers that are processes of their own, without a clock.
extension Broker {
    func awaitSettled(_ params: JSONValue?, _ target: ReplyTarget) {
        let ignored = params?["ignore"]?.elements.compactMap(\.string) ?? []
        settleRequests.append(SettleRequest(target: target, ignored: ignored))
        postpone(target)
    }

    /// Nothing was left to read: who waits for that is answered, unless a peer owes us an answer.
    package func answerSettled() {
        let waiting = settleRequests
        settleRequests = waiting.filter { !isSettled(without: $0.ignored) }
        for request in waiting where isSettled(without: request.ignored) {
            answer(request.target) { $0.member("seq", feed.seq) }
        }
    }

    /// Somebody waits for rest, and there may be: one more look whether anything can be read.
    var hasSettled: Bool {
        settleRequests.contains { isSettled(without: $0.ignored) }
    }

    private func isSettled(without ignored: [String]) -> Bool {
        backlog.isEmpty && laggards.isEmpty && isStoreIdle && !plugins.reading.isUnderWay
            && sessions.all.allSatisfy { session in
                ignored.contains(session.provider.name) || session.peer?.outgoing.count ?? 0 == 0
            }
            && !awaitsFilters(without: ignored)
            && (advisers + claimants).allSatisfy { peer in
                ignored.contains(peer.identity ?? "") || peer.outgoing.count == 0
            }
    }
}
