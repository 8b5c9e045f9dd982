@_exported public import Foundation

/// The content of a notification. It is immutable; see `UNMutableNotificationContent`.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    struct Facts {
        var title = ""
        var subtitle = ""
        var body = ""
        var badge: NSNumber?
        var sound: UNNotificationSound?
        var userInfo: [AnyHashable: Any] = [:]
        var categoryIdentifier = ""
        var threadIdentifier = ""
        var interruptionLevel = UNNotificationInterruptionLevel.active
        var relevanceScore = 0.0
    }

    // Changed by the mutable subclass only, whose owner sends it nowhere before a copy is made.
    var facts = Facts()

    /// The first line, which the desktop shows as the summary.
    open var title: String { facts.title }
    /// The second line, which the desktop shows in front of the body.
    open var subtitle: String { facts.subtitle }
    /// The text.
    open var body: String { facts.body }
    /// A number for the app's icon, for the app's own use: desktops have no such badge.
    open var badge: NSNumber? { facts.badge }
    /// The sound; nil for none. The desktop chooses which one it is.
    open var sound: UNNotificationSound? { facts.sound }
    /// Values for the app's own use.
    open var userInfo: [AnyHashable: Any] { facts.userInfo }
    /// The id of the category that has the buttons.
    open var categoryIdentifier: String { facts.categoryIdentifier }
    /// The id of a conversation, for the app's own use.
    open var threadIdentifier: String { facts.threadIdentifier }
    /// The urgency.
    open var interruptionLevel: UNNotificationInterruptionLevel { facts.interruptionLevel }
    /// The rank among other notifications, for the app's own use.
    open var relevanceScore: Double { facts.relevanceScore }

    /// Makes an empty content.
    override public init() {
        super.init()
    }

    /// Returns the content itself, or an immutable copy of a mutable one.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = UNNotificationContent()
        copy.facts = facts
        return copy
    }

    /// Returns a copy that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        let copy = UNMutableNotificationContent()
        copy.facts = facts
        return copy
    }
}

/// The content of a notification that an app makes.
open class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
    /// The first line, which the desktop shows as the summary.
    override open var title: String {
        get { facts.title }
        set { facts.title = newValue }
    }
    /// The second line, which the desktop shows in front of the body.
    override open var subtitle: String {
        get { facts.subtitle }
        set { facts.subtitle = newValue }
    }
    /// The text.
    override open var body: String {
        get { facts.body }
        set { facts.body = newValue }
    }
    /// A number for the app's icon, for the app's own use: desktops have no such badge.
    override open var badge: NSNumber? {
        get { facts.badge }
        set { facts.badge = newValue }
    }
    /// The sound; nil for none. The desktop chooses which one it is.
    override open var sound: UNNotificationSound? {
        get { facts.sound }
        set { facts.sound = newValue }
    }
    /// Values for the app's own use.
    override open var userInfo: [AnyHashable: Any] {
        get { facts.userInfo }
        set { facts.userInfo = newValue }
    }
    /// The id of the category that has the buttons.
    override open var categoryIdentifier: String {
        get { facts.categoryIdentifier }
        set { facts.categoryIdentifier = newValue }
    }
    /// The id of a conversation, for the app's own use.
    override open var threadIdentifier: String {
        get { facts.threadIdentifier }
        set { facts.threadIdentifier = newValue }
    }
    /// The urgency.
    override open var interruptionLevel: UNNotificationInterruptionLevel {
        get { facts.interruptionLevel }
        set { facts.interruptionLevel = newValue }
    }
    /// The rank among other notifications, for the app's own use.
    override open var relevanceScore: Double {
        get { facts.relevanceScore }
        set { facts.relevanceScore = newValue }
    }
}

/// The urgency of a notification. Raw values are Apple's, as in PyObjC.
public enum UNNotificationInterruptionLevel: UInt, Sendable {
    /// Of low urgency for the desktop.
    case passive = 0
    /// Of normal urgency for the desktop.
    case active = 1
    /// Of normal urgency for the desktop.
    case timeSensitive = 2
    /// Of critical urgency for the desktop, which shows it until it is dismissed.
    case critical = 3
}

/// The sound of a notification. Whichever it is, the desktop plays its own.
open class UNNotificationSound: NSObject, @unchecked Sendable {
    /// The usual sound.
    open class var `default`: UNNotificationSound {
        UNNotificationSound(named: .init(rawValue: ""))
    }
    /// The sound of a call; no other than the usual one here.
    open class var defaultRingtone: UNNotificationSound { .default }
    /// The sound of a critical alert; no other than the usual one here.
    open class var defaultCritical: UNNotificationSound { .default }

    /// Makes a sound of the app's. The name is not looked up.
    public init(named name: UNNotificationSoundName) {
        super.init()
    }
}

/// The name of a sound.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
    /// The name of a file.
    public let rawValue: String

    /// Accepts any string.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Accepts any string.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
