import CallKit
import UIKit
import os

class PJAppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    private var bridge: PJCallKitBridge?
    private var task: UIBackgroundTaskIdentifier = .invalid

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        bridge = PJCallKitBridge(ringtone: nil)
        DispatchQueue.global(qos: .default).async {
            PJEndpoint.shared.make("sip:echo@example.org") { _, _ in }
        }
        return launchOptions?[UIApplication.LaunchOptionsKey.remoteNotification] == nil
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        task = application.beginBackgroundTask(withName: "keep alive") { [weak self] in
            guard let self else { return }
            DispatchQueue.main.async {
                UIApplication.shared.endBackgroundTask(self.task)
                self.task = .invalid
            }
        }
        os_log(.info, "%f s left", application.backgroundTimeRemaining)
    }
}
