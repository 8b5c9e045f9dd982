import AVFoundation
import Foundation
import os

enum ConfAudioMode: Int {
    case `default`, audioCall, videoCall

    var configuration:
        (AVAudioSession.Category, AVAudioSession.CategoryOptions, AVAudioSession.Mode)
    {
        switch self {
        case .default: return (.playback, [], .default)
        case .audioCall: return (.playAndRecord, [.allowBluetooth], .voiceChat)
        case .videoCall: return (.playAndRecord, [.allowBluetooth, .defaultToSpeaker], .videoChat)
        }
    }
}

final class ConfAudioModeModule: NSObject, @unchecked Sendable {
    private let queue = DispatchQueue(label: "AudioModeQueue")
    private let logger = Logger(subsystem: "org.example.conference", category: "AudioMode")
    private var mode = ConfAudioMode.default

    @objc(setAudioMode:)
    func setMode(_ value: NSNumber) {
        guard let mode = ConfAudioMode(rawValue: value.intValue) else { return }
        queue.async { self.apply(mode) }
    }

    private func apply(_ mode: ConfAudioMode) {
        let (category, options, sessionMode) = mode.configuration
        do {
            try AVAudioSession.sharedInstance().setCategory(
                category, mode: sessionMode, options: options)
            self.mode = mode
        } catch let error as NSError {
            logger.error("mode \(mode.rawValue): \(error.domain, privacy: .public) \(error.code)")
        }
    }
}
