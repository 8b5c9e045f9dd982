/// A remote address, such as a phone number (CallKit's `CXHandle`).
public struct Handle: Hashable, Sendable {
    /// Kinds of address. The set is open: an app may define kinds of its own.
    public enum Kind: Hashable, Sendable {
        /// A phone number.
        case phone
        /// An email address.
        case email
        /// An address of no particular kind, such as a user name.
        case generic
        /// A kind defined by an app, by its name on the wire.
        case other(String)

        /// Creates a kind from its name on the wire. Every name is valid.
        public init(name: String) {
            switch name {
            case "phone": self = .phone
            case "email": self = .email
            case "generic": self = .generic
            default: self = .other(name)
            }
        }

        /// The name on the wire.
        public var name: String {
            switch self {
            case .phone: "phone"
            case .email: "email"
            case .generic: "generic"
            case .other(let name): name
            }
        }
    }

    /// The maximum length of a value, in bytes of UTF-8.
    public static let valueBytesMax = 256

    /// The kind of address.
    public let kind: Kind
    /// The address itself, as the app or the user wrote it.
    public let value: String

    /// Creates an address.
    public init(kind: Kind, value: String) {
        self.kind = kind
        self.value = value
    }
}
