internal import CallKit

/// A request to start a conversation. The delegate fulfills it when the others were invited, and
/// reports connecting and connected later.
public final class StartConversationAction: ConversationAction, @unchecked Sendable {
    /// The members to invite. The first one stands for the conversation where a host shows one
    /// address only.
    public let handles: [Handle]
    /// True if the conversation starts with video.
    public let isVideo: Bool

    /// Makes a start.
    ///
    /// - Parameters:
    ///   - conversationUUID: an id that the app chooses for the new conversation.
    ///   - handles: the members to invite.
    ///   - isVideo: whether it starts with video.
    public init(conversationUUID: UUID, handles: [Handle], isVideo: Bool) {
        (self.handles, self.isVideo) = (handles, isVideo)
        super.init(UUID(), conversationUUID, Date(timeIntervalSinceNow: 30))
    }

    init(_ action: CXStartCallAction) {
        (handles, isVideo) = ([Handle(action.handle)], action.isVideo)
        super.init(action.uuid, action.callUUID, action.timeoutDate)
    }

    /// Reports that the others were invited. The date has no effect: the broker records when the
    /// conversation was requested.
    public func fulfill(dateStarted: Date) {
        complete(.complete) { ($0 as? CXStartCallAction)?.fulfill(withDateStarted: dateStarted) }
    }

    override func makeCallKit() -> CXCallAction {
        let first = handles.first?.callKit ?? CXHandle(type: .generic, value: "")
        let action = CXStartCallAction(call: conversationUUID, handle: first)
        action.isVideo = isVideo
        return action
    }
}

/// A request to join an incoming conversation. The delegate fulfills it when all sides can
/// communicate, and then receives the audio.
public final class JoinConversationAction: ConversationAction, @unchecked Sendable {
    /// Makes a request to join.
    public init(conversationUUID: UUID) {
        super.init(UUID(), conversationUUID, Date(timeIntervalSinceNow: 30))
    }

    init(_ action: CXAnswerCallAction) {
        super.init(action.uuid, action.callUUID, action.timeoutDate)
    }

    /// Reports that all sides can communicate since a date.
    public func fulfill(dateConnected: Date) {
        complete(.complete) {
            ($0 as? CXAnswerCallAction)?.fulfill(withDateConnected: dateConnected)
        }
    }

    override func makeCallKit() -> CXCallAction { CXAnswerCallAction(call: conversationUUID) }
}

/// A request to end a conversation for this host: to leave, to decline or to cancel.
public final class EndConversationAction: ConversationAction, @unchecked Sendable {
    /// Makes a request to end a conversation.
    public init(conversationUUID: UUID) {
        super.init(UUID(), conversationUUID, Date(timeIntervalSinceNow: 30))
    }

    init(_ action: CXEndCallAction) {
        super.init(action.uuid, action.callUUID, action.timeoutDate)
    }

    /// Reports that the conversation ended at a date.
    public func fulfill(dateEnded: Date) {
        complete(.complete) { ($0 as? CXEndCallAction)?.fulfill(withDateEnded: dateEnded) }
    }

    override func makeCallKit() -> CXCallAction { CXEndCallAction(call: conversationUUID) }
}

/// A request to stop all audio and video of a conversation, or to send it again. While a
/// conversation is paused the app does not have the audio.
public final class PauseConversationAction: ConversationAction, @unchecked Sendable {
    /// True to pause, false to continue.
    public let isPaused: Bool

    /// Makes a request to pause or continue a conversation.
    public init(conversationUUID: UUID, isPaused: Bool) {
        self.isPaused = isPaused
        super.init(UUID(), conversationUUID, Date(timeIntervalSinceNow: 30))
    }

    init(_ action: CXSetHeldCallAction) {
        isPaused = action.isOnHold
        super.init(action.uuid, action.callUUID, action.timeoutDate)
    }

    override func makeCallKit() -> CXCallAction {
        CXSetHeldCallAction(call: conversationUUID, onHold: isPaused)
    }
}

/// A request to mute or unmute the microphone of a conversation.
public final class MuteConversationAction: ConversationAction, @unchecked Sendable {
    /// True to mute, false to unmute.
    public let isMuted: Bool

    /// Makes a request to mute or unmute a conversation.
    public init(conversationUUID: UUID, isMuted: Bool) {
        self.isMuted = isMuted
        super.init(UUID(), conversationUUID, Date(timeIntervalSinceNow: 30))
    }

    init(_ action: CXSetMutedCallAction) {
        isMuted = action.isMuted
        super.init(action.uuid, action.callUUID, action.timeoutDate)
    }

    override func makeCallKit() -> CXCallAction {
        CXSetMutedCallAction(call: conversationUUID, muted: isMuted)
    }
}

/// A request to play tones to the other members.
public final class PlayToneAction: ConversationAction, @unchecked Sendable {
    /// The origin of the digits. Apple does not publish the raw values.
    public enum Tone: Int, Hashable, Codable, Sendable {
        /// The user pressed a key.
        case single
        /// The digits follow a short pause.
        case softPause
        /// The digits follow a pause that the user ended.
        case hardPause
    }

    /// The tones: 1 to 64 of `0`-`9`, `A`-`D`, `*`, `#` and the pauses `,`, `;`, `p` and `w`.
    public let digits: String
    /// The origin of the digits.
    public let tone: Tone

    /// Makes a request to play tones. The digits are checked when the action is requested.
    public init(conversationUUID: UUID, digits: String, tone: Tone) {
        (self.digits, self.tone) = (digits, tone)
        super.init(UUID(), conversationUUID, Date(timeIntervalSinceNow: 30))
    }

    init(_ action: CXPlayDTMFCallAction) {
        (digits, tone) = (action.digits, Tone(action.type))
        super.init(action.uuid, action.callUUID, action.timeoutDate)
    }

    override func makeCallKit() -> CXCallAction {
        CXPlayDTMFCallAction(call: conversationUUID, digits: digits, type: tone.callKit)
    }
}

extension PlayToneAction.Tone {
    fileprivate init(_ type: CXPlayDTMFCallAction.ActionType) {
        switch type {
        case .singleTone: self = .single
        case .softPause: self = .softPause
        case .hardPause: self = .hardPause
        }
    }

    fileprivate var callKit: CXPlayDTMFCallAction.ActionType {
        switch self {
        case .single: .singleTone
        case .softPause: .softPause
        case .hardPause: .hardPause
        }
    }
}

/// A request to merge a conversation with another one of this app. The host has both as one group
/// from then on.
public final class MergeConversationAction: ConversationAction, @unchecked Sendable {
    /// The conversation to merge with.
    public let conversationUUIDToMergeWith: UUID

    /// Makes a request to merge two conversations.
    public init(conversationUUID: UUID, conversationUUIDToMergeWith: UUID) {
        self.conversationUUIDToMergeWith = conversationUUIDToMergeWith
        super.init(UUID(), conversationUUID, Date(timeIntervalSinceNow: 30))
    }

    init(_ action: CXSetGroupCallAction, with other: UUID) {
        conversationUUIDToMergeWith = other
        super.init(action.uuid, action.callUUID, action.timeoutDate)
    }

    override func makeCallKit() -> CXCallAction {
        CXSetGroupCallAction(
            call: conversationUUID, callUUIDToGroupWith: conversationUUIDToMergeWith)
    }
}

/// A request to separate a conversation from those that it was merged with.
public final class UnmergeConversationAction: ConversationAction, @unchecked Sendable {
    /// Makes a request to separate a conversation.
    public init(conversationUUID: UUID) {
        super.init(UUID(), conversationUUID, Date(timeIntervalSinceNow: 30))
    }

    init(_ action: CXSetGroupCallAction) {
        super.init(action.uuid, action.callUUID, action.timeoutDate)
    }

    override func makeCallKit() -> CXCallAction {
        CXSetGroupCallAction(call: conversationUUID, callUUIDToGroupWith: nil)
    }
}

/// A request to translate a conversation. The broker cannot translate: a request is refused, and no
/// delegate receives one.
public final class SetTranslatingAction: ConversationAction, @unchecked Sendable {
    /// The engine that translates.
    public enum TranslationEngine: Hashable, Sendable {
        /// The engine of the system; this host has none.
        case `default`
        /// An engine of the app.
        case custom
    }

    /// True to start translating, false to stop.
    public let isTranslating: Bool
    /// The language of the user.
    public let localLanguage: Locale.Language
    /// The language of the other members.
    public let remoteLanguage: Locale.Language

    /// Makes a request to start or stop translating.
    public init(
        conversationID: UUID, isTranslating: Bool, localLanguage: Locale.Language,
        remoteLanguage: Locale.Language
    ) {
        self.isTranslating = isTranslating
        (self.localLanguage, self.remoteLanguage) = (localLanguage, remoteLanguage)
        super.init(UUID(), conversationID, Date(timeIntervalSinceNow: 30))
    }

    /// Completes the action; the engine is ignored.
    public func fulfill(using translationEngine: TranslationEngine) {
        fulfill()
    }

    override func makeCallKit() -> CXCallAction {
        CXSetTranslatingCallAction(
            call: conversationUUID, isTranslating: isTranslating,
            localLanguage: localLanguage.minimalIdentifier,
            remoteLanguage: remoteLanguage.minimalIdentifier)
    }
}

extension ConversationAction {
    /// Makes the action for one of the provider; nil for a kind that there is no class for.
    static func make(_ action: CXCallAction) -> ConversationAction? {
        switch action {
        case let action as CXStartCallAction: StartConversationAction(action)
        case let action as CXAnswerCallAction: JoinConversationAction(action)
        case let action as CXEndCallAction: EndConversationAction(action)
        case let action as CXSetHeldCallAction: PauseConversationAction(action)
        case let action as CXSetMutedCallAction: MuteConversationAction(action)
        case let action as CXPlayDTMFCallAction: PlayToneAction(action)
        case let action as CXSetGroupCallAction:
            action.callUUIDToGroupWith.map { MergeConversationAction(action, with: $0) }
                ?? UnmergeConversationAction(action)
        default: nil
        }
    }
}
