import AVFoundation
import Foundation

@objcMembers
final class RKAudioRoutes: NSObject {
    static func getAudioInputs() -> [[String: Any]] {
        guard let inputs = AVAudioSession.sharedInstance().availableInputs else { return [] }
        let selected = AVAudioSession.sharedInstance().currentRoute.inputs.first?.uid
        return inputs.map { input in
            [
                "name": input.portName, "type": getAudioInputType(input.portType) as Any,
                "selected": input.uid == selected,
            ]
        }
    }

    static func getAudioInputType(_ type: AVAudioSession.Port) -> String? {
        if type == .builtInMic { return "Phone" }
        if type == .headsetMic { return "Headset" }
        if type == .headphones { return "Headset" }
        if type == .bluetoothHFP || type == .bluetoothA2DP { return "Bluetooth" }
        if type == AVAudioSession.Port.carAudio { return "CarAudio" }
        if type == .builtInSpeaker { return "Speaker" }
        return nil
    }

    func setAudioRoute(_ uuid: String, inputName: String) throws {
        let session = AVAudioSession.sharedInstance()
        if inputName == "Speaker" {
            return try session.overrideOutputAudioPort(.speaker)
        }
        try session.overrideOutputAudioPort(.none)
        for port in session.availableInputs ?? [] where port.portName == inputName {
            try session.setPreferredInput(port)
        }
    }
}
