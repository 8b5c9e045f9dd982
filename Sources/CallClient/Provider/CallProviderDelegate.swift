public import CallModel

/// The app's side of a provider: it performs actions on calls. Returning from a method fulfills the
/// action as performed just now, and throwing fails it; `CallProvider.fulfill(_:atMS:)` fulfills it
/// earlier or with another time. The task is cancelled when the broker withdraws the action.
/// Methods without an implementation fail the action as not supported.
///
/// Actions start in the order in which the broker sent them; those of different calls overlap. The
/// other methods are called one after the other: an event waits until the method for the previous
/// event has returned.
public protocol CallProviderDelegate: AnyObject, Sendable {
    /// Starts a call. Return when the invitation was sent, and report connecting and connected
    /// later.
    func provider(
        _ provider: CallProvider, start: StartArguments, _ request: ActionRequest) async throws
    /// Answers a call. Return when both sides can talk.
    func provider(_ provider: CallProvider, answer request: ActionRequest) async throws
    /// Ends a call: hangs up, declines or cancels.
    func provider(_ provider: CallProvider, end request: ActionRequest) async throws
    /// Holds or resumes a call.
    func provider(
        _ provider: CallProvider, setHeld isHeld: Bool, _ request: ActionRequest) async throws
    /// Mutes or unmutes a call.
    func provider(
        _ provider: CallProvider, setMuted isMuted: Bool, _ request: ActionRequest) async throws
    /// Puts a call into the group of another call, or with nil takes it out of its group.
    func provider(
        _ provider: CallProvider, setGroup other: CallID?, _ request: ActionRequest) async throws
    /// Plays tones. Return when they are over.
    func provider(
        _ provider: CallProvider, playDTMF digits: String, _ style: DTMFStyle,
        _ request: ActionRequest) async throws
    /// Moves the sound of a call to one of the endpoints that the app has reported for it.
    func provider(
        _ provider: CallProvider, setEndpoint endpoint: String, _ request: ActionRequest
    ) async throws
    /// Adds video to a call, changes its direction or takes it away, and replies to the request of the
    /// remote side. Nothing is sent of the camera of a held call.
    func provider(
        _ provider: CallProvider, setVideo video: VideoDirection, _ request: ActionRequest
    ) async throws
    /// Adds real-time text to a call or takes it away, and replies to the request of the remote side.
    func provider(
        _ provider: CallProvider, setText hasText: Bool, _ request: ActionRequest
    ) async throws
    /// Transfers a call to an address. Return when the new party has it; the call is over then.
    func provider(
        _ provider: CallProvider, transfer address: Handle, _ request: ActionRequest) async throws
    /// Joins the remote parties of two calls. Return when they are; both calls are over then.
    func provider(
        _ provider: CallProvider, attendedTransfer other: CallID, _ request: ActionRequest
    ) async throws
    /// Sends an incoming call to another address. Return when that is done; the call is over then.
    func provider(
        _ provider: CallProvider, deflect address: Handle, _ request: ActionRequest) async throws
    /// Changes what the network keeps for a line, such as call forwarding. Return when the network
    /// has made the change and `CallProvider.update(_:)` has reported it.
    func provider(
        _ provider: CallProvider, change setting: LineSetting, of line: String) async throws
    /// Sends characters that the user has typed, on an active call with text. Return when they are on
    /// their way.
    func provider(_ provider: CallProvider, send text: String, on call: CallID) async throws
    /// Mutes a participant, or raises a hand, as far as the app has reported it as `changeable`. Return
    /// when `CallProvider` has reported the participant as changed.
    func provider(
        _ provider: CallProvider, change member: Participant.Member, to value: Bool,
        of participant: String, in call: CallID) async throws
    /// Handles a push of the app's server, of one of `ProviderConfiguration.pushTypes`. Return when that is
    /// done: for the type `voip`, when `CallProvider` has reported an incoming call. The payload is a
    /// JSON object.
    func provider(
        _ provider: CallProvider, receivePush payload: [UInt8], of type: String) async throws
    /// Called when the address at which the app's server can push to it has changed; nil: the former
    /// one is no longer valid.
    func provider(
        _ provider: CallProvider, didChangePushTokenTo token: String?, of type: String) async

    /// Called when the app may use microphone and speaker, until `didDeactivateAudioFor` for the
    /// same group.
    func provider(
        _ provider: CallProvider, didActivateAudioFor group: CallID, calls: [CallID]) async
    /// Called when the app must stop using microphone and speaker.
    func provider(
        _ provider: CallProvider, didDeactivateAudioFor group: CallID, calls: [CallID]) async
    /// Called when the sound of an incoming call changes, because a screen rings for it or the user
    /// has silenced it, for example. Requires `ClientOptions.followsPresentation`.
    func provider(
        _ provider: CallProvider, call: CallID,
        didChangeSoundTo sound: CallProvider.Presentation.Sound) async
    /// Called when the user has decided whether the app may have calls, or has changed that.
    func provider(
        _ provider: CallProvider,
        didChangeAuthorizationTo authorization: CallProvider.Authorization) async
    /// Called when the broker has none of the app's calls any more. The app drops them all.
    func providerDidReset(_ provider: CallProvider) async
    /// Called when the broker did not accept these calls after a lost connection. The app ends
    /// them.
    func provider(_ provider: CallProvider, didDrop calls: [CallID]) async
    /// Called with true when a session is open, and with false when it was lost.
    func provider(_ provider: CallProvider, isConnected: Bool) async
}

extension CallProviderDelegate {
    /// Fails the action as not supported.
    public func provider(
        _ provider: CallProvider, start: StartArguments, _ request: ActionRequest
    ) async throws { throw ActionFailure.unsupported }

    /// Fails the action as not supported.
    public func provider(
        _ provider: CallProvider, answer request: ActionRequest
    ) async throws { throw ActionFailure.unsupported }

    /// Fails the action as not supported.
    public func provider(
        _ provider: CallProvider, end request: ActionRequest
    ) async throws { throw ActionFailure.unsupported }

    /// Fails the action as not supported.
    public func provider(
        _ provider: CallProvider, setHeld isHeld: Bool, _ request: ActionRequest
    ) async throws { throw ActionFailure.unsupported }

    /// Fails the action as not supported.
    public func provider(
        _ provider: CallProvider, setMuted isMuted: Bool, _ request: ActionRequest
    ) async throws { throw ActionFailure.unsupported }

    /// Fails the action as not supported.
    public func provider(
        _ provider: CallProvider, setGroup other: CallID?, _ request: ActionRequest
    ) async throws { throw ActionFailure.unsupported }

    /// Fails the action as not supported.
    public func provider(
        _ provider: CallProvider, playDTMF digits: String, _ style: DTMFStyle,
        _ request: ActionRequest
    ) async throws { throw ActionFailure.unsupported }

    /// Fails the action as not supported.
    public func provider(
        _ provider: CallProvider, setEndpoint endpoint: String, _ request: ActionRequest
    ) async throws { throw ActionFailure.unsupported }

    /// Fails the action as not supported.
    public func provider(
        _ provider: CallProvider, setVideo video: VideoDirection, _ request: ActionRequest
    ) async throws { throw ActionFailure.unsupported }

    /// Fails the action as not supported.
    public func provider(
        _ provider: CallProvider, setText hasText: Bool, _ request: ActionRequest
    ) async throws { throw ActionFailure.unsupported }

    /// Fails the action as not supported.
    public func provider(
        _ provider: CallProvider, transfer address: Handle, _ request: ActionRequest
    ) async throws { throw ActionFailure.unsupported }

    /// Fails the action as not supported.
    public func provider(
        _ provider: CallProvider, attendedTransfer other: CallID, _ request: ActionRequest
    ) async throws { throw ActionFailure.unsupported }

    /// Fails the action as not supported.
    public func provider(
        _ provider: CallProvider, deflect address: Handle, _ request: ActionRequest
    ) async throws { throw ActionFailure.unsupported }

    /// Fails the change as not supported.
    public func provider(
        _ provider: CallProvider, change setting: LineSetting, of line: String
    ) async throws { throw ActionFailure.unsupported }

    /// Fails the request as not supported.
    public func provider(
        _ provider: CallProvider, send text: String, on call: CallID
    ) async throws { throw ActionFailure.unsupported }

    /// Fails the request as not supported.
    public func provider(
        _ provider: CallProvider, change member: Participant.Member, to value: Bool,
        of participant: String, in call: CallID
    ) async throws { throw ActionFailure.unsupported }

    /// Fails the request as not supported.
    public func provider(
        _ provider: CallProvider, receivePush payload: [UInt8], of type: String
    ) async throws { throw ActionFailure.unsupported }

    /// Has no effect.
    public func provider(
        _ provider: CallProvider, didChangePushTokenTo token: String?, of type: String
    ) async {}

    /// Has no effect.
    public func provider(
        _ provider: CallProvider, didActivateAudioFor group: CallID, calls: [CallID]
    ) async {}

    /// Has no effect.
    public func provider(
        _ provider: CallProvider, didDeactivateAudioFor group: CallID, calls: [CallID]
    ) async {}

    /// Has no effect.
    public func provider(
        _ provider: CallProvider, call: CallID,
        didChangeSoundTo sound: CallProvider.Presentation.Sound
    ) async {}

    /// Has no effect.
    public func provider(
        _ provider: CallProvider,
        didChangeAuthorizationTo authorization: CallProvider.Authorization
    ) async {}

    /// Has no effect.
    public func providerDidReset(_ provider: CallProvider) async {}

    /// Has no effect.
    public func provider(_ provider: CallProvider, didDrop calls: [CallID]) async {}

    /// Has no effect.
    public func provider(_ provider: CallProvider, isConnected: Bool) async {}
}

/// The failure of an action, to be thrown by a delegate's method. A `CancellationError` fails the
/// action with the reason `cancelled`, any other error with `internal`.
public enum ActionFailure: Error, Hashable, Sendable {
    /// The action was not performed. The reason is a word in snake_case for programs, such as
    /// `remote_refused`.
    case refused(reason: String)
    /// A start or an answer failed, and the call is over; with the detail of its end, such as
    /// `EndDetail(.busy)`.
    case ended(EndDetail)
    /// The app does not support the action.
    case unsupported
}
