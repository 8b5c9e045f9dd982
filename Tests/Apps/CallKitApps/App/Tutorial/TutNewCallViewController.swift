import UIKit

class TutNewCallViewController: UIViewController {
    var handle: String?
    var incoming = true
    var videoEnabled = false

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "New Call"
    }

    @IBAction private func cancel(_ sender: Any?) {
        dismiss(animated: true, completion: nil)
    }

    @IBAction private func call() {
        let backgroundTaskIdentifier =
            UIApplication.shared.beginBackgroundTask(expirationHandler: nil)
        let (handle, video) = (handle ?? "", videoEnabled)
        DispatchQueue.main.asyncAfter(wallDeadline: DispatchWallTime.now() + 1.5) {
            MainActor.assumeIsolated {
                TutAppDelegate.shared.displayIncomingCall(
                    uuid: UUID(), handle: handle, hasVideo: video
                ) {
                    _ in
                    UIApplication.shared.endBackgroundTask(backgroundTaskIdentifier)
                }
            }
        }
    }
}
