/// The rights of a connection, which may have several roles.
package enum Role: String, CaseIterable, Sendable {
    /// Registers, reports calls, performs actions.
    case provider
    /// Requests transactions, lists calls.
    case controller
    /// Subscribes and lists.
    case observer
    /// Decides on incoming calls before they ring.
    case screener
    /// Looks up names and block lists.
    case directory
    /// Presents calls to the user.
    case ui
    /// Reports the audio endpoints of the host, and uses the one that the user chooses.
    case audio
    /// Plugins, policy, limits, shutdown.
    case admin

    /// True if a client needs an identity for this role.
    package var needsIdentity: Bool {
        switch self {
        case .provider, .screener, .directory, .ui: true
        case .controller, .observer, .audio, .admin: false
        }
    }
}

/// A set of roles.
package struct RoleSet: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package init(_ role: Role) {
        switch role {
        case .provider: self.init(rawValue: 1)
        case .controller: self.init(rawValue: 2)
        case .observer: self.init(rawValue: 4)
        case .screener: self.init(rawValue: 8)
        case .directory: self.init(rawValue: 16)
        case .ui: self.init(rawValue: 32)
        case .admin: self.init(rawValue: 64)
        case .audio: self.init(rawValue: 128)
        }
    }

    package static let provider = RoleSet(.provider)
    package static let controller = RoleSet(.controller)
    package static let observer = RoleSet(.observer)
    package static let screener = RoleSet(.screener)
    package static let directory = RoleSet(.directory)
    package static let ui = RoleSet(.ui)
    package static let audio = RoleSet(.audio)
    package static let admin = RoleSet(.admin)
    package static let all = RoleSet(Role.allCases.map { RoleSet($0) })
    /// The roles that may request actions.
    package static let asking: RoleSet = [.controller, .ui]
    /// The roles that may list calls.
    package static let watching: RoleSet = [.controller, .observer, .ui]

    /// The roles in the set, in the order of their declaration.
    package var roles: [Role] {
        Role.allCases.filter { contains(RoleSet($0)) }
    }
}
