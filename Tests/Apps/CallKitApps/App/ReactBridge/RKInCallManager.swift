import AVFoundation
import Foundation
import UIKit

final class RKInCallManager: NSObject {
    private let session = AVAudioSession.sharedInstance()
    private var origin = (
        category: AVAudioSession.Category.soloAmbient, mode: AVAudioSession.Mode.default
    )
    private var isRouteChangeRegistered = false

    @objc func start(_ mediaType: String) {
        origin = (session.category, session.mode)
        let mode: AVAudioSession.Mode = mediaType == "video" ? .videoChat : .voiceChat
        try? session.setCategory(.playAndRecord, mode: mode, options: [])
        startRouteChangeNotification()
        UIDevice.current.isProximityMonitoringEnabled = mediaType == "audio"
    }

    @objc func stop() {
        try? session.setCategory(origin.category, mode: origin.mode)
        if isRouteChangeRegistered {
            NotificationCenter.default.removeObserver(
                self, name: AVAudioSession.routeChangeNotification, object: nil)
        }
        isRouteChangeRegistered = false
    }

    private func startRouteChangeNotification() {
        guard !isRouteChangeRegistered else { return }
        isRouteChangeRegistered = true
        NotificationCenter.default.addObserver(
            self, selector: #selector(RKInCallManager.audioRouteDidChange(_:)),
            name: AVAudioSession.routeChangeNotification, object: nil)
    }

    @objc private func audioRouteDidChange(_ notification: Notification) {
        let previous =
            notification.userInfo?[AVAudioSessionRouteChangePreviousRouteKey]
            as? AVAudioSessionRouteDescription
        NSLog("was %@", previous?.outputs.first?.portType.rawValue ?? "nothing")
    }
}
