import Testing

@testable import AVFoundation

/// What works, and what refuses.
struct AVAudioSessionTests {
    private let session = AVAudioSession()

    @Test func `settings are kept for the app`() throws {
        try session.setCategory(.playAndRecord, mode: .voiceChat, options: [.allowBluetooth])
        #expect(session.category == .playAndRecord)
        #expect(session.mode == .voiceChat)
        #expect(session.categoryOptions == [.allowBluetooth])
        try session.setMode(.videoChat)
        #expect(session.mode == .videoChat)
    }

    @Test func `the app cannot take the audio, or give it back`() throws {
        #expect(throws: Never.self) { try session.setActive(false) }
        #expect { try session.setActive(true) } throws: { ($0 as NSError).code == 561_017_449 }
        session.setGranted(true, to: session)
        #expect(throws: Never.self) { try session.setActive(true) }
        #expect { try session.setActive(false) } throws: { ($0 as NSError).code == 560_030_580 }
    }

    @Test func `the audio changes hands within a process, whoever hears of it first`() throws {
        let (first, second) = (NSObject(), NSObject())
        session.setGranted(true, to: first)
        session.setGranted(true, to: second)
        session.setGranted(false, to: first)
        #expect(throws: Never.self) { try session.setActive(true) }
        session.setGranted(false, to: second)
        #expect(throws: NSError.self) { try session.setActive(true) }
    }

    @Test func `no interruption is posted when the audio comes and goes`() {
        let count = Count()
        let observer = NotificationCenter.default.addObserver(
            forName: AVAudioSession.interruptionNotification, object: nil, queue: nil
        ) { _ in count.add() }
        for isGranted in [true, false] { session.setGranted(isGranted, to: session) }
        NotificationCenter.default.removeObserver(observer)
        #expect(count.value == 0)
    }

    @available(*, deprecated)
    @Test func `the names of Swift 4 dot 1 are those of today`() throws {
        #expect(AVAudioSessionCategoryPlayAndRecord == .playAndRecord)
        #expect(AVAudioSessionModeVoiceChat == .voiceChat)
        #expect(AVAudioSessionPortHeadsetMic == .headsetMic)
        #expect(
            NSNotification.Name.AVAudioSessionInterruption
                == AVAudioSession.interruptionNotification)
        try session.setCategory(AVAudioSessionCategoryPlayAndRecord, with: .allowBluetooth)
        #expect(session.categoryOptions == .allowBluetooth)
    }

    @Test func `the app may record`() async {
        #expect(session.recordPermission == .granted)
        let answer = await withCheckedContinuation { done in
            session.requestRecordPermission { done.resume(returning: $0) }
        }
        #expect(answer)
        #expect(await AVAudioApplication.requestRecordPermission())
        #expect(await AVCaptureDevice.requestAccess(for: .video))
    }

    @Test func `the app chooses no input that is not in use`() throws {
        let ear = HostPort(id: "b", kind: "bluetooth", name: nil, isInUse: false, isAvailable: true)
        let mic = HostPort(id: "a", kind: "speaker", name: nil, isInUse: true, isAvailable: true)
        let gone = HostPort(id: "c", kind: "wired", name: nil, isInUse: false, isAvailable: false)
        session.setPorts([mic, ear, gone])
        #expect(session.availableInputs?.map(\.uid) == ["a", "b"])
        #expect(session.currentRoute.outputs.map(\.portType) == [.builtInSpeaker])
        #expect(throws: NSError.self) { try session.setPreferredInput(ear.input) }
        #expect(session.preferredInput == nil)
        try session.setPreferredInput(mic.input)
        #expect(session.preferredInput?.portType == .builtInMic)
    }

    @Test(arguments: [
        ("speaker", AVAudioSession.Port.builtInSpeaker, AVAudioSession.Port?.some(.builtInMic)),
        ("earpiece", .builtInReceiver, .builtInMic), ("wired", .headphones, .headsetMic),
        ("bluetooth", .bluetoothHFP, .bluetoothHFP), ("streaming", .airPlay, nil),
    ])
    func `each kind of endpoint has Apple's port`(
        kind: String, output: AVAudioSession.Port, input: AVAudioSession.Port?
    ) {
        let port = HostPort(id: "a", kind: kind, name: nil, isInUse: true, isAvailable: true)
        #expect(port.output.portType == output)
        #expect(port.input?.portType == input)
    }

    @Test func `the app follows the host's endpoints once`() {
        let count = Count()
        session.setRouteSource { count.add() }
        for _ in 1...2 { _ = session.currentRoute }
        session.setRouteSource { count.add() }
        session.setGranted(true, to: session)
        #expect(count.value == 1)
    }

    @Test func `the app chooses no loudspeaker and no sample rate`() {
        #expect(throws: Never.self) { try session.overrideOutputAudioPort(.none) }
        #expect(throws: NSError.self) { try session.overrideOutputAudioPort(.speaker) }
        #expect(throws: NSError.self) { try session.setPreferredSampleRate(44_100) }
        #expect(throws: NSError.self) { try session.setPreferredIOBufferDuration(0.005) }
    }
}
