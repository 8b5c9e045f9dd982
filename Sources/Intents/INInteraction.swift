/// An intent with its response. In an activity of the host it holds the intent to start a call;
/// donating one for later suggestions is refused.
open class INInteraction: NSObject {
    private let content: (intent: INIntent, response: INIntentResponse?)

    /// The intent that `init` received.
    open var intent: INIntent { content.intent }
    /// The response that `init` received; nil in an interaction that the host made.
    open var intentResponse: INIntentResponse? { content.response }

    /// Stores both arguments unchanged.
    public init(intent: INIntent, response: INIntentResponse?) {
        content = (intent, response)
    }

    /// Always refused, because the host makes no suggestions. The completion is called before the
    /// method returns, with an `NSError` of `INIntentErrorDomain`, code 1.
    open func donate(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        completion?(Self.refusal)
    }

    /// Always refused, because the host makes no suggestions.
    ///
    /// - Throws: an `NSError` of `INIntentErrorDomain`, code 1.
    open func donate() async throws {
        throw Self.refusal
    }

    private static var refusal: NSError {
        NSError(
            domain: INIntentErrorDomain, code: 1,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "this host makes no suggestions, so it does not store interactions"
            ])
    }
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
