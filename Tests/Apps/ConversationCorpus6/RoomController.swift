import LiveCommunicationKit

/// Between the manager, which calls from anywhere, and state of the main actor.
final class RoomDelegate: NSObject, ConversationManagerDelegate, @unchecked Sendable {
    weak let room: RoomController?

    init(_ room: RoomController) {
        self.room = room
    }

    func conversationManager(
        _ manager: ConversationManager, perform action: ConversationAction
    ) {
        switch action {
        case let action as StartConversationAction: start(action, of: manager)
        case let action as JoinConversationAction: join(action, of: manager)
        case let action as MergeConversationAction: merge(action, of: manager)
        case let action as PauseConversationAction:
            Task { @MainActor in
                room?.lines.append(action.isPaused ? "pause" : "continue")
                action.fulfill()
            }
        case is EndConversationAction, is UnmergeConversationAction: action.fulfill()
        default: action.fail()
        }
    }

    func conversationManager(
        _ manager: ConversationManager, conversationChanged conversation: Conversation
    ) {
        let (uuid, state) = (conversation.uuid, conversation.state)
        Task { @MainActor in room?.states[uuid, default: []].append(state) }
    }

    private func start(_ action: StartConversationAction, of manager: ConversationManager) {
        guard let conversation = manager.conversation(action.conversationUUID) else {
            return action.fail()
        }
        manager.reportConversationEvent(.conversationStartedConnecting(.now), for: conversation)
        Task { @MainActor in
            guard let room else { return action.fail() }
            room.lines.append("invite \(action.handles.map(\.value).joined(separator: " "))")
            action.fulfill(dateStarted: .now)
            await room.connect()
            manager.reportConversationEvent(.conversationConnected(.now), for: conversation)
        }
    }

    private func join(_ action: JoinConversationAction, of manager: ConversationManager) {
        guard let conversation = manager.conversation(action.conversationUUID) else {
            return action.fail()
        }
        manager.reportConversationEvent(.conversationStartedConnecting(.now), for: conversation)
        Task { @MainActor in
            guard let room else { return action.fail() }
            await room.connect()
            manager.reportConversationEvent(.conversationConnected(.now), for: conversation)
            action.fulfill(dateConnected: .now)
        }
    }

    private func merge(_ action: MergeConversationAction, of manager: ConversationManager) {
        guard let target = manager.conversation(action.conversationUUIDToMergeWith),
            manager.conversation(action.conversationUUID) != nil
        else { return action.fail() }
        Task { @MainActor in
            room?.lines.append("merge")
            let update = Conversation.Update(capabilities: [.pausing, .merging, .unmerging])
            manager.reportConversationEvent(.conversationUpdated(update), for: target)
            action.fulfill()
        }
    }
}

extension ConversationManager {
    fileprivate func conversation(_ uuid: UUID) -> Conversation? {
        conversations.first { $0.uuid == uuid }
    }
}

/// A meeting room, whose state belongs to the main actor.
@MainActor public final class RoomController {
    public let manager: ConversationManager
    public fileprivate(set) var lines: [String] = []
    public fileprivate(set) var states: [UUID: [Conversation.State]] = [:]
    private var delegate: RoomDelegate?

    public init() {
        manager = ConversationManager(
            configuration: .init(
                ringtoneName: nil, iconTemplateImageData: nil, maximumConversationGroups: 2,
                maximumConversationsPerConversationGroup: 2, includesConversationInRecents: false,
                supportsVideo: true, supportedHandleTypes: [.phoneNumber, .emailAddress]))
        delegate = RoomDelegate(self)
        manager.delegate = delegate
    }

    public func invite(_ people: [String], to uuid: UUID) async throws {
        let handles = people.map { Handle(type: .emailAddress, value: $0) }
        try await manager.perform([
            StartConversationAction(conversationUUID: uuid, handles: handles, isVideo: false)
        ])
    }

    public func ring(_ uuid: UUID, _ caller: String) async throws {
        let update = Conversation.Update(
            members: [Handle(type: .emailAddress, value: caller)],
            capabilities: [.pausing, .merging, .unmerging])
        try await manager.reportNewIncomingConversation(uuid: uuid, update: update)
    }

    public func merge(_ one: UUID, with other: UUID) async throws {
        try await manager.perform([
            MergeConversationAction(conversationUUID: one, conversationUUIDToMergeWith: other)
        ])
    }

    public func leave(_ uuid: UUID) async throws {
        try await manager.perform([EndConversationAction(conversationUUID: uuid)])
    }

    fileprivate func connect() async {
        await Task.yield()
    }
}
