import CallKit
import UIKit

class SpkCallsViewController: UIViewController {
    var callManager: SpkCallManager?
    var callDurationTimer: Timer?
    var rows: [String] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        NotificationCenter.default.addObserver(
            self, selector: #selector(handleCallsChangedNotification(notification:)),
            name: SpkCallManager.callsChangedNotification, object: nil)
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        callDurationTimer = Timer.scheduledTimer(
            timeInterval: 1, target: self, selector: #selector(callDurationTimerFired),
            userInfo: nil, repeats: true)
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        callDurationTimer?.invalidate()
    }

    @objc func callDurationTimerFired() {
        updateRows()
    }

    @objc func handleCallsChangedNotification(notification: NSNotification) {
        updateRows()
    }

    func updateRows() {
        rows = (callManager?.calls ?? []).map { call in
            let seconds = Int(call.duration)
            return String(format: "%@ %d:%02d", call.handle ?? "?", seconds / 60, seconds % 60)
        }
    }
}
