import UIKit

/// What the tests ask of the program and the device; see `Picture`.
enum Device {
    static func backgroundTasks() -> (first: Int, second: Int, invalid: Int) {
        let application = UIApplication.shared
        let first = application.beginBackgroundTask { fatalError("nobody stops a program here") }
        let second = application.beginBackgroundTask(withName: "ring")
        application.endBackgroundTask(first)
        return (first.rawValue, second.rawValue, UIBackgroundTaskIdentifier.invalid.rawValue)
    }

    static func isProximityMonitored() -> Bool {
        UIDevice.current.isProximityMonitoringEnabled = true
        return UIDevice.current.isProximityMonitoringEnabled
    }

    static var words: [String] {
        let device = UIDevice.current
        return [device.name, device.model, device.systemName, device.systemVersion]
    }
}
