internal import CallTranscript

/// A transcript: what was read is written and read as the same again, and so is what the arbiter makes
/// of it, which is the same each time.
enum TranscriptInput {
    static func check(_ bytes: [UInt8]) throws(Finding) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let story = try? Transcript(text) { try checkWriting(story) }
        guard let story = try? Transcript(text, reading: .whatAuthorsWrote) else { return }
        try checkWriting(story)
        guard let played = try? story.played() else { return }
        try checkWriting(played)
        let again = try? played.played()
        try require(again == played, "played again it is another story")
    }

    private static func checkWriting(_ story: Transcript) throws(Finding) {
        let text = story.text()
        let again: Transcript
        do throws(TranscriptError) {
            again = try Transcript(text)
        } catch {
            throw Finding(words: "what was written cannot be read: \(error)")
        }
        try require(again == story, "what was written is another story")
        try require(again.text() == text, "it is written in two ways")
    }
}
