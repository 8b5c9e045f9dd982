internal import Synchronization

/// The program, as far as call code asks something of it: time to finish what it is at. A program
/// here is not stopped when nobody looks at it, so a background task lasts until it is ended.
open class UIApplication: NSObject, @unchecked Sendable {
    private static let instance = UIApplication()
    private let lastTask = Atomic<Int>(0)

    open class var shared: UIApplication { instance }

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
