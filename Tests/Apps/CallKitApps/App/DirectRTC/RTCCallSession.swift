import AVFoundation
import Foundation

/// The session of a library for real-time communication, which only holds what the app sets.
final class RTCLikeAudioSession: @unchecked Sendable {
    static let shared = RTCLikeAudioSession()

    private let lock = NSRecursiveLock()
    var useManualAudio = false
    var isAudioEnabled = false
    let session = AVAudioSession.sharedInstance()

    func lockForConfiguration() { lock.lock() }
    func unlockForConfiguration() { lock.unlock() }
    func audioSessionDidActivate(_ session: AVAudioSession) { isAudioEnabled = useManualAudio }
    func audioSessionDidDeactivate(_ session: AVAudioSession) { isAudioEnabled = false }

    func configure(speaker: Bool) throws {
        lockForConfiguration()
        defer { unlockForConfiguration() }
        try session.setCategory(.playAndRecord, mode: .voiceChat, options: [.mixWithOthers])
        try session.overrideOutputAudioPort(speaker ? .speaker : .none)
    }

    func tune() {
        try? session.setPreferredSampleRate(48_000)
        try? session.setPreferredIOBufferDuration(0.02)
    }
}
