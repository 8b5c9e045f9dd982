/// A request of the user to an app. The subclasses of this module start calls; there are no others.
open class INIntent: NSObject {}

/// An app's response to an intent. The host reads none.
open class INIntentResponse: NSObject {}

/// The kind of call to start. Raw values are Apple's, as in PyObjC.
public enum INCallCapability: Int, Sendable {
    /// Not stated; the host never uses it.
    case unknown = 0
    /// A call without video.
    case audioCall = 1
    /// A call that starts with video.
    case videoCall = 2
}

/// The destination of a call. The host uses `normal` for every call, emergencies included: the
/// broker recognizes those by their number. Raw values are Apple's, as in PyObjC.
public enum INCallDestinationType: Int, Sendable {
    /// Not stated.
    case unknown = 0
    /// The address of the contact in the intent.
    case normal = 1
    /// An emergency service.
    case emergency = 2
    /// The user's voicemail.
    case voicemail = 3
    /// The number dialed last.
    case redial = 4
    /// The caller of a missed call.
    case callBack = 5
}

/// An intent to start a call. An app with a `UIApplicationDelegate` receives one on the main actor
/// for each call that is requested outside the app, with the tool, a link or the history. It comes
/// in an activity of the type `INStartCallIntent`, with one contact whose handle is the address.
open class INStartCallIntent: INIntent {
    private struct Content {
        let filter: INCallRecordFilter?
        let record: INCallRecord?
        let route: INCallAudioRoute
        let destination: INCallDestinationType
        let contacts: [INPerson]?
        let capability: INCallCapability
    }

    private let content: Content

    /// The people to call; exactly one in an intent of the host.
    open var contacts: [INPerson]? { content.contacts }
    /// The kind of call; never `unknown` in an intent of the host.
    open var callCapability: INCallCapability { content.capability }
    /// The destination that `init` received; `normal` in an intent of the host.
    open var destinationType: INCallDestinationType { content.destination }
    /// The route that `init` received; `unknown` in an intent of the host.
    open var audioRoute: INCallAudioRoute { content.route }
    /// The filter that `init` received; nil in an intent of the host.
    open var callRecordFilter: INCallRecordFilter? { content.filter }
    /// The call that `init` received; nil in an intent of the host.
    open var callRecordToCallBack: INCallRecord? { content.record }

    /// Makes an intent with the destination `normal`. Apple's initializer has more parameters.
    public convenience init(contacts: [INPerson]?, callCapability: INCallCapability) {
        self.init(
            callRecordFilter: nil, callRecordToCallBack: nil, audioRoute: .unknown,
            destinationType: .normal, contacts: contacts, callCapability: callCapability)
    }

    /// Stores the arguments unchanged.
    public init(
        callRecordFilter: INCallRecordFilter?, callRecordToCallBack: INCallRecord?,
        audioRoute: INCallAudioRoute, destinationType: INCallDestinationType,
        contacts: [INPerson]?, callCapability: INCallCapability
    ) {
        content = Content(
            filter: callRecordFilter, record: callRecordToCallBack, route: audioRoute,
            destination: destinationType, contacts: contacts, capability: callCapability)
    }
}

/// An intent to start an audio call, as apps received it before iOS 13. The host sends it to an app
/// that declined the activity with the `INStartCallIntent`.
open class INStartAudioCallIntent: INIntent {
    private let content: (contacts: [INPerson]?, destination: INCallDestinationType)

    /// The people to call; exactly one in an intent of the host.
    open var contacts: [INPerson]? { content.contacts }
    /// The destination that `init` received; `normal` in an intent of the host.
    open var destinationType: INCallDestinationType { content.destination }

    /// Stores both arguments unchanged.
    public init(destinationType: INCallDestinationType, contacts: [INPerson]?) {
        content = (contacts, destinationType)
    }

    /// Makes an intent with the destination `normal`.
    public convenience init(contacts: [INPerson]?) {
        self.init(destinationType: .normal, contacts: contacts)
    }
}

/// An intent to start a video call, as apps received it before iOS 13. The host sends it to an app
/// that declined the activity with the `INStartCallIntent`.
open class INStartVideoCallIntent: INIntent {
    private let people: [INPerson]?

    /// The people to call; exactly one in an intent of the host.
    open var contacts: [INPerson]? { people }

    /// Stores the people unchanged.
    public init(contacts: [INPerson]?) {
        people = contacts
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The activity type of an activity with an `INStartAudioCallIntent`.
public let INStartAudioCallIntentIdentifier = "INStartAudioCallIntent"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The activity type of an activity with an `INStartVideoCallIntent`.
public let INStartVideoCallIntentIdentifier = "INStartVideoCallIntent"
