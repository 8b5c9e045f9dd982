import AVFAudio
import CallKit
import UIKit

protocol FLCallkitAppDelegate: AnyObject {
    @MainActor func onAccept(_ call: FLCallData, _ action: CXAnswerCallAction)
    @MainActor func didActivateAudioSession(_ audioSession: AVAudioSession)
}

@objc class FLAppDelegate: UIResponder, UIApplicationDelegate, FLCallkitAppDelegate {
    let plugin = FLCallkitPlugin()
    var accepted: [UUID] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        plugin.handle(FLMethodCall(method: "activeCalls", arguments: nil)) { _ in }
        return true
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        guard let handleObj = userActivity.activityHandle else { return false }
        let data = FLCallData(
            id: UUID().uuidString, nameCaller: handleObj, handle: handleObj, type: 0)
        plugin.showCallkitIncoming(data, fromPushKit: false)
        return true
    }

    func onAccept(_ call: FLCallData, _ action: CXAnswerCallAction) {
        accepted.append(call.uuid)
        action.fulfill()
    }

    func didActivateAudioSession(_ audioSession: AVAudioSession) {}
}

extension NSUserActivity {
    fileprivate var activityHandle: String? {
        title ?? userInfo?["handle"] as? String
    }
}
