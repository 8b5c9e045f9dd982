public import AVFoundation

/// Why a call is over, without its own app's user wanting it.
public enum CXCallEndedReason: Int, Sendable {
    case failed = 1
    case remoteEnded = 2
    case unanswered = 3
    case answeredElsewhere = 4
    case declinedElsewhere = 5
}

/// What an app does for its calls. Only `providerDidReset` is required: an action whose method is
/// not implemented fails, and no transaction is taken over.
///
/// Without Objective-C the optional methods are defaults of the protocol. So a subclass of a class
/// that conforms cannot add methods, and one with a slightly different signature is not called.
public protocol CXProviderDelegate: NSObjectProtocol {
    /// Drop all calls; nothing needs to be answered.
    func providerDidReset(_ provider: CXProvider)
    /// The provider is registered: calls can be reported and asked for.
    func providerDidBegin(_ provider: CXProvider)
    /// True takes the transaction over: then each of its actions is fulfilled or failed without
    /// being performed one by one.
    func provider(_ provider: CXProvider, execute transaction: CXTransaction) -> Bool
    func provider(_ provider: CXProvider, perform action: CXStartCallAction)
    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction)
    func provider(_ provider: CXProvider, perform action: CXEndCallAction)
    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction)
    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction)
    func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction)
    func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction)
    func provider(_ provider: CXProvider, perform action: CXSetTranslatingCallAction)
    /// The action took too long, and has failed. To fulfil it now changes nothing.
    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction)
    /// Microphone and speaker may be used, until `didDeactivate`.
    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession)
    /// Microphone and speaker must be left alone.
    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession)
}

extension CXProviderDelegate {
    public func providerDidBegin(_ provider: CXProvider) {}

    public func provider(_ provider: CXProvider, execute transaction: CXTransaction) -> Bool {
        false
    }

    public func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        action.fail()
    }

    public func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        action.fail()
    }

    public func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        action.fail()
    }

    public func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        action.fail()
    }

    public func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        action.fail()
    }

    public func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) {
        action.fail()
    }

    public func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) {
        action.fail()
    }

    public func provider(_ provider: CXProvider, perform action: CXSetTranslatingCallAction) {
        action.fail()
    }

    public func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {}

    public func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {}
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
