internal import BrokerRPC
internal import BrokerSocket
internal import CallProtocol

/// What the broker knows about one connection.
final class Peer {
    enum Stage {
        /// No hello yet.
        case new
        case ready
        /// The client said goodbye: what is open is answered, nothing more is read.
        case leaving
        /// The connection closes as soon as what is queued is sent.
        case closing

        var isOver: Bool {
            self == .leaving || self == .closing
        }
    }

    /// Counts connections from 1; names the peer in logs.
    let number: Int
    let connection: Connection
    var framer: MessageFramer
    var stage = Stage.new
    var roles: RoleSet = []
    var identity: String?
    var session: Session?
    var requests: IncomingRequests
    var badFramesInARow = 0
    /// Batches whose replies are not all there, by number.
    var batches: [Int: BatchReply] = [:]
    var lastBatch = 0
    /// Runs until hello or ping.
    var helloTimer: TimerQueue<TimerPurpose>.Handle?
    /// Runs while the connection is being closed.
    var closingTimer: TimerQueue<TimerPurpose>.Handle?
    /// Runs while the queue is beyond its hard bound.
    var stallTimer: TimerQueue<TimerPurpose>.Handle?
    /// Frames wait because too many came in one turn, or because the peer does not read.
    var hasBacklog = false
    var isWaitingForDrain = false
    /// What the peer has taken, and since when it has taken no more.
    var sentBytes = 0
    var progressAt = MonotonicTime.zero
    /// Bytes that are booked as held in the ledger of users.
    var heldBytes = 0
    var wasWarnedOfNotifications = false
    var logBucket: TokenBucket?

    init(number: Int, connection: Connection, limits: BrokerLimits) {
        self.number = number
        self.connection = connection
        framer = MessageFramer(frameBytes: limits.frame.frameBytes)
        requests = IncomingRequests(countMax: limits.frame.pendingRequests)
    }
}

/// What a provider needs to take up its work again.
struct Session {
    let id: String
    let secret: String
}

/// What is due when a timer fires.
enum TimerPurpose {
    case hello(Peer)
    case closing(Peer)
    case stall(Peer)
}

/// Where a reply goes.
struct ReplyTarget {
    let peer: Peer
    let id: RequestID
    /// The batch it is a part of.
    let batch: Int?
}
