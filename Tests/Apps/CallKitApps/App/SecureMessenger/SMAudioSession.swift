import AVFoundation
import Foundation

/// A behavior that an activity wants of the session.
enum SMAudioBehavior: String {
    case playback, playAndRecord, call
}

final class SMAudioActivity: CustomStringConvertible, @unchecked Sendable {
    let behavior: SMAudioBehavior
    let description: String

    init(_ description: String, behavior: SMAudioBehavior) {
        (self.description, self.behavior) = (description, behavior)
    }
}

final class SMAudioSession: NSObject {
    private struct WeakActivity { weak var value: SMAudioActivity? }
    private var activities: [WeakActivity] = []
    private let session = AVAudioSession.sharedInstance()

    func observe() {
        NotificationCenter.default.addObserver(
            self, selector: #selector(interrupted(notification:)),
            name: AVAudioSession.interruptionNotification, object: session)
        NotificationCenter.default.addObserver(
            self, selector: #selector(servicesReset),
            name: AVAudioSession.mediaServicesWereResetNotification, object: nil)
    }

    func startActivity(_ activity: SMAudioActivity) -> Bool {
        activities.append(WeakActivity(value: activity))
        do {
            switch activity.behavior {
            case .playback: try session.setCategory(.playback)
            case .playAndRecord: try session.setCategory(.playAndRecord, options: .allowBluetooth)
            case .call:
                try session.setCategory(
                    .playAndRecord, mode: .voiceChat,
                    options: [.allowBluetooth, .allowBluetoothA2DP, .defaultToSpeaker])
            }
            try session.setActive(true, options: .notifyOthersOnDeactivation)
            return true
        } catch {
            return false
        }
    }

    @objc func interrupted(notification: Notification) {
        guard let value = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt,
            let type = AVAudioSession.InterruptionType(rawValue: value), type == .ended,
            let hints = notification.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt
        else { return }
        if AVAudioSession.InterruptionOptions(rawValue: hints).contains(.shouldResume) {
            activities.removeAll { $0.value == nil }
        }
    }

    @objc func servicesReset() {
        activities.removeAll()
    }
}
