internal import CallKit

extension ConversationManager {
    /// The description of an app: its limits and what it can do.
    public struct Configuration: Hashable, Sendable {
        /// The name of a sound in the app's folder, with its extension, or of one of the host.
        public var ringtoneName: String?
        /// A picture in PNG format, at most 1 MiB, which the screens of the host show.
        public var iconTemplateImageData: Data?
        /// The most groups of conversations at a time, paused and ringing ones included.
        public var maximumConversationGroups: Int
        /// The most conversations in one group. Less than 1 counts as 1.
        public var maximumConversationsPerConversationGroup: Int
        /// True if the history of the host shows the conversations.
        public var includesConversationInRecents: Bool
        /// True if conversations can have video.
        public var supportsVideo: Bool
        /// The kinds of handles that the app offers to call. Empty, it offers none, and may call
        /// any.
        public var supportedHandleTypes: Set<Handle.Kind>
        /// Stored for the app only: the broker cannot translate.
        public var supportsAudioTranslation: Bool

        /// Makes a configuration.
        ///
        /// - Parameters:
        ///   - ringtoneName: the name of a sound; nil for that of the host.
        ///   - iconTemplateImageData: a picture in PNG format.
        ///   - maximumConversationGroups: the most groups at a time.
        ///   - maximumConversationsPerConversationGroup: the most conversations in one group.
        ///   - includesConversationInRecents: whether the history shows the conversations.
        ///   - supportsVideo: whether conversations can have video.
        ///   - supportedHandleTypes: the kinds of handles that the app offers to call.
        ///   - supportsAudioTranslation: stored for the app only.
        public init(
            ringtoneName: String?, iconTemplateImageData: Data?, maximumConversationGroups: Int,
            maximumConversationsPerConversationGroup: Int, includesConversationInRecents: Bool,
            supportsVideo: Bool, supportedHandleTypes: Set<Handle.Kind>,
            supportsAudioTranslation: Bool = false
        ) {
            self.ringtoneName = ringtoneName
            self.iconTemplateImageData = iconTemplateImageData
            self.maximumConversationGroups = maximumConversationGroups
            self.maximumConversationsPerConversationGroup =
                maximumConversationsPerConversationGroup
            self.includesConversationInRecents = includesConversationInRecents
            self.supportsVideo = supportsVideo
            self.supportedHandleTypes = supportedHandleTypes
            self.supportsAudioTranslation = supportsAudioTranslation
        }
    }
}

extension ConversationManager.Configuration {
    /// The time that an action of the user may take, in milliseconds: that of an action by default.
    private static let deadlineMS = 30_000

    var callKit: CXProviderConfiguration {
        let configuration = CXProviderConfiguration()
        configuration.ringtoneSound = ringtoneName
        configuration.iconTemplateImageData = iconTemplateImageData
        configuration.maximumCallGroups = maximumConversationGroups
        configuration.maximumCallsPerCallGroup = maximumConversationsPerConversationGroup
        configuration.includesCallsInRecents = includesConversationInRecents
        configuration.supportsVideo = supportsVideo
        configuration.supportedHandleTypes = Set(supportedHandleTypes.map(\.callKit))
        configuration.deadlineMS = Self.deadlineMS
        return configuration
    }
}
