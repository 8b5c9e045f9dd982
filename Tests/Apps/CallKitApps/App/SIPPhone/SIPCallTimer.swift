import Foundation

/// Counts the seconds of a call for a label.
final class SIPCallTimer: NSObject {
    private var timer: Timer?
    private(set) var seconds = 0
    var changed: ((String) -> Void)?

    func start() {
        timer = Timer.scheduledTimer(
            timeInterval: 1, target: self, selector: #selector(SIPCallTimer.tick), userInfo: nil,
            repeats: true)
    }

    func stop() {
        timer?.invalidate()
        timer = nil
    }

    @objc func tick() {
        seconds += 1
        changed?(String(format: "%02d:%02d", seconds / 60, seconds % 60))
    }
}
