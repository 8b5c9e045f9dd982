internal import CallClient
internal import CallModel

/// Call somebody.
open class CXStartCallAction: CXCallAction {
    @NSCopying open var handle: CXHandle
    /// The id of a contact, for the app.
    open var contactIdentifier: String?
    open var isVideo = false

    override var usualTimeout: TimeInterval { 600 }

    public init(call callUUID: UUID, handle: CXHandle) {
        self.handle = handle
        super.init(call: callUUID)
    }

    public required init?(coder: NSCoder) {
        guard let handle = coder.decodeObject(of: CXHandle.self, forKey: "handle") else {
            return nil
        }
        self.handle = handle
        super.init(coder: coder)
        contactIdentifier = coder.decodeObject(of: NSString.self, forKey: "contact").map {
            String(describing: $0)
        }
        isVideo = coder.decodeBool(forKey: "video")
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(handle, forKey: "handle")
        coder.encode(contactIdentifier.map { NSString(string: $0) }, forKey: "contact")
        coder.encode(isVideo, forKey: "video")
    }

    /// The invitation was sent to the other side at this time.
    open func fulfill(withDateStarted dateStarted: Date) {
        complete(.fulfilled(at: dateStarted))
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = CXStartCallAction(call: callUUID, handle: handle)
        (copy.contactIdentifier, copy.isVideo) = (contactIdentifier, isVideo)
        return copied(copy)
    }

    override var action: CallAction? {
        .start(
            StartArguments(remote: handle.handle, hasVideo: isVideo, contact: contactIdentifier))
    }
}

/// Answer a call.
open class CXAnswerCallAction: CXCallAction {
    override var usualTimeout: TimeInterval { 60 }

    /// Both sides could talk from this time on.
    open func fulfill(withDateConnected dateConnected: Date) {
        complete(.fulfilled(at: dateConnected))
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        copied(CXAnswerCallAction(call: callUUID))
    }

    override var action: CallAction? { .answer }
}

/// Hang up, decline or cancel.
open class CXEndCallAction: CXCallAction {
    /// It was over at this time.
    open func fulfill(withDateEnded dateEnded: Date) {
        complete(.fulfilled(at: dateEnded))
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        copied(CXEndCallAction(call: callUUID))
    }

    override var action: CallAction? { .end }
}

/// Hold a call, or resume it.
open class CXSetHeldCallAction: CXCallAction {
    open var isOnHold: Bool

    public init(call callUUID: UUID, onHold: Bool) {
        isOnHold = onHold
        super.init(call: callUUID)
    }

    public required init?(coder: NSCoder) {
        isOnHold = coder.decodeBool(forKey: "hold")
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(isOnHold, forKey: "hold")
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        copied(CXSetHeldCallAction(call: callUUID, onHold: isOnHold))
    }

    override var action: CallAction? { .setHeld(isOnHold) }
}

/// Take the microphone from a call, or give it back.
open class CXSetMutedCallAction: CXCallAction {
    open var isMuted: Bool

    public init(call callUUID: UUID, muted: Bool) {
        isMuted = muted
        super.init(call: callUUID)
    }

    public required init?(coder: NSCoder) {
        isMuted = coder.decodeBool(forKey: "muted")
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(isMuted, forKey: "muted")
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        copied(CXSetMutedCallAction(call: callUUID, muted: isMuted))
    }

    override var action: CallAction? { .setMuted(isMuted) }
}

/// Let a call join the group of another, or with nil leave any group.
open class CXSetGroupCallAction: CXCallAction {
    open var callUUIDToGroupWith: UUID?

    public init(call callUUID: UUID, callUUIDToGroupWith: UUID?) {
        self.callUUIDToGroupWith = callUUIDToGroupWith
        super.init(call: callUUID)
    }

    public required init?(coder: NSCoder) {
        let text = coder.decodeObject(of: NSString.self, forKey: "with")
        callUUIDToGroupWith = text.flatMap { UUID(uuidString: String(describing: $0)) }
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(callUUIDToGroupWith.map { NSString(string: $0.uuidString) }, forKey: "with")
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        copied(CXSetGroupCallAction(call: callUUID, callUUIDToGroupWith: callUUIDToGroupWith))
    }

    override var action: CallAction? {
        .setGroup(with: callUUIDToGroupWith.map { CallID($0) })
    }
}

/// Play tones to the other side.
open class CXPlayDTMFCallAction: CXCallAction {
    /// How the digits came about.
    public enum ActionType: Int, Sendable {
        /// A key was pressed.
        case singleTone = 1
        /// Behind a short pause.
        case softPause = 2
        /// Behind a pause that the user ends.
        case hardPause = 3
    }

    open var digits: String
    open var type: ActionType

    public init(call callUUID: UUID, digits: String, type: ActionType) {
        self.digits = digits
        self.type = type
        super.init(call: callUUID)
    }

    public required init?(coder: NSCoder) {
        guard let digits = coder.decodeObject(of: NSString.self, forKey: "digits"),
            let type = ActionType(rawValue: coder.decodeInteger(forKey: "type"))
        else { return nil }
        self.digits = String(describing: digits)
        self.type = type
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(NSString(string: digits), forKey: "digits")
        coder.encode(type.rawValue, forKey: "type")
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        copied(CXPlayDTMFCallAction(call: callUUID, digits: digits, type: type))
    }

    override var action: CallAction? {
        let style = DTMFStyle.allCases.first { $0.callKitNumber == type.rawValue }
        return .playDTMF(digits: digits, style ?? .single)
    }
}

/// Who translates.
public enum CXTranslationEngine: Int, Sendable {
    case `default` = 0
    case custom = 1
}

/// Translate what is said. No broker can do that: a request for it is refused as an invalid action,
/// and no delegate is ever asked.
open class CXSetTranslatingCallAction: CXCallAction {
    open var isTranslating: Bool { wish.isTranslating }
    open var localLanguage: String { wish.local }
    open var remoteLanguage: String { wish.remote }
    private let wish: (isTranslating: Bool, local: String, remote: String)

    public init(
        call uuid: UUID, isTranslating: Bool, localLanguage: String, remoteLanguage: String
    ) {
        wish = (isTranslating, localLanguage, remoteLanguage)
        super.init(call: uuid)
    }

    public required init?(coder: NSCoder) {
        guard let local = coder.decodeObject(of: NSString.self, forKey: "local"),
            let remote = coder.decodeObject(of: NSString.self, forKey: "remote")
        else { return nil }
        wish = (
            coder.decodeBool(forKey: "translating"), String(describing: local),
            String(describing: remote)
        )
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(isTranslating, forKey: "translating")
        coder.encode(NSString(string: localLanguage), forKey: "local")
        coder.encode(NSString(string: remoteLanguage), forKey: "remote")
    }

    /// It is being translated, by this engine.
    open func fulfill(using translationEngine: CXTranslationEngine) {
        fulfill()
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        copied(
            CXSetTranslatingCallAction(
                call: callUUID, isTranslating: isTranslating, localLanguage: localLanguage,
                remoteLanguage: remoteLanguage))
    }
}

extension ActionOutcome {
    /// Done at some time.
    fileprivate static func fulfilled(at date: Date) -> ActionOutcome {
        .fulfilled(atMS: date.unixMS)
    }
}

extension Date {
    /// The largest integer of the wire.
    private static let unixMSMax = 9_007_199_254_740_991.0

    /// Unix time as the wire has it; the wire has none before 1970.
    var unixMS: Int64 {
        let time = (timeIntervalSince1970 * 1_000).rounded()
        return time.isNaN ? 0 : Int64(min(max(0, time), Self.unixMSMax))
    }
}
