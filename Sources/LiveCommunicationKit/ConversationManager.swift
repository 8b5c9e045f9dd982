internal import CallKit
internal import CallModel
internal import Synchronization

/// The app's registration as an owner of conversations: it reports what happens to them, requests
/// actions on them for what the user does in the app, and has its delegate perform all actions.
/// Make one, keep it alive, and set its delegate.
///
/// It is a provider and a controller of CallKit in one, with the same identity, the same
/// reconnection and the same errors: see "LiveCommunicationKit on Linux".
///
/// All members may be used from any thread.
public final class ConversationManager: Sendable {
    private struct Content {
        weak var delegate: (any ConversationManagerDelegate)?
        var hasDelegate = false
        var configuration: Configuration
        var conversations: [Conversation] = []
        /// The actions that the app requested and the delegate has not received, by the id of the
        /// provider's action.
        var requested: [UUID: ConversationAction] = [:]
        /// The actions that the delegate has received, oldest first, with that id.
        var performed: [(id: UUID, action: ConversationAction)] = []
        var isOver = false
    }

    private let content: Mutex<Transferred<Content>>
    let provider: Transferred<CXProvider>
    private let bridge = ProviderBridge()

    /// Registers the app, and waits up to 5 s for the broker's answer. Never fails: without a
    /// broker the manager keeps trying in the background.
    public convenience init(configuration: Configuration) {
        self.init(configuration, CXProvider(configuration: configuration.callKit))
    }

    private init(_ configuration: Configuration, _ provider: CXProvider) {
        content = Mutex(Transferred(Content(configuration: configuration)))
        self.provider = Transferred(provider)
        bridge.manager = self
        bridge.observe()
    }

    private func change<Result>(_ body: (inout Content) -> Result) -> Result {
        content.withLock { content in
            var copy = content.value
            defer { content = Transferred(copy) }
            return Transferred(body(&copy))
        }.value
    }

    /// The receiver of actions and changes; held weakly. Events from before the first delegate was
    /// set are delivered to it then.
    public var delegate: (any ConversationManagerDelegate)? {
        get { change { $0.delegate } }
        set {
            let isFirst = change { content in
                content.delegate = newValue
                defer { content.hasDelegate = content.hasDelegate || newValue != nil }
                return newValue != nil && !content.hasDelegate
            }
            if isFirst { provider.value.setDelegate(bridge, queue: nil) }
        }
    }

    /// The configuration. Setting it sends the new one to the broker.
    public var configuration: Configuration {
        get { change { $0.configuration } }
        set {
            change { $0.configuration = newValue }
            provider.value.configuration = newValue.callKit
        }
    }

    /// The conversations that are not over, oldest first.
    public var conversations: [Conversation] {
        change { $0.conversations }
    }

    /// The actions that the delegate has received and that are not complete, oldest first.
    public var pendingActions: [ConversationAction] {
        change { $0.performed.map(\.action) }.filter { $0.state == .running }
    }

    /// Returns the pending actions of a class on a conversation; `ConversationAction` stands for
    /// all classes.
    public func pendingConversationActions(
        of conversationActionClass: ConversationAction.Type, for conversation: Conversation
    ) -> [ConversationAction] {
        pendingActions.filter { action in
            action.conversationUUID == conversation.uuid
                && (conversationActionClass == ConversationAction.self
                    || type(of: action) == conversationActionClass)
        }
    }

    /// Unregisters the app: its conversations end as failed, its pending actions fail, and the
    /// delegate is not called again. An invalidated manager cannot be used again.
    public func invalidate() {
        change { $0.isOver = true }
        provider.value.invalidate()
        for conversation in removeAll() { _ = conversation.enter(.left) }
    }

    // MARK: - Reports

    /// Reports an incoming conversation, and returns when it may ring.
    ///
    /// - Parameters:
    ///   - uuid: an id that the app chooses for the conversation.
    ///   - update: its members and capabilities. Until capabilities are reported, all but video are
    ///     assumed.
    /// - Throws: `CXErrorCodeIncomingCallError` of CallKit if it must not ring; then drop it.
    public func reportNewIncomingConversation(
        uuid: UUID, update: Conversation.Update
    ) async throws {
        let conversation = Conversation(uuid, isOutgoing: false, update)
        let isNew = add(conversation)
        do {
            let parts = conversation.membership.update
            try await provider.value.reportIncoming(uuid, Transferred(parts.callKit()))
        } catch {
            if isNew { remove(conversation) }
            throw error
        }
        reportParticipants(of: conversation)
    }

    /// Reports what has happened to a conversation. One that is not this manager's, or over, is
    /// ignored. No action follows an end that is reported.
    public func reportConversationEvent(
        _ event: Conversation.Event, for conversation: Conversation
    ) {
        guard change({ content in content.conversations.contains { $0 === conversation } }) else {
            return
        }
        switch event {
        case .conversationStartedConnecting(let date):
            if conversation.isOutgoing {
                provider.value.reportOutgoingCall(
                    with: conversation.uuid, startedConnectingAt: date)
            }
            enter(.joining, conversation, from: [.idle])
        case .conversationConnected(let date):
            // One that is being joined is connected when the join is fulfilled.
            guard conversation.isOutgoing || conversation.state == .idle else { return }
            provider.value.reportOutgoingCall(with: conversation.uuid, connectedAt: date)
            if conversation.isOutgoing { enter(.joined, conversation, from: [.idle, .joining]) }
        case .conversationEnded(let date, let reason):
            provider.value.reportCall(
                with: conversation.uuid, endedAt: date, reason: reason.callKit)
            end(conversation)
        case .conversationUpdated(let update): self.update(conversation, update)
        }
    }

    /// Always refused, because this host has no notification service extensions.
    ///
    /// - Throws: `CXErrorCodeNotificationServiceExtensionError` of CallKit.
    public class func reportNewIncomingVoIPPushPayload(
        _ dictionaryPayload: [AnyHashable: Any]
    ) async throws {
        try await CXProvider.reportNewIncomingVoIPPushPayload([:])
    }

    private func update(_ conversation: Conversation, _ update: Conversation.Update) {
        let former = conversation.membership
        guard conversation.apply(update) else { return }
        let now = conversation.membership
        if now.update != former.update {
            provider.value.reportCall(
                with: conversation.uuid, updated: now.update.callKit(changedFrom: former.update))
        }
        if now.participants != former.participants { reportParticipants(of: conversation) }
        changed(conversation)
    }

    private func reportParticipants(of conversation: Conversation) {
        let change = ParticipantsChange(
            changed: conversation.membership.participants, replacesAll: true)
        provider.value.reportParticipants(of: conversation.uuid, change)
    }

    // MARK: - Requests

    /// Requests actions on conversations of this app, for what the user does in it, and returns
    /// when they were accepted: the delegate then performs them one after the other. They are
    /// refused or accepted as a whole.
    ///
    /// - Parameter actions: 1 to 8 actions, each of which is requested once.
    /// - Throws: `CXErrorCodeRequestTransactionError` of CallKit.
    public func perform(_ actions: [ConversationAction]) async throws {
        guard actions.allSatisfy({ $0.request() }) else {
            throw CXErrorCodeRequestTransactionError(
                .invalidAction,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "an action was requested already: make another one"
                ])
        }
        let pairs = Transferred(actions.map { ($0, $0.makeCallKit()) })
        let started = actions.compactMap { $0 as? StartConversationAction }.filter { start in
            add(Conversation(start))
        }
        change { content in
            for (action, performed) in pairs.value { content.requested[performed.uuid] = action }
        }
        do {
            try await provider.value.perform(
                Transferred(CXTransaction(actions: pairs.value.map(\.1))))
        } catch {
            change { content in
                for (_, performed) in pairs.value { content.requested[performed.uuid] = nil }
                content.conversations.removeAll { conversation in
                    started.contains { $0.conversationUUID == conversation.uuid }
                }
            }
            throw error
        }
    }

    // MARK: - Conversations

    /// Adds a conversation, unless there is one with its id.
    private func add(_ conversation: Conversation) -> Bool {
        change { content in
            guard !content.conversations.contains(where: { $0.uuid == conversation.uuid }) else {
                return false
            }
            content.conversations.append(conversation)
            return true
        }
    }

    private func remove(_ conversation: Conversation) {
        change { content in content.conversations.removeAll { $0 === conversation } }
    }

    private func removeAll() -> [Conversation] {
        change { content in
            defer { (content.conversations, content.requested, content.performed) = ([], [:], []) }
            return content.conversations
        }
    }

    private func conversation(_ uuid: UUID) -> Conversation? {
        change { content in content.conversations.first { $0.uuid == uuid } }
    }

    private func enter(
        _ state: Conversation.State, _ conversation: Conversation,
        from former: Set<Conversation.State>? = nil
    ) {
        if conversation.enter(state, from: former) { changed(conversation) }
    }

    private func end(_ conversation: Conversation) {
        remove(conversation)
        enter(.left, conversation)
    }

    /// Tells the delegate of a change, on the main queue.
    private func changed(_ conversation: Conversation) {
        DispatchQueue.main.async { [weak self] in
            guard let self else { return }
            self.current?.conversationManager(self, conversationChanged: conversation)
        }
    }

    /// The delegate, unless the manager was invalidated.
    private var current: (any ConversationManagerDelegate)? {
        change { $0.isOver ? nil : $0.delegate }
    }
}

// MARK: - Events of the provider, on the main queue

extension ConversationManager {
    func began() { current?.conversationManagerDidBegin(self) }

    func reset() {
        for conversation in removeAll() { enter(.left, conversation) }
        current?.conversationManagerDidReset(self)
    }

    func perform(_ performed: CXCallAction) {
        let transferred = Transferred(performed)
        let requested = change { $0.requested.removeValue(forKey: transferred.value.uuid) }
        guard let action = requested ?? ConversationAction.make(performed) else {
            return performed.fail()
        }
        action.begin(transferred)
        change { content in
            content.performed.removeAll { $0.action.state != .running }
            content.performed.append((transferred.value.uuid, action))
        }
        enterStateOf(action)
        guard let delegate = current else { return action.fail() }
        delegate.conversationManager(self, perform: action)
    }

    /// Moves a conversation to the state that it has while an action is performed.
    private func enterStateOf(_ action: ConversationAction) {
        if let start = action as? StartConversationAction { begin(start) }
        guard let conversation = conversation(action.conversationUUID) else { return }
        switch action {
        case is StartConversationAction, is JoinConversationAction:
            enter(.joining, conversation, from: [.idle])
        case is EndConversationAction: enter(.leaving, conversation)
        default: break
        }
    }

    /// Adds the conversation of a start, and reports what a start alone cannot have.
    private func begin(_ start: StartConversationAction) {
        _ = add(Conversation(start))
        guard let membership = conversation(start.conversationUUID)?.membership,
            membership.name != nil
        else { return }
        let parts = CXUpdateParts(remote: nil, name: membership.name, capabilities: nil)
        provider.value.reportCall(with: start.conversationUUID, updated: parts.callKit())
        if let conversation = conversation(start.conversationUUID) {
            reportParticipants(of: conversation)
        }
    }

    func timedOut(_ performed: CXAction) {
        let id = performed.uuid
        let late = change { content in content.performed.first { $0.id == id }?.action }
        guard let late else { return }
        late.timeOut()
        current?.conversationManager(self, timedOutPerforming: late)
    }

    func audio(_ session: AVAudioSession, isActive: Bool) {
        if isActive {
            current?.conversationManager(self, didActivate: session)
        } else {
            current?.conversationManager(self, didDeactivate: session)
        }
    }

    /// Follows what the host has of a conversation.
    func observed(_ call: CXCall) {
        guard let conversation = conversation(call.uuid) else { return }
        if call.hasEnded {
            end(conversation)
        } else if call.isOnHold {
            enter(.paused, conversation, from: [.joined])
        } else if call.hasConnected {
            enter(.joined, conversation, from: [.idle, .joining, .paused])
        }
    }
}

extension Conversation {
    /// The conversation of a start.
    fileprivate convenience init(_ start: StartConversationAction) {
        self.init(start.conversationUUID, isOutgoing: true, invited: start.handles)
    }
}

extension Conversation.EndedReason {
    fileprivate var callKit: CXCallEndedReason {
        switch self {
        case .failed: .failed
        case .remoteEnded: .remoteEnded
        case .unanswered: .unanswered
        case .joinedElsewhere: .answeredElsewhere
        case .declinedElsewhere: .declinedElsewhere
        }
    }
}
