import StoryPlayer
import TestSupport
import Testing

/// Every story once more, with frames: what the arbiter wants done is what clients get.
struct StoriesInProcessTests {
    @Test(arguments: Story.all)
    func `the story goes as it is written down`(_ story: Story) throws {
        for performance in try StoryPlayer(story).play({ MemoryStage() }) {
            if let fault = performance.fault { Issue.record("\(fault)") }
        }
    }

    @Test func `only what is on the list is not played to its end`() throws {
        let endings = try Story.all.flatMap { try StoryPlayer($0).endings() }
        let counts = Dictionary(endings.map { ($0, 1) }, uniquingKeysWith: +)
        #expect(counts == Unplayable.sections)
    }
}
