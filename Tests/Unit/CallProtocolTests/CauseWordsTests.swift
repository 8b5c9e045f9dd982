import CallModel
import CallProtocol
import Testing

struct CauseWordsTests {
    @Test func `each word of a cause is what the model says`() {
        #expect(hasItsWords(Origin.self))
        #expect(hasItsWords(Rule.self))
        #expect(hasItsWords(RefusalReason.self))
    }
}
