/// Something that a user wants from an app.
open class INIntent: NSObject {}

/// What an app answered to an intent.
open class INIntentResponse: NSObject {}

public enum INCallCapability: Int, Sendable {
    case unknown = 0
    case audioCall = 1
    case videoCall = 2
}

public enum INCallDestinationType: Int, Sendable {
    case unknown = 0
    case normal = 1
    case emergency = 2
    case voicemail = 3
    case redial = 4
    case callBack = 5
}

/// A call that a user wants to make. An app that has a `UIApplicationDelegate` gets one for each
/// call that is asked for elsewhere, with the tool, a link or the history, in an activity of the
/// type `INStartCallIntent`: one contact, whose handle is the address.
open class INStartCallIntent: INIntent {
    private let wish: (contacts: [INPerson]?, capability: INCallCapability)

    open var contacts: [INPerson]? { wish.contacts }
    open var callCapability: INCallCapability { wish.capability }
    open var destinationType: INCallDestinationType { .normal }

    public init(contacts: [INPerson]?, callCapability: INCallCapability) {
        wish = (contacts, callCapability)
    }
}

/// The same, as it was before there was one intent for both. The app gets it if it does not see to
/// the newer one.
open class INStartAudioCallIntent: INIntent {
    private let wish: (contacts: [INPerson]?, destination: INCallDestinationType)

    open var contacts: [INPerson]? { wish.contacts }
    open var destinationType: INCallDestinationType { wish.destination }

    public init(destinationType: INCallDestinationType, contacts: [INPerson]?) {
        wish = (contacts, destinationType)
    }

    public convenience init(contacts: [INPerson]?) {
        self.init(destinationType: .normal, contacts: contacts)
    }
}

/// The same, for a call with a picture.
open class INStartVideoCallIntent: INIntent {
    private let people: [INPerson]?

    open var contacts: [INPerson]? { people }

    public init(contacts: [INPerson]?) {
        people = contacts
    }
}

// The names are those that apps know.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let INStartAudioCallIntentIdentifier = "INStartAudioCallIntent"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let INStartVideoCallIntentIdentifier = "INStartVideoCallIntent"
