internal import BrokerJSON
internal import BrokerRPC
package import BrokerSocket
internal import CallProtocol

/// A `test.advance` on its way: the clock moves to `end`, from timer to timer.
package struct Advance {
    package let end: MonotonicTime
    let target: ReplyTarget
    var fired = 0
}

extension Broker {
    func startAdvance(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        guard advance == nil else {
            throw RPCError(.invalidState, reason: "busy", "the clock is already being moved").with {
                $0.retryable = true
            }
        }
        let milliseconds = Int(params?["ms"]?.integer ?? 0)
        advance = Advance(end: now.advanced(milliseconds: milliseconds), target: target)
        postpone(target)
    }

    /// Moves the virtual clock to the next deadline and fires what is due there, or to the end and
    /// answers. The loop calls this when nothing is left to read. Returns the new time.
    package func stepAdvance() -> MonotonicTime {
        guard var advance else { return now }
        if let next = timers.nextDeadline, next <= advance.end {
            now = max(now, next)
            advance.fired += fireTimers(dueBy: now)
            self.advance = advance
            return now
        }
        now = advance.end
        self.advance = nil
        answer(advance.target) { writer in
            writer.member("fired", advance.fired)
            writer.member("now_ms", now.milliseconds)
            writer.member("seq", feed.seq)
        }
        return now
    }
}
