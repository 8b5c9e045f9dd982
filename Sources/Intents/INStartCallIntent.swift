@_exported public import Foundation

/// What kind of address a person has.
public enum INPersonHandleType: Int, Sendable {
    case unknown = 0
    case emailAddress = 1
    case phoneNumber = 2
}

/// An address of a person.
open class INPersonHandle: NSObject {
    public let value: String?
    public let type: INPersonHandleType

    public init(value: String?, type: INPersonHandleType) {
        self.value = value
        self.type = type
    }
}

/// Somebody to call. What is given is kept.
open class INPerson: NSObject {
    public let personHandle: INPersonHandle?
    public let nameComponents: PersonNameComponents?
    public let displayName: String
    public let contactIdentifier: String?
    public let customIdentifier: String?

    public init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
        contactIdentifier: String?, customIdentifier: String?
    ) {
        self.personHandle = personHandle
        self.nameComponents = nameComponents
        self.displayName = displayName ?? personHandle.value ?? ""
        self.contactIdentifier = contactIdentifier
        self.customIdentifier = customIdentifier
    }
}

/// Something that a user wants from an app.
open class INIntent: NSObject {}

public enum INCallCapability: Int, Sendable {
    case unknown = 0
    case audioCall = 1
    case videoCall = 2
}

/// A call that a user wants to make. The host sends none to an app: a user dials with a controller,
/// and the app gets a `CXStartCallAction`.
open class INStartCallIntent: INIntent {
    public let contacts: [INPerson]?
    public let callCapability: INCallCapability

    public init(contacts: [INPerson]?, callCapability: INCallCapability) {
        self.contacts = contacts
        self.callCapability = callCapability
    }
}

/// What an app did, told to the host so that it can suggest it again.
open class INInteraction: NSObject {
    public let intent: INIntent

    public init(intent: INIntent, response: NSObject?) {
        self.intent = intent
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
