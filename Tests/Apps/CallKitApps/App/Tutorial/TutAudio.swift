import AVFoundation

func tutConfigureAudioSession() {
    print("Configuring audio session")
    let session = AVAudioSession.sharedInstance()
    do {
        try session.setCategory(.playAndRecord, mode: .voiceChat, options: [])
    } catch let error as NSError {
        print("Error: \(error.localizedDescription)")
    }
}

func tutDescribe(_ notification: Notification) -> String {
    guard let info = notification.userInfo,
        let reasonValue = info[AVAudioSessionRouteChangeReasonKey] as? UInt
    else { return "nothing" }
    switch AVAudioSession.RouteChangeReason(rawValue: reasonValue) {
    case .newDeviceAvailable?: return "new"
    case .oldDeviceUnavailable?: return "old"
    case .categoryChange?, .override?, .routeConfigurationChange?: return "changed"
    case .wakeFromSleep?, .noSuitableRouteForCategory?, .unknown?, .none: return "unknown"
    @unknown default: return "new reason"
    }
}
