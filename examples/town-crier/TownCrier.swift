import LiveCommunicationKit

/// The conversations of the app, the latest last, and who takes part. Everything happens on the main
/// queue.
final class TownCrier: ConversationManagerDelegate {
    private let manager: ConversationManager
    private var people: [UUID: [Handle]] = [:]
    private var muted: Set<UUID> = []
    private var isPrinted = ""

    init() {
        manager = ConversationManager(
            configuration: ConversationManager.Configuration(
                ringtoneName: nil, iconTemplateImageData: nil, maximumConversationGroups: 2,
                maximumConversationsPerConversationGroup: 2, includesConversationInRecents: true,
                supportsVideo: false, supportedHandleTypes: [.generic]))
        manager.delegate = self
    }

    private var latest: Conversation? { manager.conversations.last }

    private static func handle(_ name: String) -> Handle {
        Handle(type: .generic, value: name, displayName: name.capitalized)
    }

    // MARK: What the user does in the app

    func gather(_ names: [String]) {
        let action = StartConversationAction(
            conversationUUID: UUID(), handles: names.map(Self.handle), isVideo: false)
        people[action.conversationUUID] = action.handles
        perform(action)
    }

    func pause(_ isPaused: Bool) {
        guard let latest else { return }
        perform(PauseConversationAction(conversationUUID: latest.uuid, isPaused: isPaused))
    }

    func mute(_ isMuted: Bool) {
        guard let latest else { return }
        perform(MuteConversationAction(conversationUUID: latest.uuid, isMuted: isMuted))
    }

    func leave() {
        guard let latest else { return }
        perform(EndConversationAction(conversationUUID: latest.uuid))
    }

    private func perform(_ action: ConversationAction) {
        Task {
            do {
                try await manager.perform([action])
            } catch {
                print("refused: \((error as NSError).code) \(error.localizedDescription)")
            }
        }
    }

    // MARK: What the others do

    func ring(_ name: String) {
        let uuid = UUID()
        people[uuid] = [Self.handle(name)]
        let update = Conversation.Update(
            members: [Self.handle(name)], capabilities: [.pausing, .merging, .unmerging])
        Task {
            do {
                try await manager.reportNewIncomingConversation(uuid: uuid, update: update)
            } catch {
                print("refused: \((error as NSError).code) \(error.localizedDescription)")
            }
        }
    }

    func arrive(_ name: String) {
        guard let latest else { return }
        people[latest.uuid, default: []].append(Self.handle(name))
        report(latest)
    }

    func depart(_ name: String) {
        guard let latest else { return }
        people[latest.uuid]?.removeAll { $0.value == name }
        if people[latest.uuid]?.isEmpty ?? true {
            manager.reportConversationEvent(.conversationEnded(.now, .remoteEnded), for: latest)
        } else {
            report(latest)
        }
    }

    /// Tells the system who takes part.
    private func report(_ conversation: Conversation) {
        let members = Set(people[conversation.uuid] ?? [])
        manager.reportConversationEvent(
            .conversationUpdated(
                Conversation.Update(members: members, activeRemoteMembers: members)),
            for: conversation)
    }

    // MARK: What the system does

    func conversationManager(
        _ manager: ConversationManager, conversationChanged conversation: Conversation
    ) {
        let lines = manager.conversations.map { conversation in
            let names = people[conversation.uuid]?.map(\.displayName).joined(separator: ", ")
            let sound = muted.contains(conversation.uuid) ? " muted" : ""
            return "\(names ?? "somebody") \(conversation.state)\(sound)"
        }
        let line = lines.isEmpty ? "nobody" : lines.joined(separator: "; ")
        if line != isPrinted { print("talk: \(line)") }
        isPrinted = line
    }

    func conversationManagerDidReset(_ manager: ConversationManager) {
        print("reset")
    }

    func conversationManager(_ manager: ConversationManager, perform action: ConversationAction) {
        switch action {
        case let start as StartConversationAction:
            people[start.conversationUUID] = start.handles
            start.fulfill(dateStarted: .now)
            connect(start.conversationUUID)
        case let mute as MuteConversationAction:
            if mute.isMuted {
                muted.insert(mute.conversationUUID)
            } else {
                muted.remove(mute.conversationUUID)
            }
            mute.fulfill()
            print(mute.isMuted ? "muted" : "not muted")
        default: action.fulfill()
        }
    }

    /// Everybody whom the user invites comes.
    private func connect(_ uuid: UUID) {
        guard let conversation = manager.conversations.first(where: { $0.uuid == uuid }) else {
            return
        }
        manager.reportConversationEvent(.conversationStartedConnecting(.now), for: conversation)
        manager.reportConversationEvent(.conversationConnected(.now), for: conversation)
    }

    func conversationManager(
        _ manager: ConversationManager, didActivate audioSession: AVAudioSession
    ) {
        print("sound on")
    }

    func conversationManager(
        _ manager: ConversationManager, didDeactivate audioSession: AVAudioSession
    ) {
        print("sound off")
    }
}
