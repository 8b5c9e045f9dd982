import CallKit
import Intents
import UIKit

/// What the system asks of the app as a whole: to call somebody, as the user wished elsewhere.
final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        guard let handle = userActivity.startCallHandle else {
            say("asked for something else: \(userActivity.activityType)")
            return false
        }
        say("asked to call: \(handle)")
        callManager.startCall(handle: handle, video: userActivity.isVideo ?? false)
        return true
    }
}
