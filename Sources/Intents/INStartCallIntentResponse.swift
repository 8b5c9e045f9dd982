/// The response of a handler to an intent to start a call. The host reads none.
open class INStartCallIntentResponse: INIntentResponse {
    private let content: (code: INStartCallIntentResponseCode, activity: NSUserActivity?)

    /// The code that `init` received.
    open var code: INStartCallIntentResponseCode { content.code }
    /// The activity that `init` received.
    open var userActivity: NSUserActivity? { content.activity }

    /// Stores both arguments unchanged.
    public init(code: INStartCallIntentResponseCode, userActivity: NSUserActivity?) {
        content = (code, userActivity)
    }
}

/// The outcome of an intent to start a call. Raw values are Apple's, as in PyObjC.
public enum INStartCallIntentResponseCode: Int, Sendable {
    /// No code.
    case unspecified = 0
    /// The intent can be handled.
    case ready = 1
    /// The app continues with the activity of the response.
    case continueInApp = 2
    /// The user has to confirm the call.
    case userConfirmationRequired = 3
    /// The call cannot be started.
    case failure = 4
    /// The call can be started in the app only.
    case failureRequiringAppLaunch = 5
    /// The service is not there.
    case failureCallingServiceNotAvailable = 6
    /// The app cannot call these people.
    case failureContactNotSupportedByApp = 7
    /// The device has no network: it is in airplane mode.
    case failureAirplaneModeEnabled = 8
    /// The call cannot be passed to another device.
    case failureUnableToHandOff = 9
    /// The app must be set up first.
    case failureAppConfigurationRequired = 10
    /// Another call is in the way.
    case failureCallInProgress = 11
    /// Another call rings.
    case failureCallRinging = 12
    /// The user must sign in to the app first.
    case failureRequiringInAppAuthentication = 13
}

/// The response of a handler to an intent to start an audio call. The host reads none.
open class INStartAudioCallIntentResponse: INIntentResponse {
    private let content: (code: INStartAudioCallIntentResponseCode, activity: NSUserActivity?)

    /// The code that `init` received.
    open var code: INStartAudioCallIntentResponseCode { content.code }
    /// The activity that `init` received.
    open var userActivity: NSUserActivity? { content.activity }

    /// Stores both arguments unchanged.
    public init(code: INStartAudioCallIntentResponseCode, userActivity: NSUserActivity?) {
        content = (code, userActivity)
    }
}

/// The outcome of an intent to start an audio call. Raw values are Apple's, as in PyObjC.
public enum INStartAudioCallIntentResponseCode: Int, Sendable {
    /// No code.
    case unspecified = 0
    /// The intent can be handled.
    case ready = 1
    /// The app continues with the activity of the response.
    case continueInApp = 2
    /// The call cannot be started.
    case failure = 3
    /// The call can be started in the app only.
    case failureRequiringAppLaunch = 4
    /// The app must be set up first.
    case failureAppConfigurationRequired = 5
    /// The service is not there.
    case failureCallingServiceNotAvailable = 6
    /// The app cannot call these people.
    case failureContactNotSupportedByApp = 7
    /// There is no number to call.
    case failureNoValidNumber = 8
}

/// The response of a handler to an intent to start a video call. The host reads none.
open class INStartVideoCallIntentResponse: INIntentResponse {
    private let content: (code: INStartVideoCallIntentResponseCode, activity: NSUserActivity?)

    /// The code that `init` received.
    open var code: INStartVideoCallIntentResponseCode { content.code }
    /// The activity that `init` received.
    open var userActivity: NSUserActivity? { content.activity }

    /// Stores both arguments unchanged.
    public init(code: INStartVideoCallIntentResponseCode, userActivity: NSUserActivity?) {
        content = (code, userActivity)
    }
}

/// The outcome of an intent to start a video call. Raw values are Apple's, as in PyObjC.
public enum INStartVideoCallIntentResponseCode: Int, Sendable {
    /// No code.
    case unspecified = 0
    /// The intent can be handled.
    case ready = 1
    /// The app continues with the activity of the response.
    case continueInApp = 2
    /// The call cannot be started.
    case failure = 3
    /// The call can be started in the app only.
    case failureRequiringAppLaunch = 4
    /// The app must be set up first.
    case failureAppConfigurationRequired = 5
    /// The service is not there.
    case failureCallingServiceNotAvailable = 6
    /// The app cannot call these people.
    case failureContactNotSupportedByApp = 7
    /// The number cannot be called.
    case failureInvalidNumber = 8
}
