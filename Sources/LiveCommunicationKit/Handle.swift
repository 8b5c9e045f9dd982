internal import CallKit

/// A way to reach a member of a conversation, such as a telephone number.
public struct Handle: Hashable, Codable, Sendable {
    /// The kinds of handles. Apple does not publish the raw values.
    public enum Kind: Int, Hashable, Codable, Sendable {
        /// Any other address, such as a user name or a SIP URI.
        case generic
        /// A telephone number. One without a country code belongs to the region of the host's
        /// policy.
        case phoneNumber
        /// An e-mail address.
        case emailAddress
    }

    /// The kind of the handle.
    public var type: Kind
    /// The number or address. Other programs receive at most 256 bytes of it, this app all.
    public var value: String
    /// The name that the host shows if no contact has the handle.
    public var displayName: String

    /// Makes a handle.
    ///
    /// - Parameters:
    ///   - type: the kind of the handle.
    ///   - value: the number or address; it is checked when it is reported or called.
    ///   - displayName: the name to show; nil stands for the value.
    public init(type: Kind, value: String, displayName: String? = nil) {
        (self.type, self.value, self.displayName) = (type, value, displayName ?? value)
    }
}

extension Handle: CustomStringConvertible, CustomDebugStringConvertible {
    /// The kind. Value and name are not part of it, because descriptions end up in logs.
    public var description: String { "Handle(type: \(type), value: (private))" }
    /// The same as `description`.
    public var debugDescription: String { description }
}

extension Handle {
    init(_ handle: CXHandle) {
        self.init(type: Kind(handle.type), value: handle.value)
    }

    var callKit: CXHandle {
        CXHandle(type: type.callKit, value: value)
    }

    /// The name that the app has given, unless it is only the value.
    var ownName: String? {
        displayName == value || displayName.isEmpty ? nil : displayName
    }
}

extension Handle.Kind {
    init(_ type: CXHandle.HandleType) {
        switch type {
        case .generic: self = .generic
        case .phoneNumber: self = .phoneNumber
        case .emailAddress: self = .emailAddress
        }
    }

    var callKit: CXHandle.HandleType {
        switch self {
        case .generic: .generic
        case .phoneNumber: .phoneNumber
        case .emailAddress: .emailAddress
        }
    }
}
