import AVFAudio
import Foundation

/// The audio device of a service, which the provider's delegate switches.
final class PVAudioDevice: @unchecked Sendable {
    typealias Block = () -> Void

    private let lock = NSLock()
    private var enabled = false
    var block: Block = {
        try? AVAudioSession.sharedInstance().setCategory(.playAndRecord, mode: .voiceChat)
    }

    var isEnabled: Bool {
        get { lock.withLock { enabled } }
        set {
            lock.withLock { enabled = newValue }
            block()
        }
    }

    func toggleAudioRoute(toSpeaker: Bool) {
        block = {
            do {
                let port: AVAudioSession.PortOverride = toSpeaker ? .speaker : .none
                try AVAudioSession.sharedInstance().overrideOutputAudioPort(port)
            } catch {
                NSLog(error.localizedDescription)
            }
        }
        block()
    }
}
