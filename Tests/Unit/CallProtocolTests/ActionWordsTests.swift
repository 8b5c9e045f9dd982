import CallModel
import CallProtocol
import Testing

struct ActionWordsTests {
    @Test func `each word of an action is what the model says`() {
        #expect(hasItsWords(ActionKind.self))
        #expect(hasItsWords(DTMFStyle.self))
        #expect(hasItsWords(ActionState.self))
        #expect(hasItsWords(TransactionState.self))
    }

    @Test func `a kind's name is its word`() {
        #expect(ActionKind.allCases.map { "\($0.name)" } == ActionKind.allCases.map(\.rawValue))
    }
}
