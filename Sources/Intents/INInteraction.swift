/// What an app did, told to the host so that it can suggest it again.
open class INInteraction: NSObject {
    private let deed: (intent: INIntent, response: INIntentResponse?)

    open var intent: INIntent { deed.intent }
    open var intentResponse: INIntentResponse? { deed.response }

    public init(intent: INIntent, response: INIntentResponse?) {
        deed = (intent, response)
    }

    /// The host suggests nothing: always refused.
    open func donate(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        completion?(Self.refusal)
    }

    /// The same; always throws.
    open func donate() async throws {
        throw Self.refusal
    }

    private static var refusal: NSError {
        NSError(
            domain: INIntentErrorDomain, code: 1,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "this host keeps no interactions to suggest: nothing was donated"
            ])
    }
}

/// The domain of what is refused here.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let INIntentErrorDomain = "IntentsErrorDomain"

/// What a user was about to do, such as to call somebody. The host hands one to an app that has a
/// `UIApplicationDelegate` for each call that is asked for elsewhere; an app may also make one of a
/// link or of its own list of calls.
open class NSUserActivity: NSObject {
    private let type: String

    open var activityType: String { type }
    open var title: String?
    open var userInfo: [AnyHashable: Any]?
    open var webpageURL: URL?
    /// The intent that the activity is about.
    open var interaction: INInteraction?

    public init(activityType: String) {
        type = activityType
    }
}
