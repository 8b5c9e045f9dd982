internal import CallClient
internal import CallModel

/// Something that an app asks for, or is asked to do. It is done once: the first of `fulfill` and
/// `fail` counts, and only where a provider's delegate was asked to perform it.
open class CXAction: NSObject, NSCopying, NSSecureCoding {
    private let lock = NSLock()
    private var id = UUID()
    private var isOver = false
    /// It ended without the app.
    private var isAbandoned = false
    private var deadline = Date()
    /// Tells the broker; there is one while a provider performs the action.
    private var tell: ((ActionOutcome) -> Void)?

    /// What the action does without further words, in seconds: CallKit's.
    var usualTimeout: TimeInterval { 5 }

    public override init() {
        super.init()
        deadline = Date(timeIntervalSinceNow: usualTimeout)
    }

    /// Names the action; a copy keeps it.
    open var uuid: UUID { id }

    /// Whether it was fulfilled or failed, by the app, or by being late.
    open var isComplete: Bool {
        lock.withLock { isOver }
    }

    /// After this the action cannot be completed any more. The broker counts on its own clock.
    open var timeoutDate: Date {
        lock.withLock { deadline }
    }

    /// It is done, just now.
    open func fulfill() {
        complete(.fulfilled(atMS: nil))
    }

    /// It cannot be done.
    open func fail() {
        complete(.failed(reason: "failed"))
    }

    // MARK: - Copies

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CXAction()
        copy.take(over: self)
        return copy
    }

    /// What every copy has.
    func take(over other: CXAction) {
        (id, deadline, isOver) = other.lock.withLock { (other.id, other.deadline, other.isOver) }
    }

    public static var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let text = coder.decodeObject(of: NSString.self, forKey: "uuid"),
            let uuid = UUID(uuidString: String(describing: text))
        else { return nil }
        super.init()
        id = uuid
        deadline = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "timeout"))
        isOver = coder.decodeBool(forKey: "complete")
    }

    open func encode(with coder: NSCoder) {
        coder.encode(NSString(string: uuid.uuidString), forKey: "uuid")
        coder.encode(timeoutDate.timeIntervalSinceReferenceDate, forKey: "timeout")
        coder.encode(isComplete, forKey: "complete")
    }

    // MARK: - Performing

    /// A provider's delegate is to perform it.
    func begin(deadlineMS: Int, tell: @escaping (ActionOutcome) -> Void) {
        lock.withLock {
            deadline = Date(timeIntervalSinceNow: Double(deadlineMS) / 1_000)
            self.tell = tell
        }
    }

    /// Its turn has come: its time counts from now.
    func renew(deadlineMS: Int) {
        lock.withLock { deadline = Date(timeIntervalSinceNow: Double(deadlineMS) / 1_000) }
    }

    func complete(_ outcome: ActionOutcome) {
        let tell = lock.withLock { takeTell() }
        tell?(outcome)
    }

    /// Nobody waits for it any more. False if the app has settled it.
    @discardableResult
    func end() -> Bool {
        lock.withLock {
            if takeTell() != nil { isAbandoned = true }
            return isAbandoned
        }
    }

    /// Only the first gets it.
    private func takeTell() -> ((ActionOutcome) -> Void)? {
        guard let tell else { return nil }
        self.tell = nil
        isOver = true
        return tell
    }
}

/// An action on a call. Its subclasses are what is asked for.
open class CXCallAction: CXAction {
    open var callUUID: UUID { target }
    private let target: UUID

    public init(call callUUID: UUID) {
        target = callUUID
        super.init()
    }

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

    func copied(_ copy: CXCallAction) -> CXCallAction {
        copy.take(over: self)
        return copy
    }

    /// As the broker knows it; nil for what it cannot do.
    var action: CallAction? { nil }
}
