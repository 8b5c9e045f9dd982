/// A remote address: whom a call is with.
public struct Handle: Hashable, Sendable {
    /// What kind of address it is. Open: an app may have kinds of its own.
    public enum Kind: Hashable, Sendable {
        case phone
        case email
        case generic
        case other(String)

        public init(name: String) {
            switch name {
            case "phone": self = .phone
            case "email": self = .email
            case "generic": self = .generic
            default: self = .other(name)
            }
        }

        public var name: String {
            switch self {
            case .phone: "phone"
            case .email: "email"
            case .generic: "generic"
            case .other(let name): name
            }
        }
    }

    /// Bytes of a value at most.
    public static let valueBytesMax = 256

    public let kind: Kind
    public let value: String

    public init(kind: Kind, value: String) {
        self.kind = kind
        self.value = value
    }
}
