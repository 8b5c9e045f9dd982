@_exported public import Foundation

/// The kind of a person's address. Raw values are Apple's, as in PyObjC.
public enum INPersonHandleType: Int, Sendable {
    /// Any other address, such as a SIP URI or a user name; the broker's kind `generic`.
    case unknown = 0
    /// An e-mail address; the broker's kind `email`.
    case emailAddress = 1
    /// A telephone number; the broker's kind `phone`.
    case phoneNumber = 2
}

/// A label of an address in the user's contacts, such as `work`.
public struct INPersonHandleLabel: RawRepresentable, Hashable, Sendable {
    /// Apple's string constant, or a label of the user's own.
    public let rawValue: String

    /// Accepts any string.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// An address at home.
    public static let home = INPersonHandleLabel(rawValue: "_$!<Home>!$_")
    /// An address at work.
    public static let work = INPersonHandleLabel(rawValue: "_$!<Work>!$_")
    /// A mobile telephone.
    public static let mobile = INPersonHandleLabel(rawValue: "_$!<Mobile>!$_")
    /// The main number.
    public static let main = INPersonHandleLabel(rawValue: "_$!<Main>!$_")
    /// Any other address.
    public static let other = INPersonHandleLabel(rawValue: "_$!<Other>!$_")
}

/// An address of a person. It is immutable.
open class INPersonHandle: NSObject {
    /// The label that `init` received; nil in an intent of the host.
    public let label: INPersonHandleLabel?
    /// The number or address, as `init` received it: it is neither checked nor normalized.
    open var value: String? { address.value }
    /// The kind of the address.
    open var type: INPersonHandleType { address.type }
    private let address: (value: String?, type: INPersonHandleType)

    /// Stores both arguments unchanged.
    public init(value: String?, type: INPersonHandleType) {
        address = (value, type)
        label = nil
    }

    /// Stores the arguments unchanged.
    public init(value: String?, type: INPersonHandleType, label: INPersonHandleLabel?) {
        address = (value, type)
        self.label = label
    }
}

/// A picture of a person. It is stored, but neither decoded nor shown.
open class INImage: NSObject {
    private let data: Data

    /// Stores the bytes of a picture in any format, without checking them.
    public init(imageData: Data) {
        data = imageData
    }
}

/// A person to call. The properties return what `init` received.
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

    /// The address to call.
    open var personHandle: INPersonHandle? { facts.handle }
    /// The parts of the name; nil in an intent of the host.
    open var nameComponents: PersonNameComponents? { facts.nameComponents }
    /// The name to show: that of `init`, otherwise the address, otherwise an empty string.
    open var displayName: String { facts.displayName }
    /// A picture of the person; nil in an intent of the host.
    open var image: INImage? { facts.image }
    /// The id of a contact. In an intent of the host it is the contact that the request for the
    /// call named, if any.
    open var contactIdentifier: String? { facts.contactIdentifier }
    /// An id for the app's own use; nil in an intent of the host.
    open var customIdentifier: String? { facts.customIdentifier }

    /// Stores the arguments unchanged.
    ///
    /// - Parameter displayName: nil stands for the value of the handle.
    public init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
        image: INImage?, contactIdentifier: String?, customIdentifier: String?
    ) {
        facts = Facts(
            handle: personHandle, nameComponents: nameComponents,
            displayName: displayName ?? personHandle.value ?? "", image: image,
            contactIdentifier: contactIdentifier, customIdentifier: customIdentifier)
    }

    /// Makes a person without a picture.
    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
        contactIdentifier: String?, customIdentifier: String?
    ) {
        self.init(
            personHandle: personHandle, nameComponents: nameComponents, displayName: displayName,
            image: nil, contactIdentifier: contactIdentifier, customIdentifier: customIdentifier)
    }

    /// Makes a person who may be the user.
    ///
    /// - Parameter isMe: ignored: the host asks nobody to call the user.
    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
        image: INImage?, contactIdentifier: String?, customIdentifier: String?, isMe: Bool
    ) {
        self.init(
            personHandle: personHandle, nameComponents: nameComponents, displayName: displayName,
            image: image, contactIdentifier: contactIdentifier, customIdentifier: customIdentifier)
    }

    /// Makes a person. The other addresses and the kind of suggestion are ignored: the host makes no
    /// suggestions.
    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
        image: INImage?, contactIdentifier: String?, customIdentifier: String?,
        aliases: [INPersonHandle]?, suggestionType: INPersonSuggestionType
    ) {
        self.init(
            personHandle: personHandle, nameComponents: nameComponents, displayName: displayName,
            image: image, contactIdentifier: contactIdentifier, customIdentifier: customIdentifier)
    }
}

/// The kind of a suggestion. The host makes none. Raw values are Apple's, as in PyObjC.
public enum INPersonSuggestionType: Int, Sendable {
    /// No suggestion.
    case none = 0
    /// A profile of a social network.
    case socialProfile = 1
    /// An address for messages.
    case instantMessageAddress = 2
}
