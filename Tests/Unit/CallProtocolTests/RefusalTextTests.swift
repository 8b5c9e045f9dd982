import BrokerRPC
import CallModel
import CallProtocol
import Testing

struct RefusalTextTests {
    private static let told: [(RefusalReason, Rule)] = [
        (.invalidAction, .swap), (.invalidState, .swap), (.invalidAction, .merge),
        (.invalidState, .merge), (.invalidState, .split), (.invalidAction, .tones),
    ]

    @Test(arguments: told)
    func `a rule that knows more than the reason says what is missing and what would help`(
        reason: RefusalReason, rule: Rule
    ) throws {
        let refusal = Refusal(reason, rule: rule)
        #expect(refusal.message != reason.message)
        let hint = try #require(refusal.hint)
        #expect(hint != reason.hint)
        for text in [refusal.message, hint] {
            #expect(text.first?.isLowercase == true && text.last?.isLetter == true)
            #expect(text.utf8.count < 100, "\(text)")
        }
        let error = RPCError(refusal, .requestTransaction)
        #expect(error.message == refusal.message)
        #expect(error.hint == hint)
    }

    @Test func `another rule leaves it at what the reason says`() {
        let refusal = Refusal(.invalidState, rule: .busy)
        #expect(refusal.message == RefusalReason.invalidState.message)
        #expect(refusal.hint == RefusalReason.invalidState.hint)
    }
}
