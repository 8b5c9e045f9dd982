internal import CallModel

/// The address of the other side of a call. It is immutable, and two are equal if type and value
/// are.
open class CXHandle: NSObject, NSCopying, NSSecureCoding {
    /// The kind of an address. Raw values are Apple's, as in PyObjC.
    public enum HandleType: Int, Sendable {
        /// Any other address, such as a user name or a SIP URI.
        case generic = 1
        /// A telephone number. One without a country code belongs to the region of the host's
        /// policy.
        case phoneNumber = 2
        /// An e-mail address.
        case emailAddress = 3
    }

    private let address: (type: HandleType, value: String)

    /// The kind of the address.
    open var type: HandleType { address.type }
    /// The number or address. Other programs receive at most 256 bytes of it, this app all. An
    /// empty one stands for an unknown caller.
    open var value: String { address.value }

    /// Makes an address. The value is checked when it is sent to the broker.
    public init(type: HandleType, value: String) {
        address = (type, value)
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Decodes an address that `encode(with:)` wrote; nil if its value is missing or its type
    /// unknown.
    public required init?(coder: NSCoder) {
        guard let type = HandleType(rawValue: coder.decodeInteger(forKey: "type")),
            let value = coder.decodeObject(of: NSString.self, forKey: "value")
        else { return nil }
        address = (type, String(describing: value))
    }

    /// Encodes type and value.
    open func encode(with coder: NSCoder) {
        coder.encode(type.rawValue, forKey: "type")
        coder.encode(NSString(string: value), forKey: "value")
    }

    /// Returns this object, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any {
        self
    }

    /// The class and the kind. The value is not part of it, because descriptions end up in logs.
    open override var description: String {
        described(["type": type, "value": "(private)"])
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
        let value = LongTexts.shared.whole(handle.value)
        switch handle.kind {
        case .phone: self.init(type: .phoneNumber, value: value)
        case .email: self.init(type: .emailAddress, value: value)
        case .generic, .other: self.init(type: .generic, value: value)
        }
    }

    /// The broker's form of the address. The protocol has no empty addresses, and no long ones.
    var handle: Handle {
        value.isEmpty
            ? .unknownCaller : Handle(kind: type.kind, value: LongTexts.shared.short(value))
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
    /// The caller that an app did not name.
    static let unknownCaller = Handle(kind: .generic, value: "unknown")
}
