internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
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

    /// The state of received frames that are not handled yet.
    enum Backlog {
        case none
        /// Frames wait, because too many came in one turn.
        case waiting
        /// Frames wait until the peer reads what it was sent.
        case waitingForDrain
    }

    /// The number of the connection, from 1, which identifies the peer in logs.
    let number: Int
    let connection: Connection
    var framer: MessageFramer
    var stage = Stage.new
    /// The process at the other end; nil before the hello.
    var process: PeerProcess?
    /// True while the hello waits for the process to be found; later frames wait, too.
    var isBeingFound = false
    var roles: RoleSet = []
    /// The grant of the credential in its hello; nil if it has sent none.
    var grant: Grant?
    /// What it may see, and which roles it may have.
    var rights = Rights.full
    var identity: String?
    /// The features in its hello; nil before that.
    var features: Set<HelloParams.Feature>?
    /// The session of its provider; nil if it is not a provider.
    var session: ProviderSession?
    /// The plugin whose connection it is; nil for other clients.
    var plugin: Plugin?
    var requests: IncomingRequests
    /// The broker's requests that it has not answered.
    var outgoing = OutgoingRequests<OutgoingPurpose>()
    /// The tokens of its transactions that are accepted and not completed, by the ids of their
    /// requests: until the client reuses such an id, it can cancel the transaction with it.
    var accepted: [RequestID: RequestToken] = [:]
    /// The unanswered requests that send actions to it.
    var actionRequests = ActionRequests()
    var subscriptions = PeerSubscriptions()
    var batches = OpenBatches()
    var backlog = Backlog.none
    var progress = ReadProgress()
    var faults = PeerFaults()
    var heartbeat = Heartbeat()
    var timers = PeerTimers()
    /// The directories that it has begun to load.
    var isLoading: Set<String> = []
    /// The rate of its log lines; nil before the first.
    var logBucket: TokenBucket?

    /// True if its app rings only when `call.presentation` tells it to.
    var obeysPresentation: Bool {
        knows(.presentation)
    }

    /// Returns whether the client has named a feature in its hello.
    func knows(_ feature: HelloParams.Feature) -> Bool {
        features?.contains(feature) ?? false
    }

    /// Returns whether the same process has opened both connections. The kernel gives 0 for one that
    /// it does not let the broker see.
    func isSameProcess(as other: Peer) -> Bool {
        let pid = connection.credentials.pid
        return self === other || pid > 0 && other.connection.credentials.pid == pid
    }

    /// What is removed from the frames that the client is sent; nil if it may know everybody.
    var redaction: Redaction? {
        rights.isRedacted ? Redaction(own: session?.provider.name) : nil
    }

    /// Discards the broker's requests that it has not answered.
    func discardRequests() {
        _ = outgoing.settleAll()
        actionRequests = ActionRequests()
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
    /// Do-not-disturb may begin or end by itself.
    case presence
    /// Processes of peers have to be found by now.
    case lookup
    case arbiter(TimerID)
    /// The filters have not answered about a dry run of an incoming call.
    case trial(CallID)
    case presenting(CallID, screen: Int)
    /// A pause between the tones of a call is over.
    case tones(CallID)
    case usingEndpoint(request: Int64)
    /// The observers of the handover have not answered.
    case handover
    /// The app has not answered the request of a client with this number.
    case forwardedRequest(Int)
    /// The user has not answered the question with this number.
    case asking(Int)
    /// The app has not registered.
    case startingApp(ProviderID)
    /// The push with this number waits no longer for its app, or for the app's answer.
    case push(Int)
    case journal
    case history
    case store
    case plugin(Plugin, Supervision.Timer)
    /// The number of dropped lines is reported.
    case droppedLines(Plugin)
    /// The manifests are read again.
    case rescan
    /// A grant may have ended.
    case grants
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
