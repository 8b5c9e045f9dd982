import CallTesting
import CallTranscript
import StoryPlayer
import TestSupport
import Testing

/// Every story once more, with frames: what the arbiter wants done is what clients get. And at its end
/// a broker that has only read the journal knows the same as the one that was there.
struct StoriesInProcessTests {
    @Test(arguments: Story.all)
    func `the story goes as it is written down`(_ story: Story) throws {
        var stages: [MemoryStage] = []
        let performances = try StoryPlayer(story).play {
            stages.append(MemoryStage())
            return stages[stages.count - 1]
        }
        for fault in performances.compactMap(\.fault) { Issue.record("\(fault)") }
        for stage in stages {
            #expect(stage.differences() == [])
            try stage.expectThatItsJournalTellsAll()
        }
    }

    @Test func `only what is on the list is not played to its end, and every frame occurs`() throws
    {
        var seen: Set<WireForm.Frame> = []
        var counts: [Unplayable: Int] = [:]
        for story in Story.all {
            let (frames, endings) = try StoryPlayer(story).read()
            seen.formUnion(frames)
            for ending in endings { counts[ending, default: 0] += 1 }
        }
        #expect(counts == Unplayable.sections)
        let forms =
            EventKind.allCases.map { WireForm($0) } + EffectKind.allCases.map { WireForm($0) }
        let missing = Set(forms.flatMap(\.frames)).subtracting(seen)
        #expect(missing.map(\.text).sorted() == Self.unseen)
    }

    /// Frames that no section shows as far as it can be played: filters of stories answer, and a
    /// registration is refused by the shell alone.
    private static let unseen = [
        "error directory.lookup to_broker", "error provider.execute to_broker",
        "error provider.register to_client", "error screener.check to_broker",
    ]
}

extension WireForm {
    fileprivate var frames: [Frame] {
        if case .frames(let frames) = self { frames } else { [] }
    }
}

extension WireForm.Frame {
    fileprivate var text: String {
        "\(form) \(name) \(direction.rawValue)"
    }
}
