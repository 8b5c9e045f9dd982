/// A condition under which a notification is shown.
open class UNNotificationTrigger: NSObject, @unchecked Sendable {
    /// Whether the notification is shown again and again.
    open var repeats: Bool { false }

    override init() {
        super.init()
    }
}

/// A time after which a notification is shown. The time runs while the program does.
open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    private let facts: (interval: TimeInterval, repeats: Bool)

    /// The time in seconds.
    open var timeInterval: TimeInterval { facts.interval }
    /// Whether the notification is shown again after each such time.
    override open var repeats: Bool { facts.repeats }

    /// Makes a trigger.
    ///
    /// - Parameters:
    ///   - timeInterval: in seconds; at least a hundredth is used.
    ///   - repeats: true to show the notification again after each such time.
    public init(timeInterval: TimeInterval, repeats: Bool) {
        facts = (max(timeInterval, 0.01), repeats)
        super.init()
    }

    /// Returns the date at which the notification would be shown if it were added now.
    open func nextTriggerDate() -> Date? {
        Date(timeIntervalSinceNow: timeInterval)
    }
}

/// A notification to show. It is immutable.
open class UNNotificationRequest: NSObject, @unchecked Sendable {
    private let facts: (id: String, content: UNNotificationContent, trigger: UNNotificationTrigger?)

    /// The id, by which the notification is replaced and removed.
    open var identifier: String { facts.id }
    /// A copy of the content that `init` received.
    open var content: UNNotificationContent { facts.content }
    /// The condition; nil to show the notification at once.
    open var trigger: UNNotificationTrigger? { facts.trigger }

    /// Makes a request with a copy of the content.
    public init(
        identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?
    ) {
        let copy = content.copy() as? UNNotificationContent
        facts = (identifier, copy ?? content, trigger)
    }
}

/// A notification that was shown. It is immutable.
open class UNNotification: NSObject, @unchecked Sendable {
    private let facts: (date: Date, request: UNNotificationRequest)

    /// The date at which it was shown.
    open var date: Date { facts.date }
    /// The request that it was made of.
    open var request: UNNotificationRequest { facts.request }

    init(_ request: UNNotificationRequest) {
        facts = (Date(), request)
    }
}

/// The user's response to a notification. It is immutable.
open class UNNotificationResponse: NSObject, @unchecked Sendable {
    private let facts: (action: String, notification: UNNotification)

    /// The id of the button, `UNNotificationDefaultActionIdentifier` or
    /// `UNNotificationDismissActionIdentifier`.
    open var actionIdentifier: String { facts.action }
    /// The notification.
    open var notification: UNNotification { facts.notification }

    init(_ action: String, to notification: UNNotification) {
        facts = (action, notification)
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The action of a user who chose the notification itself.
public let UNNotificationDefaultActionIdentifier =
    "com.apple.UNNotificationDefaultActionIdentifier"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The action of a user who dismissed a notification whose category has `customDismissAction`.
public let UNNotificationDismissActionIdentifier =
    "com.apple.UNNotificationDismissActionIdentifier"

/// A button of a notification. It is immutable.
open class UNNotificationAction: NSObject, @unchecked Sendable {
    private let facts: (id: String, title: String, options: UNNotificationActionOptions)

    /// The id, which the response has.
    open var identifier: String { facts.id }
    /// The text of the button.
    open var title: String { facts.title }
    /// The options, which affect nothing here.
    open var options: UNNotificationActionOptions { facts.options }

    /// Makes a button.
    public init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
        facts = (identifier, title, options)
    }
}

/// Options of a button. None affects anything here.
public struct UNNotificationActionOptions: OptionSet, Sendable {
    /// The bits, with Apple's values, as in PyObjC.
    public let rawValue: UInt

    /// Accepts any bits, unnamed ones included.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The device must be unlocked.
    public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1)
    /// The button is red.
    public static let destructive = UNNotificationActionOptions(rawValue: 2)
    /// The app comes to the front.
    public static let foreground = UNNotificationActionOptions(rawValue: 4)
}

/// A kind of notification with its buttons. It is immutable.
open class UNNotificationCategory: NSObject, @unchecked Sendable {
    private let facts:
        (id: String, actions: [UNNotificationAction], options: UNNotificationCategoryOptions)

    /// The id, which a content names.
    open var identifier: String { facts.id }
    /// The buttons.
    open var actions: [UNNotificationAction] { facts.actions }
    /// The options.
    open var options: UNNotificationCategoryOptions { facts.options }

    /// Makes a kind of notification.
    ///
    /// - Parameter intentIdentifiers: ignored.
    public init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        options: UNNotificationCategoryOptions = []
    ) {
        facts = (identifier, actions, options)
    }
}

/// Options of a kind of notification.
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
    /// The bits, with Apple's values, as in PyObjC.
    public let rawValue: UInt

    /// Accepts any bits, unnamed ones included.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The app receives a response when the user dismisses the notification.
    public static let customDismissAction = UNNotificationCategoryOptions(rawValue: 1)
    /// The notification may be shown in a car; affects nothing here.
    public static let allowInCarPlay = UNNotificationCategoryOptions(rawValue: 2)
}
