internal import Intents
internal import Synchronization

/// The program, as far as call code asks something of it: who hears what the user wants of the app,
/// and time to finish what it is at. A program here is not stopped when nobody looks at it, so a
/// background task lasts until it is ended.
open class UIApplication: NSObject, @unchecked Sendable {
    private static let instance = UIApplication()
    private let lastTask = Atomic<Int>(0)
    // The lock guards the delegate.
    private let lock = NSLock()
    private weak var listener: (any UIApplicationDelegate)?

    open class var shared: UIApplication { instance }

    /// Who hears of the calls that the user asks for elsewhere, on the main queue, which must be
    /// running. Held weakly: the app keeps it, and sets it before its first `CXProvider` is made.
    open var delegate: (any UIApplicationDelegate)? {
        get { lock.withLock { listener } }
        set {
            lock.withLock { listener = newValue }
            ActivityDoor.shared.open(newValue == nil ? nil : UIApplication.hand)
        }
    }

    /// The handler is never called.
    open func beginBackgroundTask(
        expirationHandler: (@Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        beginBackgroundTask(withName: nil, expirationHandler: expirationHandler)
    }

    /// The handler is never called.
    open func beginBackgroundTask(
        withName name: String?, expirationHandler: (@Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        UIBackgroundTaskIdentifier(rawValue: lastTask.add(1, ordering: .relaxed).newValue)
    }

    open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
}

/// Names a background task.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

/// The host.
open class UIDevice: NSObject, @unchecked Sendable {
    private static let instance = UIDevice()

    open class var current: UIDevice { instance }

    /// That of the host in its network.
    open var name: String { ProcessInfo.processInfo.hostName }
    open var model: String { "Linux" }
    open var systemName: String { "Linux" }

    /// The kernel's.
    open var systemVersion: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    }

    /// Without a sensor it stays false, as on a device that has none.
    open var isProximityMonitoringEnabled: Bool {
        get { false }
        set {}
    }
}
