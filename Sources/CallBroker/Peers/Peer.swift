internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallModel
internal import CallPlugins
internal import CallProtocol

/// The state of one connection.
final class Peer {
    enum Stage {
        /// The client has not sent a hello yet.
        case new
        case ready
        /// The client has sent a goodbye: pending requests get replies, nothing more is read.
        case leaving
        /// The connection closes as soon as queued frames are sent.
        case closing

        var isOver: Bool {
            self == .leaving || self == .closing
        }
    }

    /// The number of the connection, from 1, which identifies the peer in logs.
    let number: Int
    let connection: Connection
    var framer: MessageFramer
    var stage = Stage.new
    var roles: RoleSet = []
    var identity: String?
    var features: Set<HelloParams.Feature> = []
    /// The session of its provider; nil if it is not a provider.
    var session: ProviderSession?
    /// The plugin whose connection it is; nil for other clients.
    var plugin: Plugin?
    var requests: IncomingRequests
    /// The broker's requests that it has not answered.
    var outgoing = OutgoingRequests<OutgoingPurpose>()
    /// The tokens of its transactions that are accepted and not completed, by the ids of their
    /// requests: until the client reuses such an id, it can cancel the transaction with it.
    var accepted: [RequestID: UInt64] = [:]
    /// The ids of the requests by which actions were sent to it, alone or in a transaction.
    var performs: [ActionID: Int64] = [:]
    /// The ids of unanswered requests that offer it a transaction.
    var offers: [TransactionID: Int64] = [:]
    var subscriptions: [Subscription] = []
    var lastSubscription = 0
    /// True if it is queued as a peer with lagging subscriptions.
    var isLagging = false
    var badFramesInARow = 0
    /// The incomplete batches of replies, by number.
    var batches: [Int: BatchReply] = [:]
    var lastBatch = 0
    /// The timer until a hello or a ping.
    var helloTimer: TimerQueue<TimerPurpose>.Handle?
    /// The timer while the connection is being closed.
    var closingTimer: TimerQueue<TimerPurpose>.Handle?
    /// The timer while the queue is beyond its hard bound.
    var stallTimer: TimerQueue<TimerPurpose>.Handle?
    /// The heartbeat of a provider with calls, and its timer.
    var heartbeat = Heartbeat()
    var heartbeatTimer: TimerQueue<TimerPurpose>.Handle?
    /// The id of the latest ping.
    var lastPing: Int64?
    /// True if frames wait because too many came in one turn, or because the peer does not read.
    var hasBacklog = false
    var isWaitingForDrain = false
    /// The bytes that the peer has read.
    var sentBytes = 0
    /// The time since which `sentBytes` has not changed.
    var progressAt = MonotonicTime.zero
    /// The value of `sentBytes` when the clock of a test was moved without waiting for the peer.
    var sentBytesOfStopped: Int?
    /// The bytes that are accounted as held in the ledger of users.
    var heldBytes = 0
    /// The directories that it has begun to load.
    var isLoading: Set<String> = []
    var wasWarnedOfNotifications = false
    var hasSaidHello = false
    var logBucket: TokenBucket?

    /// Discards the broker's requests that it has not answered.
    func forgetRequests() {
        _ = outgoing.settleAll()
        performs = [:]
        offers = [:]
    }

    init(number: Int, connection: Connection, limits: BrokerLimits) {
        self.number = number
        self.connection = connection
        framer = MessageFramer(frameBytes: limits.frame.frameBytes)
        requests = IncomingRequests(countMax: limits.frame.pendingRequests)
    }
}

/// The purpose of a timer.
enum TimerPurpose {
    case hello(Peer)
    case closing(Peer)
    case stall(Peer)
    case heartbeat(Peer)
    case bookmark
    case arbiter(TimerID)
    case screening(CallID)
    case presenting(CallID, screen: Int)
    case journal
    case history
    case store
    case plugin(Plugin, Supervision.Timer)
    /// The number of dropped lines is reported.
    case droppedLines(Plugin)
    /// The manifests are read again.
    case rescan
    /// Plugins that are still running are terminated, because the broker stops.
    case endPlugins
}

/// The destination of a reply.
struct ReplyTarget {
    let peer: Peer
    let id: RequestID
    /// The number of the batch that contains the request.
    let batch: Int?
    /// The address of a `call.dial` request.
    var link: DialledLink?
}

/// The key of a pending request, to cancel it.
struct RequestKey: Hashable {
    let peer: Int
    let id: RequestID

    init(_ target: ReplyTarget) {
        self.init(target.peer, target.id)
    }

    init(_ peer: Peer, _ id: RequestID) {
        self.peer = peer.number
        self.id = id
    }
}
