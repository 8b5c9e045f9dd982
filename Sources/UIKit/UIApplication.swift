internal import Intents
internal import Synchronization

/// The program, as far as call code uses it: its delegate, its state, links, and background tasks.
/// Linux does not suspend a program without a visible window, so a background
/// task lasts until it is ended. Every member may be used from any thread.
open class UIApplication: NSObject, @unchecked Sendable {
    private static let instance = UIApplication()
    private let lastTask = Atomic<Int>(0)
    // The lock guards the delegate.
    private let lock = NSLock()
    private weak var listener: (any UIApplicationDelegate)?
    private var state = State.active
    private var isIdleTimerOff = false

    /// The one application object of the process. It exists from its first use, also in a program
    /// without `UIApplicationMain`.
    open class var shared: UIApplication { instance }

    /// The delegate that receives the calls requested outside the app, on the main queue, which
    /// must be running. It is held weakly, so the app keeps it alive. Set it before making the
    /// first `CXProvider`: until then a start is performed by the provider's delegate instead.
    open var delegate: (any UIApplicationDelegate)? {
        get { lock.withLock { listener } }
        set {
            lock.withLock { listener = newValue }
            ActivityDoor.shared.open(newValue == nil ? nil : UIApplication.hand)
        }
    }

    /// `inactive` during the launch, then `active`: programs on Linux are not suspended.
    open var applicationState: State { lock.withLock { state } }

    func setState(_ state: State) {
        lock.withLock { self.state = state }
    }

    /// The value set last; false at first. It affects nothing: a desktop has inhibitors for that.
    open var isIdleTimerDisabled: Bool {
        get { lock.withLock { isIdleTimerOff } }
        set { lock.withLock { isIdleTimerOff = newValue } }
    }

    /// The value for "no end": background tasks do not expire here.
    open var backgroundTimeRemaining: TimeInterval { .greatestFiniteMagnitude }

    /// Always `available`: programs on Linux are not suspended.
    open var backgroundRefreshStatus: BackgroundRefreshStatus { .available }

    /// Always false: there is no Apple Push Notification service here.
    open var isRegisteredForRemoteNotifications: Bool { false }

    /// Has the delegate's `didFailToRegisterForRemoteNotificationsWithError` called, because there
    /// is no Apple Push Notification service here.
    open func registerForRemoteNotifications() {
        let error = CocoaError(.featureUnsupported)
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                self.delegate?.application(
                    self, didFailToRegisterForRemoteNotificationsWithError: error)
            }
        }
    }

    /// Has no effect.
    open func unregisterForRemoteNotifications() {}

    /// Returns a fresh identifier, and has no other effect.
    ///
    /// - Parameter expirationHandler: never called, because tasks do not expire here.
    open func beginBackgroundTask(
        expirationHandler: (@Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        beginBackgroundTask(withName: nil, expirationHandler: expirationHandler)
    }

    /// Returns a fresh identifier, and has no other effect.
    ///
    /// - Parameters:
    ///   - name: ignored.
    ///   - expirationHandler: never called, because tasks do not expire here.
    open func beginBackgroundTask(
        withName name: String?, expirationHandler: (@Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        UIBackgroundTaskIdentifier(rawValue: lastTask.add(1, ordering: .relaxed).newValue)
    }

    /// Has no effect, with whichever identifier.
    open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
}

/// The identifier of a background task.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    /// The number of the task: 1 for the first of the process, 0 for `invalid`.
    public let rawValue: Int

    /// Makes an identifier of any number; the application does not check it.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The value for "no task". `beginBackgroundTask` never returns it.
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

/// The host that the program runs on.
open class UIDevice: NSObject, @unchecked Sendable {
    private static let instance = UIDevice()

    /// The one device object of the process.
    open class var current: UIDevice { instance }

    /// The host name in the network.
    open var name: String { ProcessInfo.processInfo.hostName }
    /// Always `Linux`.
    open var model: String { "Linux" }
    /// Always `Linux`.
    open var systemName: String { "Linux" }

    /// The version of the kernel, such as `6.8.0`.
    open var systemVersion: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    }

    /// Always false, also after it was set to true, as on an Apple device without the sensor.
    open var isProximityMonitoringEnabled: Bool {
        get { false }
        set {}
    }
}
