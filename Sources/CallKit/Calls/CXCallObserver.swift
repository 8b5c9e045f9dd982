internal import CallClient
internal import CallModel

/// A call of the host, whichever app's, as it was when it was looked at. It says nothing of who it is
/// with.
open class CXCall: NSObject {
    private struct Facts {
        let uuid: UUID
        let isOutgoing: Bool
        var isOnHold = false
        var hasConnected = false
        var hasEnded = false
    }

    private var facts: Facts

    open var uuid: UUID { facts.uuid }
    open var isOutgoing: Bool { facts.isOutgoing }
    open var isOnHold: Bool { facts.isOnHold }
    open var hasConnected: Bool { facts.hasConnected }
    open var hasEnded: Bool { facts.hasEnded }

    /// - Parameter before: as it was; a held call that ends was held to the end.
    init(_ call: Call, before: CXCall?) {
        facts = Facts(uuid: call.id.uuid, isOutgoing: call.direction == .outgoing)
        let isEnding = call.state == .ending || call.state == .ended
        facts.isOnHold = isEnding ? before?.isOnHold ?? false : call.state == .held
        facts.hasConnected = call.connectedAtMS != nil
        facts.hasEnded = call.state == .ended
    }

    /// The call, now that it is over.
    init(ended call: CXCall) {
        facts = call.facts
        facts.hasEnded = true
    }

    /// Calls are the same if their ids are.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CXCall)?.uuid == uuid
    }

    open func isEqual(to call: CXCall) -> Bool {
        call.uuid == uuid
    }

    open override var hash: Int { uuid.hashValue }

    /// Whether an app would see a difference.
    func looksLike(_ other: CXCall) -> Bool {
        (isOnHold, hasConnected, hasEnded) == (other.isOnHold, other.hasConnected, other.hasEnded)
    }
}

/// Hears of changes of calls.
public protocol CXCallObserverDelegate: NSObjectProtocol {
    /// One call changed: `call` is as it was then. The last change of a call has `hasEnded`.
    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall)
}

/// Watches all calls of the host.
///
/// As in CallKit it is not `Sendable`: what a subclass adds is its own to guard.
open class CXCallObserver: NSObject {
    // The lock guards both: whatever is done here may be done from any thread.
    private let lock = NSLock()
    private weak var delegate: (any CXCallObserverDelegate)?
    private var queue: DispatchQueue?

    public override init() {
        super.init()
        CallWatch.shared.add(self)
    }

    /// The calls that are not over. The first look waits until they are known.
    open var calls: [CXCall] {
        CallWatch.shared.calls()
    }

    /// - Parameters:
    ///   - delegate: held weakly.
    ///   - queue: where it is called; nil is the main queue, which must be running.
    open func setDelegate(_ delegate: (any CXCallObserverDelegate)?, queue: DispatchQueue?) {
        lock.withLock {
            self.delegate = delegate
            self.queue = queue
        }
    }

    func changed(_ call: CXCall) {
        let handed = Handed(call)
        let here = WeakObserver(self)
        let queue = lock.withLock { self.queue ?? .main }
        queue.async {
            guard let observer = here.observer, let delegate = observer.listener else { return }
            delegate.callObserver(observer, callChanged: handed.value)
        }
    }

    private var listener: (any CXCallObserverDelegate)? {
        lock.withLock { delegate }
    }
}

/// An observer, as long as its app keeps it.
final class WeakObserver: @unchecked Sendable {
    // Set once; the runtime makes weak references safe to read.
    private(set) weak var observer: CXCallObserver?

    init(_ observer: CXCallObserver) {
        self.observer = observer
    }
}
