import CallModel
import CallProtocol
import Testing

struct CallWordsTests {
    @Test func `each word of a call is what the model says`() {
        #expect(hasItsWords(Direction.self))
        #expect(hasItsWords(CallState.self))
        #expect(hasItsWords(PendingAction.self))
        #expect(hasItsWords(Priority.self))
        #expect(hasItsWords(Verb.self))
        #expect(hasItsWords(EndReason.self))
    }
}
