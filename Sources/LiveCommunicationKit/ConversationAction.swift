internal import CallKit
internal import Synchronization

/// A change to a conversation, which the app requests with `ConversationManager.perform(_:)`, or
/// which the system requests for the user. Either way the manager's delegate performs it. It
/// completes once: the first call of `fulfill` or `fail` counts, and has an effect only while the
/// delegate performs the action.
///
/// All members may be used from any thread.
public class ConversationAction: @unchecked Sendable {
    /// The states of an action.
    public enum State: Hashable, Codable, Sendable {
        /// The delegate does not perform it yet.
        case idle
        /// The delegate performs it.
        case running
        /// It was fulfilled.
        case complete
        /// It was not performed: the app failed it, it took too long, or it was withdrawn.
        case failed(reason: String)
    }

    private struct Progress {
        var state = State.idle
        /// The action of the provider; set while the delegate performs it.
        var performed: Transferred<CXCallAction>?
        var isRequested = false
    }

    private let id: UUID
    private let conversation: UUID
    private let deadline: Date
    private let progress = Mutex(Progress())

    /// Makes an action on a conversation. Whether there is such a conversation is checked when the
    /// action is requested. Only instances of its subclasses can be performed.
    ///
    /// - Parameters:
    ///   - conversationUUID: the id of the conversation.
    ///   - timeoutDate: the time after which the action cannot be completed.
    public convenience init(
        conversationUUID: UUID, timeoutDate: Date = Date(timeIntervalSinceNow: 30)
    ) {
        self.init(UUID(), conversationUUID, timeoutDate)
    }

    init(_ id: UUID, _ conversation: UUID, _ deadline: Date) {
        (self.id, self.conversation, self.deadline) = (id, conversation, deadline)
    }

    /// The id of the conversation.
    public final var conversationUUID: UUID { conversation }
    /// The id of the action.
    public final var uuid: UUID { id }

    /// The time after which completing the action has no effect. The broker measures it on its own
    /// clock, from when the action reaches the delegate.
    public final var timeoutDate: Date {
        progress.withLock { $0.performed }?.value.timeoutDate ?? deadline
    }

    /// The current state.
    public final var state: State {
        progress.withLock { progress in
            guard progress.state == .running, let performed = progress.performed,
                performed.value.isComplete
            else { return progress.state }
            return .failed(reason: "withdrawn")
        }
    }

    /// Reports that the action was performed, just now.
    public final func fulfill() {
        complete(.complete) { $0.fulfill() }
    }

    /// Reports that the action could not be performed. A start or a join that fails ends the
    /// conversation.
    public final func fail() {
        complete(.failed(reason: "failed")) { $0.fail() }
    }

    // MARK: - Performing

    /// Completes the action, unless it is complete, or nobody performs it.
    final func complete(_ state: State, _ report: (CXCallAction) -> Void) {
        let performed = progress.withLock { progress -> Transferred<CXCallAction>? in
            guard progress.state == .running, let performed = progress.performed,
                !performed.value.isComplete
            else { return nil }
            progress.state = state
            return performed
        }
        if let performed { report(performed.value) }
    }

    /// Marks the action as requested; false if it was before.
    final func request() -> Bool {
        progress.withLock { progress in
            defer { progress.isRequested = true }
            return !progress.isRequested
        }
    }

    final func begin(_ action: Transferred<CXCallAction>) {
        progress.withLock { progress in
            progress.state = .running
            progress.performed = action
        }
    }

    /// Ends an action that was not completed in time.
    final func timeOut() {
        progress.withLock { progress in
            if progress.state == .running { progress.state = .failed(reason: "timed out") }
        }
    }

    /// The provider's form of the action.
    func makeCallKit() -> CXCallAction {
        CXCallAction(call: conversation)
    }
}

extension ConversationAction: CustomDebugStringConvertible {
    /// The class, the ids and the state, for logs; nothing of the members of the conversation.
    public var debugDescription: String {
        "\(type(of: self))(uuid: \(uuid), conversationUUID: \(conversationUUID), state: \(state))"
    }
}
