import AVFoundation
import Foundation
import os

/// Where a SIP telephone's sound goes, as its screens show it.
final class SIPAudioRouter: NSObject {
    private let log = Logger(subsystem: "org.example.sip", category: "audio")
    private(set) var route = "unknown"

    override init() {
        super.init()
        NotificationCenter.default.addObserver(
            self, selector: #selector(routeChanged), name: AVAudioSession.routeChangeNotification,
            object: nil)
        routeChangedNow()
    }

    deinit {
        NotificationCenter.default.removeObserver(self)
    }

    @objc private func routeChanged(_ notification: Notification) {
        guard let info = notification.userInfo,
            let value = info[AVAudioSessionRouteChangeReasonKey] as? UInt,
            let reason = AVAudioSession.RouteChangeReason(rawValue: value)
        else { return }
        switch reason {
        case .newDeviceAvailable, .oldDeviceUnavailable: routeChangedNow()
        case .override: log.info("route chosen: \(self.route, privacy: .public)")
        default: break
        }
    }

    private func routeChangedNow() {
        let outputs = AVAudioSession.sharedInstance().currentRoute.outputs
        route = outputs.first.map { $0.portName } ?? "unknown"
    }

    var isSpeaker: Bool {
        AVAudioSession.sharedInstance().currentRoute.outputs.contains {
            $0.portType == AVAudioSession.Port.builtInSpeaker
        }
    }

    func setSpeaker(_ on: Bool) {
        do {
            try AVAudioSession.sharedInstance().overrideOutputAudioPort(on ? .speaker : .none)
        } catch {
            log.error("no speaker: \(error.localizedDescription)")
        }
    }

    func chooseBluetooth() {
        let session = AVAudioSession.sharedInstance()
        let bluetooth: [AVAudioSession.Port] = [.bluetoothHFP, .bluetoothA2DP, .bluetoothLE]
        let input = session.availableInputs?.first { bluetooth.contains($0.portType) }
        try? session.setPreferredInput(input)
    }
}
