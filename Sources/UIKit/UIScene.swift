/// Named by the app delegates of Xcode's template. There are no scenes: what a scene's delegate would
/// receive comes to the app's delegate.
@MainActor
open class UIScene: NSObject {
    /// What a scene would receive when it connects. There are no objects of it.
    @MainActor
    open class ConnectionOptions: NSObject {
        override private init() {}
    }
}

/// Named by the app delegates of Xcode's template. There are no sessions of scenes.
open class UISceneSession: NSObject, @unchecked Sendable {
    /// The purpose of a scene.
    public struct Role: RawRepresentable, Hashable, Sendable {
        /// Apple's string constant.
        public let rawValue: String

        /// Accepts any string.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A window of the app.
        public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
    }

    /// Always that of a window.
    open var role: Role { .windowApplication }

    override private init() {}
}

/// What an app delegate returns for a scene. It is never asked.
open class UISceneConfiguration: NSObject {
    private let facts: (name: String?, role: UISceneSession.Role)

    /// The name that `init` received.
    open var name: String? { facts.name }
    /// The role that `init` received.
    open var role: UISceneSession.Role { facts.role }

    /// Stores both arguments unchanged.
    public init(name: String?, sessionRole: UISceneSession.Role) {
        facts = (name, sessionRole)
    }
}
