public import AVFoundation

/// The app's side of a manager: it performs actions on conversations. All methods are called on the
/// main queue, which must be running, in the order of the events.
///
/// Only the method that performs actions is required; the others are defaults of the protocol.
public protocol ConversationManagerDelegate: AnyObject {
    /// Called after the state, the members or the capabilities of a conversation have changed,
    /// whoever changed them.
    func conversationManager(
        _ manager: ConversationManager, conversationChanged conversation: Conversation)
    /// Called once, when the manager is registered and has a delegate: conversations can be
    /// reported and requested from then on.
    func conversationManagerDidBegin(_ manager: ConversationManager)
    /// Called when the broker has none of the app's conversations any more. The app drops all of
    /// them, and completes no actions.
    func conversationManagerDidReset(_ manager: ConversationManager)
    /// Called with each action, which the app performs and then fulfills, or fails.
    func conversationManager(_ manager: ConversationManager, perform action: ConversationAction)
    /// Called when an action has failed because it was not completed by its `timeoutDate`.
    func conversationManager(
        _ manager: ConversationManager, timedOutPerforming action: ConversationAction)
    /// Called when the app may use microphone and speaker, until `didDeactivate`.
    func conversationManager(
        _ manager: ConversationManager, didActivate audioSession: AVAudioSession)
    /// Called when the app must stop using microphone and speaker.
    func conversationManager(
        _ manager: ConversationManager, didDeactivate audioSession: AVAudioSession)
}

extension ConversationManagerDelegate {
    /// Has no effect.
    public func conversationManager(
        _ manager: ConversationManager, conversationChanged conversation: Conversation
    ) {}

    /// Has no effect.
    public func conversationManagerDidBegin(_ manager: ConversationManager) {}

    /// Has no effect.
    public func conversationManagerDidReset(_ manager: ConversationManager) {}

    /// Has no effect.
    public func conversationManager(
        _ manager: ConversationManager, timedOutPerforming action: ConversationAction
    ) {}

    /// Has no effect.
    public func conversationManager(
        _ manager: ConversationManager, didActivate audioSession: AVAudioSession
    ) {}

    /// Has no effect.
    public func conversationManager(
        _ manager: ConversationManager, didDeactivate audioSession: AVAudioSession
    ) {}
}
