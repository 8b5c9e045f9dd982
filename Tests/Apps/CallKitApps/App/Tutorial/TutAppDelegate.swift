import UIKit

let tutCallManagerQueue = DispatchQueue(label: "tutorial")

class TutAppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    let callManager = TutCallManager()
    lazy var providerDelegate: TutProviderDelegate = TutProviderDelegate(
        callManager: self.callManager)

    class var shared: TutAppDelegate {
        // swift-format-ignore: NeverForceUnwrap
        return UIApplication.shared.delegate as! TutAppDelegate
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        providerDelegate = TutProviderDelegate(callManager: callManager)
        return true
    }

    func displayIncomingCall(
        uuid: UUID,
        handle: String,
        hasVideo: Bool = false,
        completion: (@Sendable (Error?) -> Void)?
    ) {
        providerDelegate.reportIncomingCall(
            uuid: uuid,
            handle: handle,
            hasVideo: hasVideo,
            completion: completion)
    }
}
