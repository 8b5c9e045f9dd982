internal import CallClient
internal import CallModel

/// A request for a change to a call, which an app sends with a `CXCallController` or receives in
/// its provider's delegate. It completes once: the first call of `fulfill` or `fail` counts, and
/// has an effect only on an action that a provider performs.
///
/// All members may be used from any thread.
open class CXAction: NSObject, NSCopying, NSSecureCoding {
    private let lock = NSLock()
    private var id = UUID()
    private var isOver = false
    /// True if the action ended without the app: it timed out, was withdrawn or was reset.
    private var isAbandoned = false
    private var deadline = Date()
    /// Sends the outcome to the broker; set while a provider performs the action.
    private var report: ((ActionOutcome) -> Void)?

    /// The time an action of this class may take, in seconds: CallKit's values.
    var defaultTimeout: TimeInterval { 5 }

    /// Makes an action with a fresh id, whose time starts now.
    public override init() {
        super.init()
        deadline = Date(timeIntervalSinceNow: defaultTimeout)
    }

    /// The id of the action; a copy has the same one.
    open var uuid: UUID { id }

    /// True if the action was fulfilled or failed: by the app, by a timeout, or because the broker
    /// withdrew it.
    open var isComplete: Bool {
        lock.withLock { isOver }
    }

    /// The time after which completing the action has no effect: 600 s for a start, 60 s for an
    /// answer and 5 s for all others, as in CallKit. It is set when the action is made, and again
    /// when it is passed to the delegate. The broker measures the deadline on its own clock.
    open var timeoutDate: Date {
        lock.withLock { deadline }
    }

    /// Reports that the action was performed, just now. Has no effect on an action that is
    /// complete, or that no provider performs.
    open func fulfill() {
        complete(.fulfilled(atMS: nil))
    }

    /// Reports that the action could not be performed. A failed start or answer ends the call. Has
    /// no effect on an action that is complete, or that no provider performs.
    open func fail() {
        complete(.failed(reason: "failed"))
    }

    // MARK: - Copies

    /// Returns an action with the same id, deadline and completion. Completing the copy does not
    /// complete the original.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CXAction()
        copy.copyState(of: self)
        return copy
    }

    /// Copies what all actions have in common.
    func copyState(of other: CXAction) {
        (id, deadline, isOver) = other.lock.withLock { (other.id, other.deadline, other.isOver) }
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Decodes an action that `encode(with:)` wrote; nil if its id is missing or malformed.
    /// Archives are not interchangeable with those of Apple's platforms.
    public required init?(coder: NSCoder) {
        guard let text = coder.decodeObject(of: NSString.self, forKey: "uuid"),
            let uuid = UUID(uuidString: String(describing: text))
        else { return nil }
        super.init()
        id = uuid
        deadline = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "timeout"))
        isOver = coder.decodeBool(forKey: "complete")
    }

    /// Encodes id, deadline and completion.
    open func encode(with coder: NSCoder) {
        coder.encode(NSString(string: uuid.uuidString), forKey: "uuid")
        coder.encode(timeoutDate.timeIntervalSinceReferenceDate, forKey: "timeout")
        coder.encode(isComplete, forKey: "complete")
    }

    /// The class, the ids and the state, for logs: nothing of the other side of a call.
    open override var description: String {
        described(["UUID": uuid, "isComplete": isComplete])
    }

    // MARK: - Performing

    /// Prepares the action for a provider's delegate.
    ///
    /// - Parameter report: called once at most, with the outcome.
    func begin(deadlineMS: Int, report: @escaping (ActionOutcome) -> Void) {
        lock.withLock {
            deadline = Date(timeIntervalSinceNow: Double(deadlineMS) / 1_000)
            self.report = report
        }
    }

    /// Restarts the deadline, when the actions before it are done.
    func renew(deadlineMS: Int) {
        lock.withLock { deadline = Date(timeIntervalSinceNow: Double(deadlineMS) / 1_000) }
    }

    func complete(_ outcome: ActionOutcome) {
        let report = lock.withLock { takeReport() }
        report?(outcome)
    }

    /// Ends the action without an outcome. Returns false if the app has completed it.
    @discardableResult
    func end() -> Bool {
        lock.withLock {
            if takeReport() != nil { isAbandoned = true }
            return isAbandoned
        }
    }

    /// Returns the closure for the outcome to the first caller only. Call it with the lock held.
    private func takeReport() -> ((ActionOutcome) -> Void)? {
        guard let report else { return nil }
        self.report = nil
        isOver = true
        return report
    }
}

/// An action on one call. Only its subclasses can be requested; an instance of the class itself is
/// refused as `invalidAction`.
open class CXCallAction: CXAction {
    /// The id of the call in this app.
    open var callUUID: UUID { target }
    private let target: UUID

    /// Makes an action on a call. Whether there is such a call is checked when the action is
    /// requested.
    public init(call callUUID: UUID) {
        target = callUUID
        super.init()
    }

    /// Decodes an action that `encode(with:)` wrote; nil if an id is missing or malformed.
    public required init?(coder: NSCoder) {
        guard let text = coder.decodeObject(of: NSString.self, forKey: "call"),
            let call = UUID(uuidString: String(describing: text))
        else { return nil }
        target = call
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(NSString(string: callUUID.uuidString), forKey: "call")
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        copied(CXCallAction(call: callUUID))
    }

    open override var description: String {
        described(["UUID": uuid, "callUUID": callUUID, "isComplete": isComplete])
    }

    func copied(_ copy: CXCallAction) -> CXCallAction {
        copy.copyState(of: self)
        return copy
    }

    /// The broker's action for this one; nil if it has none.
    var action: CallAction? { nil }
}
