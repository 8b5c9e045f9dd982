internal import BrokerJSON
internal import BrokerRPC
package import BrokerSocket
internal import CallArbitration
internal import CallModel
internal import CallPlugins
internal import CallProtocol

/// Somebody waits until nothing is under way.
struct SettleRequest {
    let target: ReplyTarget
    var patience: Patience
}

/// Of whom nothing is waited for, and how long for the others, by the host's own clock: that of the
/// test stands meanwhile.
struct Patience {
    let ignored: Set<String>
    let limitMS: Int
    /// Begins with the first look at it: what can be read by then is read before the second.
    var deadline: MonotonicTime?

    private static let usualMS = 30_000

    init(_ params: JSONValue?) {
        ignored = Set(params?["ignore"]?.elements.compactMap(\.string) ?? [])
        limitMS = params?["limit_ms"]?.integer.map { Int($0) } ?? Self.usualMS
    }

    /// Whether it has come to its end.
    mutating func isOver(at hostTime: MonotonicTime) -> Bool {
        if let deadline { return hostTime >= deadline }
        deadline = hostTime.advanced(milliseconds: limitMS)
        return false
    }
}

/// `test.settle`: tests wait for peers that are processes of their own, without a clock.
extension Broker {
    func awaitSettled(_ params: JSONValue?, _ target: ReplyTarget) {
        settleRequests.append(SettleRequest(target: target, patience: Patience(params)))
        postpone(target)
    }

    /// Nothing was left to read: who waits for that is answered, unless a peer owes us an answer.
    package func answerSettled() {
        let waiting = settleRequests
        settleRequests = waiting.filter { !isSettled(without: $0.patience.ignored) }
        for request in waiting where isSettled(without: request.patience.ignored) {
            answer(request.target) { $0.member("seq", feed.seq) }
        }
    }

    /// Who has waited for long enough hears for what.
    ///
    /// - Parameter hostTime: by the host's own clock.
    package func giveUpSettling(at hostTime: MonotonicTime) {
        giveUpAdvance(at: hostTime)
        guard !settleRequests.isEmpty else { return }
        var waiting = settleRequests
        var given: [SettleRequest] = []
        for index in waiting.indices.reversed()
        where waiting[index].patience.isOver(at: hostTime)
            && !isSettled(without: waiting[index].patience.ignored)
        {
            given.insert(waiting.remove(at: index), at: 0)
        }
        settleRequests = waiting
        for request in given { answer(request.target, unsettled(request.patience) { _ in }) }
    }

    /// When somebody will have waited for long enough, by the host's own clock.
    package var settleDeadline: MonotonicTime? {
        guard !settleRequests.isEmpty || advance != nil else { return nil }
        let deadlines = settleRequests.map(\.patience.deadline) + advanceDeadlines
        return deadlines.compactMap { $0 }.min()
    }

    /// Somebody waits for rest, and there may be: one more look whether anything can be read.
    var hasSettled: Bool {
        settleRequests.contains { isSettled(without: $0.patience.ignored) }
    }

    func isSettled(without ignored: Set<String>) -> Bool {
        busyParts.isEmpty && debtors(without: ignored).isEmpty && starting(without: ignored).isEmpty
    }

    /// What the broker itself has not done yet.
    private var busyParts: [String] {
        var parts: [String] = []
        if !backlog.isEmpty { parts.append("frames") }
        if !laggards.isEmpty { parts.append("events") }
        if !isStoreIdle { parts.append("store") }
        if plugins.reading.isUnderWay { parts.append("manifests") }
        return parts
    }

    /// Peers that owe us an answer, with the names by which they are ignored.
    private func debtors(without ignored: Set<String>) -> [(name: String, peer: Peer)] {
        let apps = sessions.all.compactMap { session in
            session.peer.map { (name: session.provider.name, peer: $0) }
        }
        let others = (advisers + claimants).map { (name: $0.identity ?? "", peer: $0) }
        // A ping may be all that it was asked.
        let own = plugins.all.compactMap { plugin in
            plugin.peer.map { (name: plugin.identity, peer: $0) }
        }
        var seen: Set<Int> = []
        return (apps + others + own).filter { name, peer in
            peer.outgoing.count > 0 && !ignored.contains(name) && seen.insert(peer.number).inserted
        }
    }

    /// Plugins whose processes have not opened their sessions yet.
    private func starting(without ignored: Set<String>) -> [String] {
        plugins.all.filter { $0.state == .starting && !ignored.contains($0.identity) }
            .map(\.identity)
    }

    /// The request of a test that waits under this id, and waits no more.
    func takeBackFromTest(_ id: RequestID, of peer: Peer) -> ReplyTarget? {
        func isMeant(_ target: ReplyTarget) -> Bool { target.peer === peer && target.id == id }
        if let target = advance?.target, isMeant(target) {
            advance = nil
            return target
        }
        guard let index = settleRequests.firstIndex(where: { isMeant($0.target) }) else {
            return nil
        }
        return settleRequests.remove(at: index).target
    }

    // MARK: - What is not done

    private static let debtsShown = 32

    /// The error of one who has waited in vain: who owes what.
    func unsettled(_ patience: Patience, _ more: (inout JSONWriter) -> Void) -> RPCError {
        let debts = debts(without: patience.ignored)
        var writer = JSONWriter()
        writer.name("owed")
        writer.array { writer in
            for write in debts.prefix(Self.debtsShown) { writer.object(write) }
        }
        if debts.count > Self.debtsShown { writer.member("more", true) }
        writer.member("busy", words: busyParts)
        more(&writer)
        let what =
            debts.isEmpty ? "the broker is at work" : "answers owed to the broker: \(debts.count)"
        return RPCError(
            .deadlineExceeded, reason: "deadline_exceeded",
            "not settled in \(patience.limitMS) ms: \(what)"
        ).with {
            $0.hint = "data.owed says who owes what; answer, or name in ignore who need not"
            $0.retryable = true
            $0.extra = writer.bytes
        }
    }

    /// What writes each thing that is owed.
    private func debts(without ignored: Set<String>) -> [(inout JSONWriter) -> Void] {
        let hellos = starting(without: ignored).map { name in
            { (writer: inout JSONWriter) in
                writer.member("who", name)
                writer.member("asked", MethodName.hello.rawValue)
            }
        }
        let answers = debtors(without: ignored).flatMap { debtor in
            debtor.peer.outgoing.open.map { request in
                { (writer: inout JSONWriter) in
                    self.write(request.purpose, of: debtor.name, request.id, to: &writer)
                }
            }
        }
        return hellos + answers
    }

    private func write(
        _ purpose: OutgoingPurpose, of name: String, _ id: Int64, to writer: inout JSONWriter
    ) {
        writer.member("who", name)
        writer.member("request", Int(id))
        writer.member("asked", purpose.methodName)
        switch purpose {
        case .perform(let action):
            writer.member("action", action)
            guard let dispatch = dispatched[action] else { return }
            writer.member("kind", dispatch.kind.kind.word)
            writer.member("call", dispatch.call)
        case .execute(let transaction): writer.member("transaction", transaction)
        case .check(let call, _), .lookUp(let call, _), .present(let call):
            writer.member("call", call)
        case .ping: break
        }
    }
}

extension OutgoingPurpose {
    /// By which method the peer was asked.
    fileprivate var methodName: String {
        let method: MethodName =
            switch self {
            case .perform: .perform
            case .execute: .execute
            case .check: .check
            case .lookUp: .lookUp
            case .present: .present
            case .ping: .ping
            }
        return method.rawValue
    }
}
