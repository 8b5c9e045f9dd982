import StoryPlayer
import TestSupport
import Testing

/// Every story once more, with the real daemon: processes, sockets, and a clock that the test moves.
struct StoriesOverSocketTests {
    @Test(arguments: Story.all)
    func `the story goes as it is written down`(_ story: Story) throws {
        for performance in try StoryPlayer(story).play({ try SocketStage() }) {
            if let fault = performance.fault { Issue.record("\(fault)") }
        }
    }
}
