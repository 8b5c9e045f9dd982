import AVFoundation
import Foundation

public struct ChatAudioSessionPort: Equatable {
    public enum PortType: Equatable { case builtin, headphones, bluetooth, car, generic }

    public let uid: String
    public let name: String
    public let type: PortType
}

public enum ChatAudioSessionOutput: Equatable {
    case builtin, speaker, headphones
    case port(ChatAudioSessionPort)
}

private extension ChatAudioSessionPort {
    init?(description: AVAudioSessionPortDescription) {
        uid = description.uid
        name = description.portName
        switch description.portType {
        case .builtInMic, .builtInReceiver, .builtInSpeaker: return nil
        case .bluetoothHFP, .bluetoothLE, .bluetoothA2DP: type = .bluetooth
        case .headphones, .headsetMic: type = .headphones
        case .carAudio: type = .car
        default: type = .generic
        }
    }
}

public func chatOutputs(
    of session: AVAudioSession
) -> (available: [ChatAudioSessionOutput], current: ChatAudioSessionOutput) {
    var available: [ChatAudioSessionOutput] = [.builtin, .speaker]
    for input in session.availableInputs ?? [] {
        if let port = ChatAudioSessionPort(description: input) { available.append(.port(port)) }
    }
    let route = session.currentRoute
    switch route.outputs.first?.portType {
    case AVAudioSession.Port.builtInSpeaker?: return (available, .speaker)
    case AVAudioSession.Port.headphones?: return (available, .headphones)
    default: return (available, .builtin)
    }
}
