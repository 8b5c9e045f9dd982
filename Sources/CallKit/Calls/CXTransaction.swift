/// Actions that belong together.
open class CXTransaction: NSObject, NSCopying, NSSecureCoding {
    open var uuid: UUID { id }
    open private(set) var actions: [CXAction]
    private let id: UUID

    public override init() {
        (id, actions) = (UUID(), [])
    }

    public init(actions: [CXAction]) {
        (id, self.actions) = (UUID(), actions)
    }

    public convenience init(action: CXAction) {
        self.init(actions: [action])
    }

    init(_ uuid: UUID, _ actions: [CXAction]) {
        id = uuid
        self.actions = actions
    }

    /// Whether all its actions are; one without actions is.
    open var isComplete: Bool {
        actions.allSatisfy(\.isComplete)
    }

    open func addAction(_ action: CXAction) {
        actions.append(action)
    }

    /// A new transaction with copies of the actions.
    open func copy(with zone: NSZone? = nil) -> Any {
        CXTransaction(actions: actions.compactMap { $0.copy() as? CXAction })
    }

    public static var supportsSecureCoding: Bool { true }

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

    open func encode(with coder: NSCoder) {
        coder.encode(NSString(string: uuid.uuidString), forKey: "uuid")
        coder.encode(NSArray(array: actions), forKey: "actions")
    }
}
