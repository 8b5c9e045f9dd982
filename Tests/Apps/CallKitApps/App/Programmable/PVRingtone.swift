import AVFoundation
import Foundation

/// Rings back while the other side is called.
final class PVRingtone: NSObject {
    private(set) var isPlaying = false
    private var timer: Timer?

    func play(every seconds: TimeInterval = 4) {
        isPlaying = true
        timer = Timer(
            timeInterval: seconds, target: self, selector: #selector(self.ring), userInfo: nil,
            repeats: true)
        if let timer { RunLoop.main.add(timer, forMode: .common) }
    }

    @objc private func ring() -> Bool {
        AVAudioSession.sharedInstance().isOtherAudioPlaying == false
    }

    func stop() -> OSStatus {
        isPlaying = false
        timer?.invalidate()
        return kAudioServicesNoError
    }
}
