package import BrokerSocket
package import CallProtocol

/// What a turn of the loop is busy with.
package enum TurnPart: Equatable, Sendable {
    /// A method of the protocol, asked for by a client or reported by one.
    case method(MethodName)
    /// A client's answer to what it was asked.
    case response
    /// Frames that had to wait for this turn, and events for those who are behind.
    case backlog
    case opening, closing
    case exit, plugins, store, timer, stop
    /// The journal.
    case commit
    /// Everything that is sent.
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

/// How long the turns of the loop take: while one goes on, everybody waits.
///
/// Time is the host's, also where a test has a clock of its own.
package struct TurnMeter {
    /// A turn that takes longer is a stall.
    package static let stallMS = 50
    /// So many kinds of parts are counted by name; there are not many more.
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
    /// When the latest part ended.
    private(set) var last = MonotonicTime.zero
    private var longest: (part: TurnPart, nanoseconds: Int64) = (.backlog, 0)
    /// By the part that took longest in them.
    package private(set) var stalls: [String: Stalls] = [:]
    package private(set) var longestMS = 0

    package init() {}

    /// What has taken longest in this turn so far.
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

    /// What has been done since the part before, or since the turn began, was this.
    ///
    /// - Returns: the nanoseconds that it has taken.
    @discardableResult
    package mutating func end(_ part: TurnPart, at now: MonotonicTime) -> Int64 {
        let nanoseconds = now.nanoseconds - last.nanoseconds
        last = now
        if nanoseconds > longest.nanoseconds { longest = (part, nanoseconds) }
        return nanoseconds
    }

    /// - Returns: what took longest, if the turn was a stall, and how long all of it took.
    package mutating func endTurn(at now: MonotonicTime) -> (part: TurnPart, milliseconds: Int)? {
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
