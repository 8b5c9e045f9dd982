import CallTranscript
import Foundation
import TestSupport
import Testing

/// Whole stories, told by the arbiter: every effect of every event, and the state at the end.
struct StoryTests {
    /// `make transcripts` writes what the arbiter does now; somebody reads it.
    private static let isRegenerating =
        ProcessInfo.processInfo.environment["CALLBROKER_REGENERATE"] != nil

    @Test(arguments: Story.all) func `the story goes as it is written down`(_ story: Story) throws {
        let played = try story.transcript().played().text()
        if Self.isRegenerating { return try story.write(played) }
        let (told, written) = (lines(played), lines(try story.text()))
        let first = zip(told, written).enumerated().first { $1.0 != $1.1 }
        if let (index, (now, before)) = first {
            Issue.record("\(story.name):\(index + 1): expected \(before)\nbut now \(now)")
        }
        #expect(told.count == written.count, "\(story.name) has another length")
    }

    private func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }
}

extension Story {
    func transcript() throws -> Transcript {
        try Transcript(try text(), reading: .whatAuthorsWrote)
    }
}
