import Foundation

extension Notification.Name {
    static let pjReachabilityChanged = Notification.Name("PJReachabilityChanged")
}

/// Registers again when the network has changed.
final class PJReachability: NSObject {
    private(set) var registrations = 0
    private var pending: Timer?

    override init() {
        super.init()
        NotificationCenter.default.addObserver(
            self, selector: #selector(changed), name: .pjReachabilityChanged, object: nil)
    }

    deinit { NotificationCenter.default.removeObserver(self) }

    @objc private func changed() {
        pending?.invalidate()
        pending = Timer.scheduledTimer(
            timeInterval: 2.0, target: self, selector: #selector(register(timer:)),
            userInfo: ["attempt": registrations], repeats: false)
    }

    @objc private func register(timer: Timer) {
        registrations += 1
        autoreleasepool {
            _ = PJEndpoint.shared.hangup(-1)
        }
    }
}
