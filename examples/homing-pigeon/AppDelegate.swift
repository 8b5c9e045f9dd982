import CallKit
import Intents
import UIKit

/// What the system asks of the app as a whole: to call somebody, as the user wished elsewhere. The
/// service's call comes first: a start without one is none that this app could perform.
final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        guard let intent = userActivity.interaction?.intent as? INStartCallIntent,
            let calleeID = intent.contacts?.first?.personHandle?.value
        else { return false }
        CallManager.shared.startCall(to: calleeID)
        return true
    }
}
