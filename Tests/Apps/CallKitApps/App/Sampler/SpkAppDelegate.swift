import CallKit
import UIKit

class SpkAppDelegate: UIResponder, UIApplicationDelegate {
    class var shared: SpkAppDelegate? {
        UIApplication.shared.delegate as? SpkAppDelegate
    }

    var window: UIWindow?
    let callManager = SpkCallManager()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        return true
    }

    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        guard let handle = url.host else {
            print("Could not determine start call handle from URL: \(url)")
            return false
        }
        callManager.startCall(handle: handle)
        return true
    }

    func display(uuid: UUID, completion: (() -> Void)? = nil) {
        let backgroundTaskIdentifier = UIApplication.shared.beginBackgroundTask(
            expirationHandler: nil)
        DispatchQueue.main.asyncAfter(wallDeadline: DispatchWallTime.now() + 0.1) {
            completion?()
            UIApplication.shared.endBackgroundTask(backgroundTaskIdentifier)
        }
    }
}
