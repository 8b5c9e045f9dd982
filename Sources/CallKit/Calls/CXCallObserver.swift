internal import CallClient
internal import CallModel

/// A snapshot of a call of any app on the host, taken when it was read or reported. As in CallKit
/// it does not include the other side of the call. Snapshots do not change.
open class CXCall: NSObject {
    private struct State {
        let uuid: UUID
        let isOutgoing: Bool
        var isOnHold = false
        var hasConnected = false
        var hasEnded = false
    }

    private var state: State

    /// The id of the call in this app.
    open var uuid: UUID { state.uuid }
    /// True if the user started the call.
    open var isOutgoing: Bool { state.isOutgoing }
    /// True if the call is held. A held call that ends stays so.
    open var isOnHold: Bool { state.isOnHold }
    /// True if both sides could talk, at any time of the call.
    open var hasConnected: Bool { state.hasConnected }
    /// True if the call is over.
    open var hasEnded: Bool { state.hasEnded }

    /// - Parameter before: the previous snapshot. A held call that ends counts as held to the end.
    init(_ call: Call, before: CXCall?) {
        state = State(uuid: call.id.uuid, isOutgoing: call.direction == .outgoing)
        let isEnding = call.state == .ending || call.state == .ended
        state.isOnHold = isEnding ? before?.isOnHold ?? false : call.state == .held
        state.hasConnected = call.connectedAtMS != nil
        state.hasEnded = call.state == .ended
    }

    /// The last snapshot of a call.
    init(ended call: CXCall) {
        state = call.state
        state.hasEnded = true
    }

    /// Returns whether the object is a snapshot of the same call, whatever its state.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CXCall)?.uuid == uuid
    }

    /// Returns whether the other object is a snapshot of the same call, whatever its state.
    open func isEqual(to call: CXCall) -> Bool {
        call.uuid == uuid
    }

    /// The class, the id and the state, for logs.
    open override var description: String {
        described([
            "UUID": uuid, "isOutgoing": isOutgoing, "isOnHold": isOnHold,
            "hasConnected": hasConnected, "hasEnded": hasEnded,
        ])
    }

    /// A hash of the id.
    open override var hash: Int { uuid.hashValue }

    /// Returns whether the snapshots look the same to an app.
    func isIndistinguishable(from other: CXCall) -> Bool {
        (isOnHold, hasConnected, hasEnded) == (other.isOnHold, other.hasConnected, other.hasEnded)
    }
}

/// The receiver of an observer's reports.
public protocol CXCallObserverDelegate: NSObjectProtocol {
    /// Called for each change of a call that `CXCall` shows, in order, on the queue of
    /// `setDelegate(_:queue:)`. In the last snapshot of a call `hasEnded` is true.
    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall)
}

/// An observer of all calls of the host. The observers of a process share one connection to the
/// broker; the first one also receives a report for each call that exists already.
///
/// All members may be used from any thread. As in CallKit the class is not `Sendable`, because a
/// subclass may add state that is not.
open class CXCallObserver: NSObject {
    // The lock guards both.
    private let lock = NSLock()
    private weak var delegate: (any CXCallObserverDelegate)?
    private var queue: DispatchQueue?

    /// Starts observing. Without a broker there are no calls, until one starts.
    public override init() {
        super.init()
        CallMonitor.shared.add(self)
    }

    /// The calls that have not ended, in no particular order. The first read waits up to 5 s for
    /// the broker.
    open var calls: [CXCall] {
        CallMonitor.shared.calls()
    }

    /// Sets the receiver of reports.
    ///
    /// - Parameters:
    ///   - delegate: held weakly.
    ///   - queue: the queue on which the delegate is called; nil stands for the main queue, which
    ///     must be running.
    open func setDelegate(_ delegate: (any CXCallObserverDelegate)?, queue: DispatchQueue?) {
        lock.withLock {
            self.delegate = delegate
            self.queue = queue
        }
    }

    /// Reports a snapshot to the delegate.
    func report(_ call: CXCall) {
        let transferred = Transferred(call)
        let weakSelf = WeakObserver(self)
        let queue = lock.withLock { self.queue ?? .main }
        queue.async {
            guard let observer = weakSelf.observer, let delegate = observer.currentDelegate else {
                return
            }
            delegate.callObserver(observer, callChanged: transferred.value)
        }
    }

    private var currentDelegate: (any CXCallObserverDelegate)? {
        lock.withLock { delegate }
    }
}

/// A weak reference to an observer.
final class WeakObserver: @unchecked Sendable {
    // Set once; the runtime makes weak references safe to read.
    private(set) weak var observer: CXCallObserver?

    init(_ observer: CXCallObserver) {
        self.observer = observer
    }
}
