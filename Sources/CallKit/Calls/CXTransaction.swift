/// A list of actions that are requested, and performed, in order. The broker accepts 1 to 8, and
/// refuses or accepts them as a whole. When one fails, those after it complete without being
/// performed.
///
/// Add actions before requesting the transaction, and from one thread.
open class CXTransaction: NSObject, NSCopying, NSSecureCoding {
    /// The most actions that the broker accepts.
    static let actionsMax = 8

    /// The id of the transaction.
    open var uuid: UUID { id }
    /// The actions, in the order in which they are performed.
    open private(set) var actions: [CXAction]
    private let id: UUID

    /// Makes a transaction without actions. Requesting it is refused as `emptyTransaction`.
    public override init() {
        (id, actions) = (UUID(), [])
    }

    /// Makes a transaction of several actions.
    public init(actions: [CXAction]) {
        (id, self.actions) = (UUID(), actions)
    }

    /// Makes a transaction of one action.
    public convenience init(action: CXAction) {
        self.init(actions: [action])
    }

    init(_ uuid: UUID, _ actions: [CXAction]) {
        id = uuid
        self.actions = actions
    }

    /// True if all actions are complete. A transaction without actions is complete.
    open var isComplete: Bool {
        actions.allSatisfy(\.isComplete)
    }

    /// Appends an action. Has no effect on a request that was made already.
    open func addAction(_ action: CXAction) {
        actions.append(action)
    }

    /// The class, the id, the state and the actions, for logs.
    open override var description: String {
        described(["UUID": uuid, "isComplete": isComplete, "actions": actions])
    }

    /// Returns a transaction with an id of its own and copies of the actions.
    open func copy(with zone: NSZone? = nil) -> Any {
        CXTransaction(actions: actions.compactMap { $0.copy() as? CXAction })
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Decodes a transaction that `encode(with:)` wrote; nil if its id or its actions cannot be
    /// read.
    public required init?(coder: NSCoder) {
        let classes: [AnyClass] = [
            NSArray.self, CXAction.self, CXStartCallAction.self, CXAnswerCallAction.self,
            CXEndCallAction.self, CXSetHeldCallAction.self, CXSetMutedCallAction.self,
            CXSetGroupCallAction.self, CXPlayDTMFCallAction.self, CXSetTranslatingCallAction.self,
        ]
        guard let text = coder.decodeObject(of: NSString.self, forKey: "uuid"),
            let uuid = UUID(uuidString: String(describing: text)),
            let actions = coder.decodeObject(of: classes, forKey: "actions") as? [CXAction]
        else { return nil }
        id = uuid
        self.actions = actions
    }

    /// Encodes id and actions.
    open func encode(with coder: NSCoder) {
        coder.encode(NSString(string: uuid.uuidString), forKey: "uuid")
        coder.encode(NSArray(array: actions), forKey: "actions")
    }
}
