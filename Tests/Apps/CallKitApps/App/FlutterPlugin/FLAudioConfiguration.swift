import AVFoundation

final class FLAudioConfiguration: @unchecked Sendable {
    var mode: String?

    func configureAudioSession() {
        let session = AVAudioSession.sharedInstance()
        do {
            try session.setCategory(
                AVAudioSession.Category.playAndRecord,
                options: [
                    .allowBluetoothA2DP, .duckOthers, .allowBluetooth,
                ])
            try session.setMode(getAudioSessionMode(mode))
            try session.setActive(true)
            try session.setPreferredSampleRate(44100.0)
            try session.setPreferredIOBufferDuration(0.005)
        } catch {
            print(error)
        }
    }

    func getAudioSessionMode(_ audioSessionMode: String?) -> AVAudioSession.Mode {
        var mode = AVAudioSession.Mode.default
        switch audioSessionMode {
        case "gameChat": mode = AVAudioSession.Mode.gameChat
        case "measurement": mode = AVAudioSession.Mode.measurement
        case "videoChat": mode = AVAudioSession.Mode.videoChat
        case "voiceChat": mode = AVAudioSession.Mode.voiceChat
        default: mode = AVAudioSession.Mode.default
        }
        return mode
    }

    func senddefaultAudioInterruptionNofificationToStartAudioResource() {
        var userInfo: [AnyHashable: Any] = [:]
        let interruptionEndedRaw = AVAudioSession.InterruptionType.ended.rawValue
        userInfo[AVAudioSessionInterruptionTypeKey] = interruptionEndedRaw
        userInfo[AVAudioSessionInterruptionOptionKey] =
            AVAudioSession.InterruptionOptions.shouldResume.rawValue
        NotificationCenter.default.post(
            name: AVAudioSession.interruptionNotification, object: self, userInfo: userInfo)
    }
}
