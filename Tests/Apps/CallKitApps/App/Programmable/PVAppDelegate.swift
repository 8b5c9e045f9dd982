import Intents
import UIKit

class PVAppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    var calls: [String] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        NSLog("version")
        return true
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        guard let interaction = userActivity.interaction else { return false }
        let handle: INPersonHandle?
        if let intent = interaction.intent as? INStartVideoCallIntent {
            handle = intent.contacts?[0].personHandle
        } else if let intent = interaction.intent as? INStartAudioCallIntent {
            handle = intent.contacts?[0].personHandle
        } else {
            handle = nil
        }
        guard let name = handle?.value else { return false }
        calls.append(name)
        return true
    }
}
