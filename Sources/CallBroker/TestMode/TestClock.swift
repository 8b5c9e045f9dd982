internal import BrokerJSON
internal import BrokerRPC
package import BrokerSocket
internal import CallArbitration
internal import CallModel
internal import CallPlugins
internal import CallProtocol

/// A `test.advance` in progress: the clock moves to `end`, from timer to timer.
package struct Advance {
    package let end: MonotonicTime
    let target: ReplyTarget
    var fired = 0
    /// The answers for which each step waits; nil for none.
    var wait: SettleWait?
    /// The time, by the host's clock, until which the clock waits for lagging subscribers.
    var readersDeadline: MonotonicTime?
    /// The time, by the host's clock, until which the clock waits for answers to pings.
    var pingsDeadline: MonotonicTime?
}

/// The clock of the test mode, which `test.advance` moves, and the requests that wait for the
/// broker to settle. The clock stands while a peer that it has to wait for has not reacted.
final class TestClock: BrokerPart {
    /// The `test.advance` in progress.
    private(set) var advance: Advance?
    /// Pending `test.settle` requests.
    private var waiters: [SettleWaiter] = []
    /// Peers that may still lag behind, by number.
    private var laggingReaders: [Int: LaggingReader] = [:]
    /// Peers that were pinged and have not reacted yet, by number.
    private var pinged: [Int: Peer] = [:]

    /// A peer with lagging subscriptions.
    private struct LaggingReader {
        let peer: Peer
        /// The bytes that the peer had read when the clock moved without waiting for it.
        var readBytesGivenUp: Int?
    }

    /// True if the next turn has work for a test.
    var hasWork: Bool {
        mayAdvance || hasSettledWaiters
    }

    // MARK: - Peers

    /// Records a peer with lagging subscriptions.
    func recordLagging(_ peer: Peer) {
        if laggingReaders[peer.number] == nil {
            laggingReaders[peer.number] = LaggingReader(peer: peer)
        }
    }

    /// Records a peer that was sent a ping.
    func recordPing(of peer: Peer) {
        pinged[peer.number] = peer
    }

    /// Records that a peer has reacted.
    func recordActivity(of peer: Peer) {
        if !pinged.isEmpty { pinged[peer.number] = nil }
    }

    /// Removes a peer whose connection is closed, and its requests.
    func remove(_ peer: Peer) {
        if let advance, advance.target.peer === peer { self.advance = nil }
        laggingReaders[peer.number] = nil
        pinged[peer.number] = nil
        waiters.removeAll { $0.target.peer === peer }
    }

    /// Replies to pending requests with an error, because the broker is stopping.
    func stop() {
        let targets = waiters.map(\.target) + [advance?.target].compactMap { $0 }
        waiters = []
        advance = nil
        for target in targets {
            broker.outbox.answer(
                target, RPCError(.stopping, reason: .stopping, "the broker is stopping"))
        }
    }

    /// The time that the clock waits for subscribers that do not read.
    private static let readersMS = 1_000
    /// The time that the clock waits for answers to pings: processes on a busy machine may be slow.
    private static let pingsMS = 5_000

    func perform(_ request: TestRequest, _ target: ReplyTarget) throws(RPCError) {
        switch request {
        case .advance(let params): try start(params, target)
        case .settle(let params): addWaiter(params, target)
        }
    }

    func start(_ params: AdvanceParams, _ target: ReplyTarget) throws(RPCError) {
        guard advance == nil else {
            throw RPCError(.invalidState, reason: .busy, "the clock is already being moved").with {
                $0.retryable = true
            }
        }
        var started = Advance(
            end: broker.clock.now.advanced(milliseconds: params.milliseconds), target: target)
        started.wait = params.settle.map { SettleWait($0) }
        advance = started
        broker.outbox.postpone(target)
    }

    /// True if the clock may move, because no peer has to react first.
    var mayAdvance: Bool {
        guard let advance, outrunReaders.isEmpty, silentPeers.isEmpty else { return false }
        return advance.wait.map { isQuiescent(ignoring: $0.ignored) } ?? true
    }

    /// Moves the clock to the next deadline and fires what is due there, or to the end and replies.
    /// The loop calls this when nothing is left to read.
    ///
    /// - Returns: the new time.
    func step() -> MonotonicTime {
        guard mayAdvance, var advance else { return broker.clock.now }
        advance.wait?.deadline = nil
        advance.readersDeadline = nil
        advance.pingsDeadline = nil
        if let next = broker.timers.nextDeadline, next <= advance.end {
            broker.clock.move(to: max(broker.clock.now, next))
            advance.fired += broker.fireTimers(dueBy: broker.clock.now)
            self.advance = advance
            return broker.clock.now
        }
        broker.clock.move(to: advance.end)
        self.advance = nil
        broker.outbox.answer(advance.target) { write(advance, to: &$0) }
        return broker.clock.now
    }

    private func write(_ advance: Advance, to writer: inout JSONWriter) {
        writer.member("fired", advance.fired)
        writer.member("now_ms", broker.clock.now.milliseconds)
        writer.member("seq", broker.events.seq)
    }

    // MARK: - Waiting for peers

    /// Subscribers that lag behind, but read: the virtual time moves faster than they can.
    private var outrunReaders: [LaggingReader] {
        for (number, reader) in laggingReaders
        where reader.peer.stage != .ready || !reader.peer.subscriptions.areBehind {
            laggingReaders[number] = nil
        }
        return laggingReaders.values.filter { $0.readBytesGivenUp != $0.peer.connection.sentBytes }
    }

    /// Peers that were sent a ping and have had no time to answer, since the clock stood. An
    /// advance that waits for answers waits for those to pings as well.
    private var silentPeers: [Peer] {
        guard advance?.wait == nil else { return [] }
        return pinged.values.filter { $0.stage == .ready }
    }

    var advanceDeadlines: [MonotonicTime?] {
        [advance?.wait?.deadline, advance?.readersDeadline, advance?.pingsDeadline]
    }

    /// Stops waiting for peers that have not reacted in time, and ends the advance if an answer is
    /// missing.
    private func expireAdvance(at hostTime: MonotonicTime) {
        guard advance != nil, !mayAdvance else { return }
        expireReaders(at: hostTime)
        expirePings(at: hostTime)
        guard outrunReaders.isEmpty, var wait = advance?.wait else { return }
        let isOver = wait.isOver(at: hostTime)
        advance?.wait = wait
        guard isOver, !isQuiescent(ignoring: wait.ignored), let expired = advance else { return }
        advance = nil
        broker.outbox.answer(expired.target, timeOut(of: wait) { write(expired, to: &$0) })
    }

    private func expireReaders(at hostTime: MonotonicTime) {
        let readers = outrunReaders
        guard !readers.isEmpty else { return }
        let end = advance?.readersDeadline ?? hostTime.advanced(milliseconds: Self.readersMS)
        advance?.readersDeadline = end
        guard hostTime >= end else { return }
        for reader in readers {
            laggingReaders[reader.peer.number]?.readBytesGivenUp =
                reader.peer.connection.sentBytes
        }
        advance?.readersDeadline = nil
    }

    private func expirePings(at hostTime: MonotonicTime) {
        guard !silentPeers.isEmpty else { return }
        let end = advance?.pingsDeadline ?? hostTime.advanced(milliseconds: Self.pingsMS)
        advance?.pingsDeadline = end
        guard hostTime >= end else { return }
        pinged = [:]
        advance?.pingsDeadline = nil
    }

    // MARK: - Settling

    private func addWaiter(_ params: SettleParams, _ target: ReplyTarget) {
        waiters.append(SettleWaiter(target: target, wait: SettleWait(params)))
        broker.outbox.postpone(target)
    }

    /// Replies to the waiters if no work is under way. Called when nothing is left to read.
    func answerSettled() {
        let waiting = waiters
        waiters = waiting.filter { !isQuiescent(ignoring: $0.wait.ignored) }
        for request in waiting where isQuiescent(ignoring: request.wait.ignored) {
            broker.outbox.answer(request.target) { $0.member("seq", broker.events.seq) }
        }
    }

    /// Ends waits whose time limit has passed; the error lists the missing answers.
    ///
    /// - Parameter hostTime: the time by the host's clock.
    func expire(at hostTime: MonotonicTime) {
        expireAdvance(at: hostTime)
        guard !waiters.isEmpty else { return }
        var waiting = waiters
        var expired: [SettleWaiter] = []
        for index in waiting.indices.reversed()
        where waiting[index].wait.isOver(at: hostTime)
            && !isQuiescent(ignoring: waiting[index].wait.ignored)
        {
            expired.insert(waiting.remove(at: index), at: 0)
        }
        waiters = waiting
        for request in expired {
            broker.outbox.answer(request.target, timeOut(of: request.wait) { _ in })
        }
    }

    /// The first time limit of a wait, by the host's clock.
    var deadline: MonotonicTime? {
        guard !waiters.isEmpty || advance != nil else { return nil }
        let deadlines = waiters.map(\.wait.deadline) + advanceDeadlines
        return deadlines.compactMap { $0 }.min()
    }

    /// True if a waiter can be answered after one more check that nothing can be read.
    private var hasSettledWaiters: Bool {
        waiters.contains { isQuiescent(ignoring: $0.wait.ignored) }
    }

    /// Returns true if neither the broker nor a peer that is not ignored has work under way.
    private func isQuiescent(ignoring ignored: Set<String>) -> Bool {
        busyParts.isEmpty && debtors(ignoring: ignored).isEmpty
            && starting(ignoring: ignored).isEmpty
    }

    /// The parts of the broker that have work under way.
    private var busyParts: [String] {
        var parts: [String] = []
        if broker.turn.hasBacklog { parts.append("frames") }
        if broker.events.hasLaggingPeers { parts.append("events") }
        if !broker.isStoreIdle { parts.append("store") }
        if !broker.processes.isIdle { parts.append("peers") }
        if broker.manifests.isReading { parts.append("manifests") }
        return parts
    }

    /// Returns the peers with unanswered requests, and the names by which they can be ignored.
    private func debtors(ignoring ignored: Set<String>) -> [(name: String, peer: Peer)] {
        let apps = broker.sessions.all.compactMap { session in
            session.peer.map { (name: session.provider.name, peer: $0) }
        }
        let others = (broker.screener.screeners + broker.screens.claimants).map {
            (name: $0.identity ?? "", peer: $0)
        }
        // A plugin's only unanswered request may be a ping.
        let own = broker.plugins.all.compactMap { plugin in
            plugin.peer.map { (name: plugin.identity, peer: $0) }
        }
        var seen: Set<Int> = []
        return (apps + others + own).filter { name, peer in
            peer.outgoing.count > 0 && !ignored.contains(name) && seen.insert(peer.number).inserted
        }
    }

    /// Returns the plugins whose processes have not opened their sessions yet.
    private func starting(ignoring ignored: Set<String>) -> [String] {
        broker.plugins.all.filter { $0.state == .starting && !ignored.contains($0.identity) }
            .map(\.identity)
    }

    /// Removes and returns the pending request of a test with this id.
    func cancel(_ id: RequestID, of peer: Peer) -> ReplyTarget? {
        func matches(_ target: ReplyTarget) -> Bool { target.peer === peer && target.id == id }
        if let target = advance?.target, matches(target) {
            advance = nil
            return target
        }
        guard let index = waiters.firstIndex(where: { matches($0.target) }) else { return nil }
        return waiters.remove(at: index).target
    }

    // MARK: - Unanswered requests

    private static let debtsShown = 32

    /// Returns the error of a wait whose time limit has passed, with the missing answers.
    private func timeOut(
        of wait: SettleWait, _ more: (inout JSONWriter) -> Void
    ) -> RPCError {
        let debts = debts(ignoring: wait.ignored)
        var writer = JSONWriter()
        writer.name("owed")
        writer.array { writer in
            for write in debts.prefix(Self.debtsShown) { writer.object(write) }
        }
        if debts.count > Self.debtsShown { writer.member("more", true) }
        writer.member("busy", words: busyParts)
        more(&writer)
        let what =
            debts.isEmpty ? "the broker is busy" : "requests without an answer: \(debts.count)"
        return RPCError(
            .deadlineExceeded, reason: .deadlineExceeded,
            "not settled in \(wait.limitMS) ms: \(what)"
        ).with {
            $0.hint = "answer the requests in data.owed, or name their peers in ignore"
            $0.retryable = true
            $0.extra = writer.bytes
        }
    }

    /// Returns functions that write each missing hello and answer.
    private func debts(ignoring ignored: Set<String>) -> [(inout JSONWriter) -> Void] {
        let hellos = starting(ignoring: ignored).map { name in
            { (writer: inout JSONWriter) in
                writer.member("who", name)
                writer.member("asked", MethodName.hello.rawValue)
            }
        }
        let answers = debtors(ignoring: ignored).flatMap { debtor in
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
            guard let dispatch = broker.performer[action] else { return }
            writer.member("kind", dispatch.kind.kind.word)
            writer.member("call", dispatch.call)
        case .execute(let transaction): writer.member("transaction", transaction)
        case .check(let call, _), .lookUp(let call, _), .present(let call):
            writer.member("call", call)
        case .ask(let number): writer.member("question", number)
        case .useEndpoint, .forwarded, .push, .handover, .ping: break
        }
    }
}

/// A `test.settle` request, which waits until no work is under way.
private struct SettleWaiter {
    let target: ReplyTarget
    var wait: SettleWait
}

/// The time limit of a wait for answers, by the host's clock: the test's clock stands meanwhile.
struct SettleWait {
    /// The names of peers whose answers are not awaited.
    let ignored: Set<String>
    let limitMS: Int
    /// The end of the wait. It is set when the wait is first checked: what can be read by then is
    /// read before the second check.
    var deadline: MonotonicTime?

    private static let defaultMS = 30_000

    init(_ params: SettleParams) {
        ignored = params.ignored
        limitMS = params.limitMS ?? Self.defaultMS
    }

    /// Returns true if the time limit has passed.
    mutating func isOver(at hostTime: MonotonicTime) -> Bool {
        if let deadline { return hostTime >= deadline }
        deadline = hostTime.advanced(milliseconds: limitMS)
        return false
    }
}

extension OutgoingPurpose {
    /// The method of the request.
    fileprivate var methodName: String {
        let method: MethodName =
            switch self {
            case .perform: .perform
            case .execute: .execute
            case .check: .check
            case .lookUp: .lookUp
            case .present: .present
            case .useEndpoint: .useEndpoint
            case .handover: .handover
            case .forwarded(_, let method): method
            case .push: .receivePush
            case .ask: .ask
            case .ping: .ping
            }
        return method.rawValue
    }
}
