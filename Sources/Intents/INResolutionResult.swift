/// What a handler has made of a part of an intent. It stores nothing, because the host reads none.
open class INIntentResolutionResult: NSObject {
    /// Makes a result for a part without a value.
    open class func needsValue() -> Self { Self() }
    /// Makes a result for a part that the handler ignores.
    open class func notRequired() -> Self { Self() }
    /// Makes a result for a part that the handler cannot deal with.
    open class func unsupported() -> Self { Self() }

    /// Makes a result.
    override public required init() {
        super.init()
    }
}

/// What a handler has made of a person to call.
open class INPersonResolutionResult: INIntentResolutionResult {
    /// Makes a result for a person that can be called.
    open class func success(with resolvedPerson: INPerson) -> Self { Self() }
    /// Makes a result for several people of whom the user has to choose one.
    open class func disambiguation(with peopleToDisambiguate: [INPerson]) -> Self { Self() }
    /// Makes a result for a person whom the user has to confirm.
    open class func confirmationRequired(with personToConfirm: INPerson?) -> Self { Self() }
}

/// What a handler has made of a person to call, since iOS 13.
open class INStartCallContactResolutionResult: INPersonResolutionResult {
    /// Makes a result for a person who cannot be called.
    open class func unsupported(
        forReason reason: INStartCallContactUnsupportedReason
    ) -> Self { Self() }
}

/// The reason for which a person cannot be called. Raw values are Apple's, as in PyObjC.
public enum INStartCallContactUnsupportedReason: Int, Sendable {
    /// There is no such contact.
    case noContactFound = 1
    /// The app cannot call several people.
    case multipleContactsUnsupported = 2
    /// The contact has no handle of the requested kind.
    case noHandleForLabel = 3
    /// The handle cannot be called.
    case invalidHandle = 4
    /// The handle is a code for the network (MMI or USSD), which the app does not send.
    case unsupportedMmiUssd = 5
    /// There is no earlier call whose number could be dialed again.
    case noCallHistoryForRedial = 6
    /// The earlier call has no handle that could be dialed again.
    case noUsableHandleForRedial = 7
    /// The user must sign in to the app first.
    case requiringInAppAuthentication = 8
}

/// What a handler has made of the kind of call.
open class INStartCallCallCapabilityResolutionResult: INIntentResolutionResult {
    /// Makes a result for a kind that the app supports.
    open class func success(with resolvedValue: INCallCapability) -> Self { Self() }
    /// Makes a result for a kind that the user has to confirm.
    open class func confirmationRequired(with valueToConfirm: INCallCapability) -> Self { Self() }
}

/// What a handler has made of the destination.
open class INCallDestinationTypeResolutionResult: INIntentResolutionResult {
    /// Makes a result for a destination that the app supports.
    open class func success(with resolvedValue: INCallDestinationType) -> Self { Self() }
    /// Makes a result for a destination that the user has to confirm.
    open class func confirmationRequired(
        with valueToConfirm: INCallDestinationType
    ) -> Self { Self() }
}
