import CallTranscript
import Foundation
import TestSupport
import Testing

/// What real brokers have recorded: every build decides the same about it.
struct RecordingTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Recordings")

    private static func recordings() throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "txt" }.sorted { $0.path < $1.path }
    }

    @Test func `every recording gives the same decisions`() throws {
        let recordings = try Self.recordings()
        #expect(!recordings.isEmpty)
        for recording in recordings {
            let text = try String(contentsOf: recording, encoding: .utf8)
            let decided = try Transcript(recording: text).replayed()
            #expect(decided == text, "\(recording.lastPathComponent)")
            #expect(text.contains("\n> "), "\(recording.lastPathComponent) has no events")
        }
    }

    @Test func `another decision is noticed`() throws {
        let recording = try #require(try Self.recordings().first)
        let text = try String(contentsOf: recording, encoding: .utf8)
        let other = text.replacing("rule=28", with: "rule=27")
        #expect(other != text)
        #expect(try Transcript(recording: other).replayed() == text)
    }

    @Test func `a recording of another state is decided from that state`() throws {
        let text = "# Nothing.\n* 00\n> @1 provider_lost provider=a\n"
        #expect(throws: TranscriptError.self) { try Transcript(recording: text) }
        for line in ["*", "* 0", "* 0g", "*00"] {
            #expect(throws: TranscriptError.self) { try Transcript("# Nothing.\n\(line)\n") }
        }
    }
}
