internal import CallModel

/// A remote address: whom a call is with. It does not change.
open class CXHandle: NSObject, NSCopying, NSSecureCoding {
    /// What kind of address it is.
    public enum HandleType: Int, Sendable {
        case generic = 1
        case phoneNumber = 2
        case emailAddress = 3
    }

    private let address: (type: HandleType, value: String)

    open var type: HandleType { address.type }
    /// The number or address; the broker takes 1 to 256 bytes.
    open var value: String { address.value }

    public init(type: HandleType, value: String) {
        address = (type, value)
    }

    public static var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let type = HandleType(rawValue: coder.decodeInteger(forKey: "type")),
            let value = coder.decodeObject(of: NSString.self, forKey: "value")
        else { return nil }
        address = (type, String(describing: value))
    }

    open func encode(with coder: NSCoder) {
        coder.encode(type.rawValue, forKey: "type")
        coder.encode(NSString(string: value), forKey: "value")
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        self
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CXHandle else { return false }
        return other.type == type && other.value == value
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(type)
        hasher.combine(value)
        return hasher.finalize()
    }
}

extension CXHandle {
    convenience init(_ handle: Handle) {
        switch handle.kind {
        case .phone: self.init(type: .phoneNumber, value: handle.value)
        case .email: self.init(type: .emailAddress, value: handle.value)
        case .generic, .other: self.init(type: .generic, value: handle.value)
        }
    }

    /// As the broker knows it. It has no empty addresses.
    var handle: Handle {
        value.isEmpty ? .nobody : Handle(kind: type.kind, value: value)
    }
}

extension CXHandle.HandleType {
    var kind: Handle.Kind {
        switch self {
        case .generic: .generic
        case .phoneNumber: .phone
        case .emailAddress: .email
        }
    }
}

extension Handle {
    /// Who calls, where an app does not say.
    static let nobody = Handle(kind: .generic, value: "unknown")
}
