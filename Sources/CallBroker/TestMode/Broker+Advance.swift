internal import BrokerJSON
internal import BrokerRPC
package import BrokerSocket
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

extension Broker {
    /// How long the clock waits for subscribers that read nothing.
    private static let readersMS = 1_000
    /// How long it waits for a sign of life: processes that share a machine with many others have not
    /// much of it.
    private static let pingsMS = 5_000

    func startAdvance(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        guard advance == nil else {
            throw RPCError(.invalidState, reason: "busy", "the clock is already being moved").with {
                $0.retryable = true
            }
        }
        let milliseconds = Int(params?["ms"]?.integer ?? 0)
        var started = Advance(end: now.advanced(milliseconds: milliseconds), target: target)
        if params?["settle"]?.boolean ?? false { started.patience = Patience(params) }
        advance = started
        postpone(target)
    }

    /// Whether the clock of a test may move: nobody is waited for.
    package var mayAdvance: Bool {
        guard let advance, outrunReaders.isEmpty, silentPeers.isEmpty else { return false }
        return advance.patience.map { isSettled(without: $0.ignored) } ?? true
    }

    /// Moves the virtual clock to the next deadline and fires what is due there, or to the end and
    /// answers. The loop calls this when nothing is left to read. Returns the new time.
    package func stepAdvance() -> MonotonicTime {
        guard mayAdvance, var advance else { return now }
        advance.patience?.deadline = nil
        advance.readersDeadline = nil
        advance.pingsDeadline = nil
        if let next = timers.nextDeadline, next <= advance.end {
            now = max(now, next)
            advance.fired += fireTimers(dueBy: now)
            self.advance = advance
            return now
        }
        now = advance.end
        self.advance = nil
        answer(advance.target) { write(advance, to: &$0) }
        return now
    }

    private func write(_ advance: Advance, to writer: inout JSONWriter) {
        writer.member("fired", advance.fired)
        writer.member("now_ms", now.milliseconds)
        writer.member("seq", feed.seq)
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
        answer(given.target, unsettled(patience) { write(given, to: &$0) })
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
