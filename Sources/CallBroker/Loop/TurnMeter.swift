package import BrokerSocket
package import CallProtocol

/// A part of a turn of the loop, by the kind of work.
package enum TurnPart: Equatable, Sendable {
    /// A request of a client.
    case method(MethodName)
    /// A client's response to a request of the broker.
    case response
    /// Frames that had to wait for this turn, and events for lagging subscriptions.
    case backlog
    case opening, closing
    case exit, plugins, store, timer, stop
    /// Writing the journal.
    case commit
    /// Sending.
    case send

    package var name: String {
        switch self {
        case .method(let name): name.rawValue
        case .response: "response"
        case .backlog: "backlog"
        case .opening: "connect"
        case .closing: "disconnect"
        case .exit: "process_exit"
        case .plugins: "plugins"
        case .store: "store"
        case .timer: "timer"
        case .stop: "stop"
        case .commit: "journal"
        case .send: "send"
        }
    }
}

/// The durations of the loop's turns: during a turn, all clients wait.
///
/// Times are the host's, even if a test has a clock of its own.
package struct TurnMeter {
    /// The duration in milliseconds beyond which a turn counts as a stall.
    package static let stallMS = 50
    /// The number of part names that are counted.
    private static let partsMax = 128

    /// The stalls that one kind of part has caused.
    package struct Stalls: Equatable, Sendable {
        package var count = 0
        package var longestMS = 0

        fileprivate mutating func add(_ milliseconds: Int) {
            count += 1
            longestMS = max(longestMS, milliseconds)
        }
    }

    private var start = MonotonicTime.zero
    /// The time at which the latest part ended.
    private(set) var last = MonotonicTime.zero
    private var longest: (part: TurnPart, nanoseconds: Int64) = (.backlog, 0)
    /// The stalls, by the name of the part that took longest.
    package private(set) var stalls: [String: Stalls] = [:]
    package private(set) var longestMS = 0
    /// The durations of all turns.
    package private(set) var durations = LatencyHistogram()

    package init() {}

    /// The part that has taken longest in this turn so far.
    package var longestPart: TurnPart {
        longest.part
    }

    package var count: Int {
        stalls.values.reduce(0) { $0 + $1.count }
    }

    package mutating func begin(at now: MonotonicTime) {
        (start, last) = (now, now)
        longest.nanoseconds = 0
    }

    /// Ends a part, which began at the end of the part before, or with the turn.
    ///
    /// - Returns: the duration of the part in nanoseconds.
    @discardableResult
    package mutating func end(_ part: TurnPart, at now: MonotonicTime) -> Int64 {
        let nanoseconds = now.nanoseconds - last.nanoseconds
        last = now
        if nanoseconds > longest.nanoseconds { longest = (part, nanoseconds) }
        return nanoseconds
    }

    /// Ends the turn.
    ///
    /// - Returns: the longest part and the duration of the turn, if it was a stall.
    package mutating func endTurn(at now: MonotonicTime) -> (part: TurnPart, milliseconds: Int)? {
        durations.record(from: start, to: now)
        let milliseconds = Int((now.nanoseconds - start.nanoseconds) / 1_000_000)
        longestMS = max(longestMS, milliseconds)
        guard milliseconds > Self.stallMS else { return nil }
        let name = longest.part.name
        if stalls.count < Self.partsMax || stalls[name] != nil {
            stalls[name, default: Stalls()].add(milliseconds)
        }
        return (longest.part, milliseconds)
    }
}
