public import CallModel

/// What an app does for its calls. Returning fulfils an action as done just now, throwing fails it;
/// `CallProvider.fulfil` does it earlier, or says when it was done. The task is cancelled when the
/// broker takes the action back. What is not implemented is refused as something that the app never
/// does. Actions begin in the order the broker sent them; those of different calls overlap.
public protocol CallProviderDelegate: AnyObject, Sendable {
    /// Call somebody. Return when the invitation is sent, not when it is answered.
    func provider(
        _ provider: CallProvider, start: StartArguments, _ request: ActionRequest) async throws
    /// Take a call. Return when it is connected.
    func provider(_ provider: CallProvider, answer request: ActionRequest) async throws
    /// Hang up, decline or cancel.
    func provider(_ provider: CallProvider, end request: ActionRequest) async throws
    func provider(
        _ provider: CallProvider, setHeld isHeld: Bool, _ request: ActionRequest) async throws
    func provider(
        _ provider: CallProvider, setMuted isMuted: Bool, _ request: ActionRequest) async throws
    /// Join the group of another call, or with nil leave any.
    func provider(
        _ provider: CallProvider, setGroup other: CallID?, _ request: ActionRequest) async throws
    /// Return when the tones are over.
    func provider(
        _ provider: CallProvider, playDTMF digits: String, _ style: DTMFStyle,
        _ request: ActionRequest) async throws

    /// Microphone and speaker may be used, until `didDeactivateAudioFor` for the same group.
    func provider(
        _ provider: CallProvider, didActivateAudioFor group: CallID, calls: [CallID]) async
    /// Microphone and speaker must be left alone.
    func provider(
        _ provider: CallProvider, didDeactivateAudioFor group: CallID, calls: [CallID]) async
    /// How a call that comes in is to sound from now on: a screen rings for it, say, or the user has
    /// silenced it. Only with `ClientOptions.followsPresentation`.
    func provider(
        _ provider: CallProvider, call: CallID,
        didChangeSoundTo sound: CallProvider.Presentation.Sound) async
    /// The broker has none of the app's calls any more: drop them all.
    func providerDidReset(_ provider: CallProvider) async
    /// After a lost connection there is no place for these calls: end them.
    func provider(_ provider: CallProvider, didDrop calls: [CallID]) async
    /// The connection was lost (false), or there is a session again.
    func provider(_ provider: CallProvider, isConnected: Bool) async
}

extension CallProviderDelegate {
    public func provider(
        _ provider: CallProvider, start: StartArguments, _ request: ActionRequest
    ) async throws { throw ActionFailure.unsupported }

    public func provider(
        _ provider: CallProvider, answer request: ActionRequest
    ) async throws { throw ActionFailure.unsupported }

    public func provider(
        _ provider: CallProvider, end request: ActionRequest
    ) async throws { throw ActionFailure.unsupported }

    public func provider(
        _ provider: CallProvider, setHeld isHeld: Bool, _ request: ActionRequest
    ) async throws { throw ActionFailure.unsupported }

    public func provider(
        _ provider: CallProvider, setMuted isMuted: Bool, _ request: ActionRequest
    ) async throws { throw ActionFailure.unsupported }

    public func provider(
        _ provider: CallProvider, setGroup other: CallID?, _ request: ActionRequest
    ) async throws { throw ActionFailure.unsupported }

    public func provider(
        _ provider: CallProvider, playDTMF digits: String, _ style: DTMFStyle,
        _ request: ActionRequest
    ) async throws { throw ActionFailure.unsupported }

    public func provider(
        _ provider: CallProvider, didActivateAudioFor group: CallID, calls: [CallID]
    ) async {}

    public func provider(
        _ provider: CallProvider, didDeactivateAudioFor group: CallID, calls: [CallID]
    ) async {}

    public func provider(
        _ provider: CallProvider, call: CallID,
        didChangeSoundTo sound: CallProvider.Presentation.Sound
    ) async {}

    public func providerDidReset(_ provider: CallProvider) async {}
    public func provider(_ provider: CallProvider, didDrop calls: [CallID]) async {}
    public func provider(_ provider: CallProvider, isConnected: Bool) async {}
}

/// Why an app does not do what it was asked: throw it in a delegate's method.
public enum ActionFailure: Error, Hashable, Sendable {
    /// A word in snake_case, for programs, such as `remote_refused`.
    case refused(reason: String)
    /// The app never does such a thing.
    case unsupported
}
