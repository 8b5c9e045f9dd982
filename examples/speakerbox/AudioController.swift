import AVFoundation

/// The app's sound: set up when a call begins, on while the system says so.
func configureAudioSession() {
    let session = AVAudioSession.sharedInstance()
    do {
        try session.setCategory(.playAndRecord, mode: .voiceChat, options: [])
    } catch {
        say("no audio: \(error.localizedDescription)")
    }
}

private var isOn = false

func startAudio() {
    isOn = true
    say("audio on")
}

func stopAudio() {
    guard isOn else { return }
    isOn = false
    say("audio off")
}
