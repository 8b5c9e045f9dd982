import AVFAudio
import Foundation
import os.log

final class RTCSpeakerButton: NSObject {
    var isOn = false
    private let rtcAudioSession = RTCLikeAudioSession.shared
    private let audioQueue = DispatchQueue(label: "audio")

    @objc func speakerDidTap(_ sender: AnyObject?) {
        isOn ? speakerOff() : speakerOn()
        isOn.toggle()
    }

    private func speakerOff() {
        audioQueue.async {
            do {
                try RTCLikeAudioSession.shared.configure(speaker: false)
            } catch {
                os_log("Error setting category: %{public}@", error.localizedDescription)
            }
        }
    }

    private func speakerOn() {
        audioQueue.async { try? RTCLikeAudioSession.shared.configure(speaker: true) }
    }

    func tap() {
        perform(#selector(speakerDidTap(_:)), with: nil)
    }
}
