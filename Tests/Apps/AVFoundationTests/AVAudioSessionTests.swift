import AVFoundation
import Testing

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

    @Test func `the app chooses no loudspeaker and no sample rate`() {
        #expect(throws: Never.self) { try session.overrideOutputAudioPort(.none) }
        #expect(throws: NSError.self) { try session.overrideOutputAudioPort(.speaker) }
        #expect(throws: NSError.self) { try session.setPreferredSampleRate(44_100) }
        #expect(throws: NSError.self) { try session.setPreferredIOBufferDuration(0.005) }
    }
}
