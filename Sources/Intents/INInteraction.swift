/// An intent with its response. In an activity of the host it holds the intent to start a call;
/// donating one for later suggestions is refused.
open class INInteraction: NSObject {
    private let content: (intent: INIntent, response: INIntentResponse?)

    /// The direction for the app's own use; `unspecified` at first.
    open var direction = INInteractionDirection.unspecified
    /// The time of the interaction for the app's own use; nil at first.
    open var dateInterval: DateInterval?
    /// An id for the app's own use; a UUID at first.
    open var identifier = UUID().uuidString
    /// The id of a group for the app's own use; nil at first.
    open var groupIdentifier: String?
    /// Always `unspecified`: the host handles no intents itself.
    open var intentHandlingStatus: INIntentHandlingStatus { .unspecified }

    /// The intent that `init` received.
    open var intent: INIntent { content.intent }
    /// The response that `init` received; nil in an interaction that the host made.
    open var intentResponse: INIntentResponse? { content.response }

    /// Stores both arguments unchanged.
    public init(intent: INIntent, response: INIntentResponse?) {
        content = (intent, response)
    }

    /// Always refused, because the host makes no suggestions. The completion is called before the
    /// method returns, with an `NSError` of `INIntentErrorDomain`, code 1900
    /// (`interactionOperationNotSupported`).
    open func donate(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        completion?(Self.refusal)
    }

    /// Always refused, because the host makes no suggestions.
    ///
    /// - Throws: an `NSError` of `INIntentErrorDomain`, code 1900
    /// (`interactionOperationNotSupported`).
    open func donate() async throws {
        throw Self.refusal
    }

    /// Succeeds, because nothing is stored. The completion is called before the method returns.
    open class func delete(
        with identifiers: [String], completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        completion?(nil)
    }

    /// Succeeds, because nothing is stored. The completion is called before the method returns.
    open class func delete(
        with groupIdentifier: String, completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        completion?(nil)
    }

    /// Succeeds, because nothing is stored. The completion is called before the method returns.
    open class func deleteAll(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        completion?(nil)
    }

    private static var refusal: NSError {
        NSError(
            domain: INIntentErrorDomain, code: 1_900,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "this host makes no suggestions, so it does not store interactions"
            ])
    }
}

/// Who began an interaction. Raw values are Apple's, as in PyObjC.
public enum INInteractionDirection: Int, Sendable {
    /// Not stated.
    case unspecified = 0
    /// The user did.
    case outgoing = 1
    /// The other side did.
    case incoming = 2
}

/// The progress of an intent. Raw values are Apple's, as in PyObjC.
public enum INIntentHandlingStatus: Int, Sendable {
    /// Not stated.
    case unspecified = 0
    /// The intent can be handled.
    case ready = 1
    /// The intent is being handled.
    case inProgress = 2
    /// The intent was handled.
    case success = 3
    /// The intent could not be handled.
    case failure = 4
    /// The intent waits for the app.
    case deferredToApplication = 5
    /// The user has to confirm the intent.
    case userConfirmationRequired = 6
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The error domain of refused donations.
public let INIntentErrorDomain = "IntentsErrorDomain"

/// An activity that an app is to continue, such as starting a call. The host passes one to an app
/// with a `UIApplicationDelegate` for each call that is requested outside the app; an app can also
/// make one from a link or from its own list of calls.
///
/// Foundation declares this class on Apple's platforms. Here it stores its properties and does no
/// more: there is no Handoff, no search index and no state restoration.
open class NSUserActivity: NSObject {
    private let type: String

    /// The type that `init` received. Activities of the host have `INStartCallIntent`, or
    /// `INStartAudioCallIntent` or `INStartVideoCallIntent` if the app declined that one.
    open var activityType: String { type }
    /// A title for the app's own use; nil in an activity of the host.
    open var title: String?
    /// Values for the app's own use; nil in an activity of the host.
    open var userInfo: [AnyHashable: Any]?
    /// A link for the app's own use. The host puts the address of a call into the intent instead.
    open var webpageURL: URL?
    /// The interaction whose intent the activity continues; set in every activity of the host.
    open var interaction: INInteraction?

    /// Makes an activity without content.
    ///
    /// - Parameter activityType: any string; there is no list of declared types to check it
    ///   against.
    public init(activityType: String) {
        type = activityType
    }
}
