/// What an app wants to do with notifications.
public struct UNAuthorizationOptions: OptionSet, Sendable {
    /// The bits, with Apple's values, as in PyObjC.
    public let rawValue: UInt

    /// Accepts any bits, unnamed ones included.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// A number on the app's icon.
    public static let badge = UNAuthorizationOptions(rawValue: 1)
    /// A sound.
    public static let sound = UNAuthorizationOptions(rawValue: 2)
    /// A notification.
    public static let alert = UNAuthorizationOptions(rawValue: 4)
    /// Notifications in a car.
    public static let carPlay = UNAuthorizationOptions(rawValue: 8)
    /// Critical alerts.
    public static let criticalAlert = UNAuthorizationOptions(rawValue: 16)
    /// A way to the app's own settings.
    public static let providesAppNotificationSettings = UNAuthorizationOptions(rawValue: 32)
    /// Quiet notifications, without asking.
    public static let provisional = UNAuthorizationOptions(rawValue: 64)
}

/// Whether an app may show notifications. Raw values are Apple's, as in PyObjC.
public enum UNAuthorizationStatus: Int, Sendable {
    /// The user was not asked; never returned here.
    case notDetermined = 0
    /// The session has no server of notifications.
    case denied = 1
    /// The session has a server of notifications.
    case authorized = 2
    /// Quiet notifications only; never returned here.
    case provisional = 3
    /// For a while only; never returned here.
    case ephemeral = 4
}

/// Whether notifications may have something. Raw values are Apple's, as in PyObjC.
public enum UNNotificationSetting: Int, Sendable {
    /// The host has no such thing.
    case notSupported = 0
    /// Without a server of notifications.
    case disabled = 1
    /// With a server of notifications.
    case enabled = 2
}

/// What an app may do with notifications. The user's own choice, such as do-not-disturb, is the
/// desktop's affair, and is not here.
open class UNNotificationSettings: NSObject, @unchecked Sendable {
    private let hasServer: Bool

    /// `authorized` if the session has a server of notifications, otherwise `denied`.
    open var authorizationStatus: UNAuthorizationStatus { hasServer ? .authorized : .denied }
    /// `enabled` if the session has a server of notifications.
    open var alertSetting: UNNotificationSetting { hasServer ? .enabled : .disabled }
    /// `enabled` if the session has a server of notifications.
    open var soundSetting: UNNotificationSetting { hasServer ? .enabled : .disabled }
    /// Always `notSupported`.
    open var badgeSetting: UNNotificationSetting { .notSupported }

    init(hasServer: Bool) {
        self.hasServer = hasServer
    }
}

/// How a notification is shown.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    /// The bits, with Apple's values, as in PyObjC.
    public let rawValue: UInt

    /// Accepts any bits, unnamed ones included.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// A number on the app's icon; affects nothing here.
    public static let badge = UNNotificationPresentationOptions(rawValue: 1)
    /// A sound.
    public static let sound = UNNotificationPresentationOptions(rawValue: 2)
    /// A notification, by its name before iOS 14.
    public static let alert = UNNotificationPresentationOptions(rawValue: 4)
    /// An entry of the list of notifications.
    public static let list = UNNotificationPresentationOptions(rawValue: 8)
    /// A notification.
    public static let banner = UNNotificationPresentationOptions(rawValue: 16)
}

/// The error of a notification that could not be shown.
public struct UNError: Error, CustomNSError, LocalizedError {
    /// The codes. Raw values are Apple's, as in PyObjC.
    public enum Code: Int, Sendable {
        /// The session has no server of notifications.
        case notificationsNotAllowed = 1
    }

    static let noServer = UNError(code: .notificationsNotAllowed).errorDescription ?? ""

    /// The domain of the error.
    public static var errorDomain: String { "UNErrorDomain" }

    /// The code.
    public let code: Code
    /// The raw value of the code.
    public var errorCode: Int { code.rawValue }
    /// What is missing.
    public var errorDescription: String? {
        "the session has no server of notifications (org.freedesktop.Notifications): start a desktop, "
            + "or a server such as dunst"
    }
}
