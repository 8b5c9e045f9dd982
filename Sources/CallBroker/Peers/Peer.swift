internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallModel
internal import CallPlugins
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
    var features: Set<HelloParams.Feature> = []
    /// Of the provider that it stands for.
    var session: ProviderSession?
    /// That it is the connection of.
    var plugin: Plugin?
    var requests: IncomingRequests
    /// Our own requests that it owes an answer to.
    var outgoing = OutgoingRequests<OutgoingPurpose>()
    /// The tokens of its transactions that are accepted and not completed, by the ids of their
    /// requests: as long as it uses such an id for nothing else, it can take them back.
    var accepted: [RequestID: UInt64] = [:]
    /// The request by which each action was sent to it, alone or with others that it took over.
    var performs: [ActionID: Int64] = [:]
    /// The requests that ask whether it takes a transaction over, as long as it has not said.
    var offers: [TransactionID: Int64] = [:]
    var subscriptions: [Subscription] = []
    var lastSubscription = 0
    /// It is in the list of those whose subscriptions are behind.
    var isLagging = false
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
    /// Whether it still reacts, and what runs until that is looked at: for a provider with calls.
    var heartbeat = Heartbeat()
    var heartbeatTimer: TimerQueue<TimerPurpose>.Handle?
    /// The id of the latest ping.
    var lastPing: Int64?
    /// Frames wait because too many came in one turn, or because the peer does not read.
    var hasBacklog = false
    var isWaitingForDrain = false
    /// What the peer has taken, and since when it has taken no more.
    var sentBytes = 0
    var progressAt = MonotonicTime.zero
    /// What it had taken when the clock of a test was moved on without it.
    var sentBytesOfStopped: Int?
    /// Bytes that are booked as held in the ledger of users.
    var heldBytes = 0
    /// Directories that it has begun to load.
    var isLoading: Set<String> = []
    var wasWarnedOfNotifications = false
    var hasSaidHello = false
    var logBucket: TokenBucket?

    /// Nobody waits for its answers any more.
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

/// What is due when a timer fires.
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
    /// Its lines came too fast: it is told how many.
    case droppedLines(Plugin)
    /// The manifests are read again.
    case rescan
    /// What runs still is ended: we stop.
    case endPlugins
}

/// Where a reply goes.
struct ReplyTarget {
    let peer: Peer
    let id: RequestID
    /// The batch it is a part of.
    let batch: Int?
    /// The address that was asked for with `call.dial`, if that was asked for.
    var link: DialledLink?
}

/// Names a request that waits, for taking it back.
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
