import BrokerJSON
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

    @Test func `verbs are written in their order`() {
        let verbs: [Verb] = [.answer, .holdAndAnswer, .decline]
        #expect(
            JSONWriter.text { $0.member("allowed", words: verbs) }
                == #""allowed":["answer","hold_and_answer","decline"]"#)
        #expect(JSONWriter.text { $0.member("allowed", words: [] as [Verb]) } == #""allowed":[]"#)
    }
}
