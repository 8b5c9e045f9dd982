import AVFoundation
import Foundation

/// Chooses the tone of a state by the route: none if it goes to a headset that has its own.
struct PJToneGenerator {
    enum Tone: String { case ringback, busy, none }

    func tone(isRinging: Bool, isBusy: Bool) -> Tone {
        let inputs: [AVAudioSessionPortDescription] =
            AVAudioSession.sharedInstance().currentRoute.inputs
        guard !inputs.contains(where: { $0.portType == .bluetoothHFP }) else { return .none }
        return isBusy ? .busy : isRinging ? .ringback : .none
    }

    var canRecord: Bool {
        AVAudioSession.sharedInstance().isInputAvailable
            && AVAudioSession.sharedInstance().recordPermission == .granted
    }
}
