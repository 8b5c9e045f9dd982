import AVFoundation
import LiveCommunicationKit

public protocol TalkServiceObserver: AnyObject {
    func talkService(_ service: TalkService, noted line: String)
}

/// The calls of a service, as its quick start shows them: one object that is the only one who knows
/// of LiveCommunicationKit.
@available(iOS 17.4, *)
public final class TalkService: NSObject {
    public let manager: ConversationManager
    public weak var observer: TalkServiceObserver?
    private var ringing: Set<UUID> = []

    public override init() {
        let configuration = ConversationManager.Configuration(
            ringtoneName: "Ringtone.caf",
            iconTemplateImageData: nil,
            maximumConversationGroups: 1,
            maximumConversationsPerConversationGroup: 1,
            includesConversationInRecents: true,
            supportsVideo: true,
            supportedHandleTypes: [.generic]
        )
        manager = ConversationManager(configuration: configuration)
        super.init()
        manager.delegate = self
    }

    deinit {
        manager.invalidate()
    }

    public func call(_ user: String, named name: String, uuid: UUID = UUID()) {
        let handle = Handle(type: .generic, value: user, displayName: name)
        let action = StartConversationAction(
            conversationUUID: uuid, handles: [handle], isVideo: false)
        Task {
            do {
                try await manager.perform([action])
                note("accepted")
            } catch {
                note("refused: \((error as NSError).code)")
            }
        }
    }

    public func receive(from user: String, uuid: UUID, completion: ((Error?) -> Void)? = nil) {
        let update = Conversation.Update(
            members: [Handle(type: .generic, value: user, displayName: user)],
            capabilities: [.video, .playingTones])
        ringing.insert(uuid)
        Task {
            do {
                try await manager.reportNewIncomingConversation(uuid: uuid, update: update)
                completion?(nil)
            } catch {
                ringing.remove(uuid)
                completion?(error)
            }
        }
    }

    public func connected(_ uuid: UUID) {
        guard let conversation = conversation(uuid) else { return }
        manager.reportConversationEvent(.conversationConnected(.now), for: conversation)
    }

    public func ended(_ uuid: UUID, _ reason: Conversation.EndedReason) {
        guard let conversation = conversation(uuid) else { return }
        manager.reportConversationEvent(.conversationEnded(.now, reason), for: conversation)
    }

    public func mute(_ uuid: UUID, _ isMuted: Bool) async throws {
        try await manager.perform([MuteConversationAction(conversationUUID: uuid, isMuted: isMuted)]
        )
    }

    private func conversation(_ uuid: UUID) -> Conversation? {
        manager.conversations.first(where: { $0.uuid == uuid })
    }

    private func note(_ line: String) {
        observer?.talkService(self, noted: line)
    }
}

@available(iOS 17.4, *)
extension TalkService: ConversationManagerDelegate {
    public func conversationManagerDidBegin(_ manager: ConversationManager) {
        note("began")
    }

    public func conversationManagerDidReset(_ manager: ConversationManager) {
        ringing.removeAll()
        note("reset")
    }

    public func conversationManager(
        _ manager: ConversationManager, conversationChanged conversation: Conversation
    ) {
        note("\(conversation.state)")
    }

    public func conversationManager(
        _ manager: ConversationManager, perform action: ConversationAction
    ) {
        if let start = action as? StartConversationAction {
            note("start \(start.handles.map(\.displayName).joined(separator: " "))")
            start.fulfill(dateStarted: .now)
        } else if let join = action as? JoinConversationAction {
            ringing.remove(join.conversationUUID)
            note("join")
            join.fulfill(dateConnected: .now)
        } else if let end = action as? EndConversationAction {
            note(ringing.remove(end.conversationUUID) == nil ? "end" : "decline")
            end.fulfill(dateEnded: .now)
        } else if let mute = action as? MuteConversationAction {
            note(mute.isMuted ? "mute" : "unmute")
            mute.fulfill()
        } else {
            note("fail \(type(of: action))")
            action.fail()
        }
    }

    public func conversationManager(
        _ manager: ConversationManager, timedOutPerforming action: ConversationAction
    ) {
        note("timed out \(action.uuid == action.conversationUUID ? "?" : "")")
    }

    public func conversationManager(
        _ manager: ConversationManager, didActivate audioSession: AVAudioSession
    ) {
        note("sound on")
    }

    public func conversationManager(
        _ manager: ConversationManager, didDeactivate audioSession: AVAudioSession
    ) {
        note("sound off")
    }
}
