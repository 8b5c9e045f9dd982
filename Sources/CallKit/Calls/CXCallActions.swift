internal import CallClient
internal import CallModel

/// A request to start an outgoing call. The delegate may take 600 s for it; it fulfills the action
/// when the invitation was sent, and reports connecting and connected later.
open class CXStartCallAction: CXCallAction {
    /// The address to call.
    @NSCopying open var handle: CXHandle
    /// The id of a contact, for the app. The broker passes it on with the start, at most 256 bytes
    /// of it, and does not interpret it.
    open var contactIdentifier: String?
    /// True if the call starts with video. The default is false.
    open var isVideo = false

    override var defaultTimeout: TimeInterval { 600 }

    /// Makes a start.
    ///
    /// - Parameters:
    ///   - callUUID: an id that the app chooses for the new call.
    ///   - handle: the address to call.
    public init(call callUUID: UUID, handle: CXHandle) {
        self.handle = handle
        super.init(call: callUUID)
    }

    /// Decodes a start that `encode(with:)` wrote; nil if its address is missing.
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

    open override var description: String {
        described([
            "UUID": uuid, "callUUID": callUUID, "isComplete": isComplete,
            "handle": handle, "isVideo": isVideo,
        ])
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(handle, forKey: "handle")
        coder.encode(contactIdentifier.map { NSString(string: $0) }, forKey: "contact")
        coder.encode(isVideo, forKey: "video")
    }

    /// Reports that the invitation was sent. The date has no effect: the broker records when the
    /// call was requested.
    open func fulfill(withDateStarted dateStarted: Date) {
        complete(.fulfilled(at: dateStarted))
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = CXStartCallAction(call: callUUID, handle: handle)
        (copy.contactIdentifier, copy.isVideo) = (contactIdentifier, isVideo)
        return copied(copy)
    }

    override var action: CallAction? {
        let contact = contactIdentifier.flatMap { $0.isEmpty ? nil : LongTexts.shared.short($0) }
        return .start(
            StartArguments(remote: handle.handle, hasVideo: isVideo, contact: contact))
    }
}

/// A request to answer an incoming call. The delegate may take 60 s for it: it fulfills the action
/// when both sides can talk, and then receives the audio.
open class CXAnswerCallAction: CXCallAction {
    override var defaultTimeout: TimeInterval { 60 }

    /// Reports that both sides can talk since a date, from which the duration of the call counts. A
    /// date before the call came or in the future counts as now.
    open func fulfill(withDateConnected dateConnected: Date) {
        complete(.fulfilled(at: dateConnected))
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        copied(CXAnswerCallAction(call: callUUID))
    }

    override var action: CallAction? { .answer }
}

/// A request to end a call: to hang up, to decline or to cancel. The delegate may take 5 s for it.
open class CXEndCallAction: CXCallAction {
    /// Reports that the call ended at a date. A date before the call began or in the future counts
    /// as now.
    open func fulfill(withDateEnded dateEnded: Date) {
        complete(.fulfilled(at: dateEnded))
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        copied(CXEndCallAction(call: callUUID))
    }

    override var action: CallAction? { .end }
}

/// A request to hold or resume a call and its group. The delegate may take 5 s for it. While a call
/// is held the app does not have the audio.
open class CXSetHeldCallAction: CXCallAction {
    /// True to hold the call, false to resume it.
    open var isOnHold: Bool

    /// Makes a request to hold or resume a call.
    public init(call callUUID: UUID, onHold: Bool) {
        isOnHold = onHold
        super.init(call: callUUID)
    }

    /// Decodes an action that `encode(with:)` wrote; nil if an id is missing or malformed.
    public required init?(coder: NSCoder) {
        isOnHold = coder.decodeBool(forKey: "hold")
        super.init(coder: coder)
    }

    open override var description: String {
        described([
            "UUID": uuid, "callUUID": callUUID, "isComplete": isComplete,
            "onHold": isOnHold,
        ])
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

/// A request to mute or unmute the microphone of a call and its group. The delegate may take 5 s
/// for it.
open class CXSetMutedCallAction: CXCallAction {
    /// True to mute the call, false to unmute it.
    open var isMuted: Bool

    /// Makes a request to mute or unmute a call.
    public init(call callUUID: UUID, muted: Bool) {
        isMuted = muted
        super.init(call: callUUID)
    }

    /// Decodes an action that `encode(with:)` wrote; nil if an id is missing or malformed.
    public required init?(coder: NSCoder) {
        isMuted = coder.decodeBool(forKey: "muted")
        super.init(coder: coder)
    }

    open override var description: String {
        described([
            "UUID": uuid, "callUUID": callUUID, "isComplete": isComplete,
            "muted": isMuted,
        ])
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

/// A request for a call to join the group of another call, or to leave its group. The delegate may
/// take 5 s for it. When a call leaves, the rest of the group is held.
open class CXSetGroupCallAction: CXCallAction {
    /// The call whose group to join; nil to leave the group.
    open var callUUIDToGroupWith: UUID?

    /// Makes a request to join a group, or with nil to leave one. Both calls must be this app's.
    public init(call callUUID: UUID, callUUIDToGroupWith: UUID?) {
        self.callUUIDToGroupWith = callUUIDToGroupWith
        super.init(call: callUUID)
    }

    /// Decodes an action that `encode(with:)` wrote; nil if an id is missing or malformed.
    public required init?(coder: NSCoder) {
        let text = coder.decodeObject(of: NSString.self, forKey: "with")
        callUUIDToGroupWith = text.flatMap { UUID(uuidString: String(describing: $0)) }
        super.init(coder: coder)
    }

    open override var description: String {
        described([
            "UUID": uuid, "callUUID": callUUID, "isComplete": isComplete,
            "callUUIDToGroupWith": callUUIDToGroupWith,
        ])
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

/// A request to play tones to the other side. The delegate may take 5 s for it, and fulfills it
/// when the tones are over.
open class CXPlayDTMFCallAction: CXCallAction {
    /// The origin of the digits. Raw values are Apple's, as in PyObjC.
    public enum ActionType: Int, Sendable {
        /// The user pressed a key.
        case singleTone = 1
        /// The digits follow a short pause.
        case softPause = 2
        /// The digits follow a pause that the user ended.
        case hardPause = 3
    }

    /// The tones: the broker accepts 1 to 64 of `0`-`9`, `A`-`D`, `*`, `#` and the pauses `,`, `;`,
    /// `p` and `w`.
    open var digits: String
    /// The origin of the digits.
    open var type: ActionType

    /// Makes a request to play tones. The digits are checked when the action is requested.
    public init(call callUUID: UUID, digits: String, type: ActionType) {
        self.digits = digits
        self.type = type
        super.init(call: callUUID)
    }

    /// Decodes an action that `encode(with:)` wrote; nil if the digits are missing or the type is
    /// unknown.
    public required init?(coder: NSCoder) {
        guard let digits = coder.decodeObject(of: NSString.self, forKey: "digits"),
            let type = ActionType(rawValue: coder.decodeInteger(forKey: "type"))
        else { return nil }
        self.digits = String(describing: digits)
        self.type = type
        super.init(coder: coder)
    }

    open override var description: String {
        described([
            "UUID": uuid, "callUUID": callUUID, "isComplete": isComplete,
            "type": type,
        ])
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

/// The engine that translates a call. Raw values are Apple's, by the header's order.
public enum CXTranslationEngine: Int, Sendable {
    /// The engine of the system; this host has none.
    case `default` = 0
    /// An engine of the app.
    case custom = 1
}

/// A request to translate a call. The broker cannot translate: a request is refused as
/// `invalidAction`, and no delegate receives one.
open class CXSetTranslatingCallAction: CXCallAction {
    /// True to start translating, false to stop.
    open var isTranslating: Bool { content.isTranslating }
    /// The language of the user, as `init` received it.
    open var localLanguage: String { content.local }
    /// The language of the other side, as `init` received it.
    open var remoteLanguage: String { content.remote }
    private let content: (isTranslating: Bool, local: String, remote: String)

    /// Makes a request to start or stop translating; the languages are not checked.
    public init(
        call uuid: UUID, isTranslating: Bool, localLanguage: String, remoteLanguage: String
    ) {
        content = (isTranslating, localLanguage, remoteLanguage)
        super.init(call: uuid)
    }

    /// Decodes an action that `encode(with:)` wrote; nil if a language is missing.
    public required init?(coder: NSCoder) {
        guard let local = coder.decodeObject(of: NSString.self, forKey: "local"),
            let remote = coder.decodeObject(of: NSString.self, forKey: "remote")
        else { return nil }
        content = (
            coder.decodeBool(forKey: "translating"), String(describing: local),
            String(describing: remote)
        )
        super.init(coder: coder)
    }

    open override var description: String {
        described([
            "UUID": uuid, "callUUID": callUUID, "isComplete": isComplete,
            "isTranslating": isTranslating,
        ])
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(isTranslating, forKey: "translating")
        coder.encode(NSString(string: localLanguage), forKey: "local")
        coder.encode(NSString(string: remoteLanguage), forKey: "remote")
    }

    /// Completes the action; the engine is ignored.
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
    /// Fulfillment at a date.
    fileprivate static func fulfilled(at date: Date) -> ActionOutcome {
        .fulfilled(atMS: date.unixMS)
    }
}

extension Date {
    /// The largest integer that the protocol carries: 2^53 - 1.
    private static let unixMSMax = 9_007_199_254_740_991.0

    /// Unix time in milliseconds, within the protocol's range: dates before 1970 become 0.
    var unixMS: Int64 {
        let time = (timeIntervalSince1970 * 1_000).rounded()
        return time.isNaN ? 0 : Int64(min(max(0, time), Self.unixMSMax))
    }
}
