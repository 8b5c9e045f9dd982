internal import Synchronization

/// A conversation of this app, from its report or its start until its end. The object is the same
/// for as long as the conversation lasts, and its members change.
///
/// All members may be used from any thread.
public final class Conversation: Sendable {
    /// The states of a conversation. Apple does not publish the raw values.
    public enum State: Int, Hashable, Codable, Sendable {
        /// It rings here, or was not started yet.
        case idle
        /// It is being started or joined.
        case joining
        /// All sides can communicate.
        case joined
        /// It is paused: neither audio nor video is sent.
        case paused
        /// It is being ended.
        case leaving
        /// It is over.
        case left
    }

    /// The reasons of an end that the user did not request on this host. Apple does not publish the
    /// raw values.
    public enum EndedReason: Int, Hashable, Codable, Sendable {
        /// An error ended the conversation, or kept it from connecting.
        case failed
        /// The other side ended it.
        case remoteEnded
        /// Nobody joined in time.
        case unanswered
        /// The user joined on another device.
        case joinedElsewhere
        /// The user declined on another device.
        case declinedElsewhere
    }

    /// What has happened to a conversation, to be reported to the system.
    public enum Event: Hashable, Codable, Sendable {
        /// It is connecting, since a date.
        case conversationStartedConnecting(Date)
        /// All sides can communicate, since a date.
        case conversationConnected(Date)
        /// It has ended, at a date.
        case conversationEnded(Date, EndedReason)
        /// Its members or capabilities have changed.
        case conversationUpdated(Update)
    }

    /// What a conversation can do.
    public struct Capabilities: OptionSet, Hashable, Codable, Sendable {
        /// The bits of the capabilities. Apple does not publish theirs.
        public let rawValue: Int

        /// Makes a set from its bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// It can be paused, such as while another conversation has the audio.
        public static let pausing = Capabilities(rawValue: 1 << 0)
        /// It can be merged with another one.
        public static let merging = Capabilities(rawValue: 1 << 1)
        /// It can leave those that it was merged with.
        public static let unmerging = Capabilities(rawValue: 1 << 2)
        /// Tones can be played.
        public static let playingTones = Capabilities(rawValue: 1 << 3)
        /// It has video.
        public static let video = Capabilities(rawValue: 1 << 4)
    }

    /// New values of a conversation's members and capabilities. What is nil stays as it is.
    public struct Update: Hashable, Codable, Sendable {
        /// The member who sits at this host; known to this app only.
        public var localMember: Handle?
        /// All who were invited, with or without the local member.
        public var members: Set<Handle>?
        /// The members who have joined, without the local one.
        public var activeRemoteMembers: Set<Handle>?
        /// All capabilities.
        public var capabilities: Capabilities?

        /// Makes an update. What is nil does not change.
        public init(
            localMember: Handle? = nil, members: Set<Handle>? = nil,
            activeRemoteMembers: Set<Handle>? = nil, capabilities: Capabilities? = nil
        ) {
            self.localMember = localMember
            self.members = members
            self.activeRemoteMembers = activeRemoteMembers
            self.capabilities = capabilities
        }
    }

    /// The id of the conversation in this app.
    public let uuid: UUID
    /// True if the user started it.
    let isOutgoing: Bool
    private let content: Mutex<Content>

    /// What is known of a conversation.
    struct Content {
        var state = State.idle
        var membership = Membership()
        /// True if its end was reported to the delegate.
        var isOver: Bool { state == .left }
    }

    init(_ uuid: UUID, isOutgoing: Bool, _ update: Update) {
        (self.uuid, self.isOutgoing) = (uuid, isOutgoing)
        var content = Content()
        content.membership.apply(update)
        self.content = Mutex(content)
    }

    /// Makes the conversation of a start, with those who are invited, in the app's order.
    init(_ uuid: UUID, isOutgoing: Bool, invited: [Handle]) {
        (self.uuid, self.isOutgoing) = (uuid, isOutgoing)
        content = Mutex(Content(membership: Membership(invited)))
    }

    /// The handle of the member who sits at this host; nil if the app has not reported one.
    public var localMember: Handle? {
        content.withLock { $0.membership.local }
    }

    /// The current state.
    public var state: State {
        content.withLock { $0.state }
    }

    var membership: Membership {
        content.withLock { $0.membership }
    }

    /// Changes the state, and returns whether it was another one. One that is over stays so.
    func enter(_ state: State, from former: Set<State>? = nil) -> Bool {
        content.withLock { content in
            guard !content.isOver, content.state != state,
                former?.contains(content.state) ?? true
            else { return false }
            content.state = state
            return true
        }
    }

    /// Applies an update, and returns whether it changed anything.
    func apply(_ update: Update) -> Bool {
        content.withLock { content in
            let former = content.membership
            content.membership.apply(update)
            return content.membership != former
        }
    }
}

extension Conversation: CustomDebugStringConvertible {
    /// The id and the state, for logs; nothing of the members.
    public var debugDescription: String {
        "Conversation(uuid: \(uuid), state: \(state))"
    }
}
