internal import BrokerJSON
internal import BrokerRPC
package import BrokerSocket
internal import CallArbitration
internal import CallModel
internal import CallPlugins
internal import CallProtocol

/// A `test.advance` on its way: the clock moves to `end`, from timer to timer.
package struct Advance {
    package let end: MonotonicTime
    let target: ReplyTarget
    var fired = 0
    /// For whose answers each step waits; nil: for none.
    var patience: Patience?
    /// Until when subscribers may read what they are behind with, by the host's own clock.
    var readersDeadline: MonotonicTime?
    /// The same for those that were pinged.
    var pingsDeadline: MonotonicTime?
}

final class TestClock {
    private unowned let broker: Broker

    /// What the loop is to do next on behalf of `test.advance`.
    private(set) var advance: Advance?
    /// Pending `test.settle` requests.
    private var settleRequests: [SettleRequest] = []
    /// Peers that may still be behind, by number.
    private var behindReaders: [Int: Peer] = [:]
    /// Peers that were pinged and have not reacted yet, by number.
    private var pinged: [Int: Peer] = [:]

    init(_ broker: Broker) {
        self.broker = broker
    }

    /// Whether the next turn has something to do for a test.
    var hasWork: Bool {
        mayAdvance || hasSettled
    }

    // MARK: - Peers

    /// Notes a peer whose subscriptions are behind.
    func noteBehind(_ peer: Peer) {
        behindReaders[peer.number] = peer
    }

    func notePing(of peer: Peer) {
        pinged[peer.number] = peer
    }

    /// Notes that a peer has reacted.
    func noteSign(of peer: Peer) {
        if !pinged.isEmpty { pinged[peer.number] = nil }
    }

    /// Forgets a peer whose connection is closed, and what it waits for.
    func forget(_ peer: Peer) {
        if let advance, advance.target.peer === peer { self.advance = nil }
        behindReaders[peer.number] = nil
        pinged[peer.number] = nil
        settleRequests.removeAll { $0.target.peer === peer }
    }

    /// Refuses everybody who waits: the broker is stopping.
    func stop() {
        let targets = settleRequests.map(\.target) + [advance?.target].compactMap { $0 }
        settleRequests = []
        advance = nil
        for target in targets {
            broker.outbox.answer(
                target, RPCError(.stopping, reason: "stopping", "the broker is stopping"))
        }
    }

    /// How long the clock waits for subscribers that read nothing.
    private static let readersMS = 1_000
    /// How long it waits for a sign of life: processes that share a machine with many others have not
    /// much of it.
    private static let pingsMS = 5_000

    func perform(
        _ method: ClientMethod.TestMethod, _ params: JSONValue?, _ target: ReplyTarget
    ) throws(RPCError) {
        switch method {
        case .advance: try start(params, target)
        case .settle: awaitSettled(params, target)
        }
    }

    func start(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        guard advance == nil else {
            throw RPCError(.invalidState, reason: "busy", "the clock is already being moved").with {
                $0.retryable = true
            }
        }
        let milliseconds = Int(params?["ms"]?.integer ?? 0)
        var started = Advance(
            end: broker.clock.now.advanced(milliseconds: milliseconds), target: target)
        if params?["settle"]?.boolean ?? false { started.patience = Patience(params) }
        advance = started
        broker.outbox.postpone(target)
    }

    /// Whether the clock of a test may move: nobody is waited for.
    var mayAdvance: Bool {
        guard let advance, outrunReaders.isEmpty, silentPeers.isEmpty else { return false }
        return advance.patience.map { isSettled(without: $0.ignored) } ?? true
    }

    /// Moves the virtual clock to the next deadline and fires what is due there, or to the end and
    /// answers. The loop calls this when nothing is left to read. Returns the new time.
    func step() -> MonotonicTime {
        guard mayAdvance, var advance else { return broker.clock.now }
        advance.patience?.deadline = nil
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

    // MARK: - Who is waited for

    /// Subscribers that are behind, as time flies, and that read: to them a second of the test is none.
    private var outrunReaders: [Peer] {
        for (number, peer) in behindReaders
        where peer.stage != .ready || !peer.subscriptions.contains(where: \.isBehind) {
            behindReaders[number] = nil
        }
        return behindReaders.values.filter { $0.sentBytesOfStopped != $0.connection.sentBytes }
    }

    /// Those that were pinged, and had no time for an answer yet: the clock stood. Whoever waits for
    /// answers waits for those to pings as well.
    private var silentPeers: [Peer] {
        guard advance?.patience == nil else { return [] }
        return pinged.values.filter { $0.stage == .ready }
    }

    var advanceDeadlines: [MonotonicTime?] {
        [advance?.patience?.deadline, advance?.readersDeadline, advance?.pingsDeadline]
    }

    /// Whoever reads nothing is waited for no longer, and who owes an answer ends the advance.
    func giveUpAdvance(at hostTime: MonotonicTime) {
        guard advance != nil, !mayAdvance else { return }
        giveUpReaders(at: hostTime)
        giveUpPings(at: hostTime)
        guard outrunReaders.isEmpty, var patience = advance?.patience else { return }
        let isOver = patience.isOver(at: hostTime)
        advance?.patience = patience
        guard isOver, !isSettled(without: patience.ignored), let given = advance else { return }
        advance = nil
        broker.outbox.answer(given.target, unsettled(patience) { write(given, to: &$0) })
    }

    private func giveUpReaders(at hostTime: MonotonicTime) {
        let readers = outrunReaders
        guard !readers.isEmpty else { return }
        let end = advance?.readersDeadline ?? hostTime.advanced(milliseconds: Self.readersMS)
        advance?.readersDeadline = end
        guard hostTime >= end else { return }
        for peer in readers { peer.sentBytesOfStopped = peer.connection.sentBytes }
        advance?.readersDeadline = nil
    }

    private func giveUpPings(at hostTime: MonotonicTime) {
        guard !silentPeers.isEmpty else { return }
        let end = advance?.pingsDeadline ?? hostTime.advanced(milliseconds: Self.pingsMS)
        advance?.pingsDeadline = end
        guard hostTime >= end else { return }
        pinged = [:]
        advance?.pingsDeadline = nil
    }
}

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
extension TestClock {
    func awaitSettled(_ params: JSONValue?, _ target: ReplyTarget) {
        settleRequests.append(SettleRequest(target: target, patience: Patience(params)))
        broker.outbox.postpone(target)
    }

    /// Nothing was left to read: who waits for that is answered, unless a peer owes us an answer.
    func answerSettled() {
        let waiting = settleRequests
        settleRequests = waiting.filter { !isSettled(without: $0.patience.ignored) }
        for request in waiting where isSettled(without: request.patience.ignored) {
            broker.outbox.answer(request.target) { $0.member("seq", broker.events.seq) }
        }
    }

    /// Who has waited for long enough hears for what.
    ///
    /// - Parameter hostTime: by the host's own clock.
    func giveUp(at hostTime: MonotonicTime) {
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
        for request in given {
            broker.outbox.answer(request.target, unsettled(request.patience) { _ in })
        }
    }

    /// When somebody will have waited for long enough, by the host's own clock.
    var deadline: MonotonicTime? {
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
        if broker.turn.hasBacklog { parts.append("frames") }
        if broker.events.hasLaggingPeers { parts.append("events") }
        if !broker.isStoreIdle { parts.append("store") }
        if broker.manifests.isReading { parts.append("manifests") }
        return parts
    }

    /// Peers that owe us an answer, with the names by which they are ignored.
    private func debtors(without ignored: Set<String>) -> [(name: String, peer: Peer)] {
        let apps = broker.sessions.all.compactMap { session in
            session.peer.map { (name: session.provider.name, peer: $0) }
        }
        let others = (broker.screener.advisers + broker.screens.claimants).map {
            (name: $0.identity ?? "", peer: $0)
        }
        // A ping may be all that it was asked.
        let own = broker.plugins.all.compactMap { plugin in
            plugin.peer.map { (name: plugin.identity, peer: $0) }
        }
        var seen: Set<Int> = []
        return (apps + others + own).filter { name, peer in
            peer.outgoing.count > 0 && !ignored.contains(name) && seen.insert(peer.number).inserted
        }
    }

    /// Plugins whose processes have not opened their sessions yet.
    private func starting(without ignored: Set<String>) -> [String] {
        broker.plugins.all.filter { $0.state == .starting && !ignored.contains($0.identity) }
            .map(\.identity)
    }

    /// The request of a test that waits under this id, and waits no more.
    func takeBack(_ id: RequestID, of peer: Peer) -> ReplyTarget? {
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
            guard let dispatch = broker.performer[action] else { return }
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
