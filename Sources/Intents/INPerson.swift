@_exported public import Foundation

/// What kind of address a person has.
public enum INPersonHandleType: Int, Sendable {
    case unknown = 0
    case emailAddress = 1
    case phoneNumber = 2
}

/// An address of a person.
open class INPersonHandle: NSObject {
    open var value: String? { address.value }
    open var type: INPersonHandleType { address.type }
    private let address: (value: String?, type: INPersonHandleType)

    public init(value: String?, type: INPersonHandleType) {
        address = (value, type)
    }
}

/// A picture of a person. It is not decoded, and nobody shows it.
open class INImage: NSObject {
    private let data: Data

    public init(imageData: Data) {
        data = imageData
    }
}

/// Somebody to call. What is given is kept.
open class INPerson: NSObject {
    private struct Facts {
        let handle: INPersonHandle
        let nameComponents: PersonNameComponents?
        let displayName: String
        let image: INImage?
        let contactIdentifier: String?
        let customIdentifier: String?
    }

    private let facts: Facts

    open var personHandle: INPersonHandle? { facts.handle }
    open var nameComponents: PersonNameComponents? { facts.nameComponents }
    open var displayName: String { facts.displayName }
    open var image: INImage? { facts.image }
    open var contactIdentifier: String? { facts.contactIdentifier }
    open var customIdentifier: String? { facts.customIdentifier }

    public init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
        image: INImage?, contactIdentifier: String?, customIdentifier: String?
    ) {
        facts = Facts(
            handle: personHandle, nameComponents: nameComponents,
            displayName: displayName ?? personHandle.value ?? "", image: image,
            contactIdentifier: contactIdentifier, customIdentifier: customIdentifier)
    }

    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
        contactIdentifier: String?, customIdentifier: String?
    ) {
        self.init(
            personHandle: personHandle, nameComponents: nameComponents, displayName: displayName,
            image: nil, contactIdentifier: contactIdentifier, customIdentifier: customIdentifier)
    }
}
