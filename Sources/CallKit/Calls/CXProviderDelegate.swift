public import AVFoundation

/// The reason of the end of a call that the user did not end on this host.
/// Raw values are Apple's, as in PyObjC.
public enum CXCallEndedReason: Int, Sendable {
    /// An error ended the call, or kept it from connecting.
    case failed = 1
    /// The other side ended the call.
    case remoteEnded = 2
    /// The call was not answered in time.
    case unanswered = 3
    /// The user answered on another device.
    case answeredElsewhere = 4
    /// The user declined on another device.
    case declinedElsewhere = 5
}

/// The app's side of a provider: it performs actions on calls. All methods are called on the queue
/// of `setDelegate(_:queue:)`, in the order in which the broker sent the events.
///
/// Only `providerDidReset` is required: an action whose method is not implemented fails. There is
/// no Objective-C on Linux, so the optional methods are defaults of the protocol. A subclass of a
/// conforming class can therefore override methods but not add them, and a method with a slightly
/// different signature is not called.
public protocol CXProviderDelegate: NSObjectProtocol {
    /// Called when the broker has none of the provider's calls any more. The app drops all calls,
    /// and completes no actions. A broker that was restarted does not cause it: see "When the
    /// broker goes away".
    func providerDidReset(_ provider: CXProvider)
    /// Called once, when the provider is registered and has a delegate: calls can be reported and
    /// requested from then on.
    func providerDidBegin(_ provider: CXProvider)
    /// Called with each transaction before its actions are performed.
    ///
    /// - Returns: true if the app completes the actions of the transaction itself; false, as
    ///   without this method, to have them performed one by one.
    func provider(_ provider: CXProvider, execute transaction: CXTransaction) -> Bool
    /// Called to start an outgoing call. Fulfill the action when the invitation was sent.
    func provider(_ provider: CXProvider, perform action: CXStartCallAction)
    /// Called to answer a call. Fulfill the action when both sides can talk; audio follows.
    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction)
    /// Called to end a call: to hang up, decline or cancel.
    func provider(_ provider: CXProvider, perform action: CXEndCallAction)
    /// Called to hold or resume a call, also when another app's call needs the audio.
    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction)
    /// Called to mute or unmute a call.
    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction)
    /// Called to put a call into the group of another one, or to take it out of its group.
    func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction)
    /// Called to play tones. Fulfill the action when they are over.
    func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction)
    /// Never called: the broker cannot translate.
    func provider(_ provider: CXProvider, perform action: CXSetTranslatingCallAction)
    /// Called when an action has failed because it was not completed by its `timeoutDate`.
    /// Fulfilling it has no effect any more.
    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction)
    /// Called when the app may use microphone and speaker, until `didDeactivate`.
    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession)
    /// Called when the app must stop using microphone and speaker, because the call is held or
    /// ended, or another app has the audio.
    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession)
}

extension CXProviderDelegate {
    /// Has no effect.
    public func providerDidBegin(_ provider: CXProvider) {}

    /// Returns false: the actions are performed one by one.
    public func provider(_ provider: CXProvider, execute transaction: CXTransaction) -> Bool {
        false
    }

    /// Fails the action.
    public func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        action.fail()
    }

    /// Fails the action.
    public func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        action.fail()
    }

    /// Fails the action.
    public func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        action.fail()
    }

    /// Fails the action.
    public func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        action.fail()
    }

    /// Fails the action.
    public func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        action.fail()
    }

    /// Fails the action.
    public func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) {
        action.fail()
    }

    /// Fails the action.
    public func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) {
        action.fail()
    }

    /// Fails the action.
    public func provider(_ provider: CXProvider, perform action: CXSetTranslatingCallAction) {
        action.fail()
    }

    /// Has no effect.
    public func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {}

    /// Has no effect.
    public func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {}

    /// Has no effect.
    public func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {}
}

extension CXProviderDelegate {
    /// Calls the method for the action's class.
    func perform(_ action: CXAction, for provider: CXProvider) {
        switch action {
        case let action as CXStartCallAction: self.provider(provider, perform: action)
        case let action as CXAnswerCallAction: self.provider(provider, perform: action)
        case let action as CXEndCallAction: self.provider(provider, perform: action)
        case let action as CXSetHeldCallAction: self.provider(provider, perform: action)
        case let action as CXSetMutedCallAction: self.provider(provider, perform: action)
        case let action as CXSetGroupCallAction: self.provider(provider, perform: action)
        case let action as CXPlayDTMFCallAction: self.provider(provider, perform: action)
        case let action as CXSetTranslatingCallAction: self.provider(provider, perform: action)
        default: action.fail()
        }
    }
}
