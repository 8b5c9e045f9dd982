import AVFoundation
import CallKit
import Foundation

final class RTCCallDelegate: NSObject, CXProviderDelegate, Sendable {
    func providerDidBegin(_ provider: CXProvider) {
        RTCLikeAudioSession.shared.useManualAudio = true
    }

    func providerDidReset(_ provider: CXProvider) {
        RTCLikeAudioSession.shared.audioSessionDidDeactivate(AVAudioSession.sharedInstance())
    }

    func provider(_ provider: CXProvider, execute transaction: CXTransaction) -> Bool {
        transaction.actions.isEmpty
    }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        try? RTCLikeAudioSession.shared.configure(speaker: false)
        action.fulfill(withDateConnected: Date())
    }

    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
        assert(!action.isComplete || action.timeoutDate <= Date.distantFuture)
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        RTCLikeAudioSession.shared.audioSessionDidActivate(audioSession)
    }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        RTCLikeAudioSession.shared.audioSessionDidDeactivate(audioSession)
    }
}
