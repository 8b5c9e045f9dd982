import AVFoundation
import Foundation

/// As audio was set up in Swift 4.1.
@available(*, deprecated, message: "written for Swift 4.1")
final class OldAudio: NSObject {
    func configure(speaker: Bool) {
        let session = AVAudioSession.sharedInstance()
        do {
            try session.setCategory(
                AVAudioSessionCategoryPlayAndRecord,
                with: AVAudioSessionCategoryOptions.mixWithOthers)
            try session.setMode(AVAudioSessionModeVoiceChat)
            try session.overrideOutputAudioPort(
                speaker ? AVAudioSessionPortOverride.speaker : AVAudioSessionPortOverride.none)
            try session.setActive(false, with: .notifyOthersOnDeactivation)
        } catch {
            print("audio: \(error)")
        }
    }

    var isOnReceiver: Bool {
        AVAudioSession.sharedInstance().currentRoute.outputs.contains {
            $0.portType == AVAudioSessionPortBuiltInReceiver
        }
    }

    func observe() {
        NotificationCenter.default.addObserver(
            self, selector: #selector(OldAudio.interrupted(_:)),
            name: NSNotification.Name.AVAudioSessionInterruption, object: nil)
        NotificationCenter.default.addObserver(
            self, selector: #selector(interrupted(_:)), name: .AVAudioSessionRouteChange,
            object: nil)
    }

    func interrupted(_ notification: NSNotification) {
        let type = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
        if type.flatMap(AVAudioSessionInterruptionType.init(rawValue:)) == .began { observe() }
    }
}
