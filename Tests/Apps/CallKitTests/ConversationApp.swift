import AVFoundation
import Foundation
import LiveCommunicationKit
import Testing

typealias Member = LiveCommunicationKit.Handle

/// An app written for LiveCommunicationKit: it writes down what it is told, and does what it is
/// asked, but for the actions that the test keeps to itself.
final class ConversationApp: ConversationManagerDelegate, @unchecked Sendable {
    let diary = Diary()
    let manager: ConversationManager
    private let keeps: [ConversationAction.Type]
    private let lock = NSLock()
    private var kept: [ConversationAction] = []

    init(
        keeps: [ConversationAction.Type] = [], groups: Int = 4,
        types: Set<Member.Kind> = [.phoneNumber]
    ) {
        self.keeps = keeps
        manager = ConversationManager(
            configuration: .init(
                ringtoneName: nil, iconTemplateImageData: nil, maximumConversationGroups: groups,
                maximumConversationsPerConversationGroup: 5, includesConversationInRecents: true,
                supportsVideo: true, supportedHandleTypes: types))
        manager.delegate = self
    }

    deinit {
        manager.invalidate()
    }

    /// The actions that the test has to settle.
    var open: [ConversationAction] {
        lock.withLock { kept }
    }

    /// Waits for a line that has not been there so often yet, nobody lets go of the app meanwhile.
    func waits(for line: String, times: Int = 1) async {
        await diary.waits(for: line, times: times)
    }

    func conversation(_ uuid: UUID) -> Conversation? {
        manager.conversations.first { $0.uuid == uuid }
    }

    func conversationManager(
        _ manager: ConversationManager, conversationChanged conversation: Conversation
    ) {
        diary.note("is \(conversation.state)")
    }

    func conversationManagerDidBegin(_ manager: ConversationManager) {
        diary.note("began")
    }

    func conversationManagerDidReset(_ manager: ConversationManager) {
        diary.note("reset")
    }

    func conversationManager(
        _ manager: ConversationManager, perform action: ConversationAction
    ) {
        let isKept = keeps.contains { $0 == type(of: action) }
        if isKept { lock.withLock { kept.append(action) } }
        if !isKept { action.fulfill() }
        diary.note(Self.line(action))
    }

    private static func line(_ action: ConversationAction) -> String {
        switch action {
        case let action as StartConversationAction:
            "start " + action.handles.map(\.value).joined(separator: " ")
        case is JoinConversationAction: "join"
        case is EndConversationAction: "end"
        case let action as PauseConversationAction: action.isPaused ? "pause" : "continue"
        case let action as MuteConversationAction: action.isMuted ? "mute" : "unmute"
        case let action as PlayToneAction: "tones \(action.digits) \(action.tone)"
        case is MergeConversationAction: "merge"
        case is UnmergeConversationAction: "unmerge"
        default: "other"
        }
    }

    func conversationManager(
        _ manager: ConversationManager, timedOutPerforming action: ConversationAction
    ) {
        diary.note("timed out \(Self.line(action))")
    }

    func conversationManager(
        _ manager: ConversationManager, didActivate audioSession: AVAudioSession
    ) {
        diary.note("audio on")
    }

    func conversationManager(
        _ manager: ConversationManager, didDeactivate audioSession: AVAudioSession
    ) {
        diary.note("audio off")
    }

    /// A conversation that rings.
    func rings(
        _ members: [String] = ["+15550101"], _ capabilities: Conversation.Capabilities? = nil
    ) async throws -> UUID {
        let uuid = UUID()
        try await manager.reportNewIncomingConversation(
            uuid: uuid,
            update: Conversation.Update(
                members: Set(members.map { Member(type: .phoneNumber, value: $0) }),
                capabilities: capabilities))
        return uuid
    }
}

extension Diary {
    /// Waits for a line that has not been there so often yet.
    func waits(for line: String, times: Int = 1) async {
        while true {
            // One look at the lines: what comes after it ends the wait.
            let lines = lines
            if lines.count(where: { $0 == line }) >= times || lines.count > 1_000 { return }
            guard await self.lines(lines.count + 1).count > lines.count else { return }
        }
    }
}
