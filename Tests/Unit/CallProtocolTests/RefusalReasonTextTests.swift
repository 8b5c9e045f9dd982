import CallModel
import CallProtocol
import Testing

struct RefusalReasonTextTests {
    @Test func `each reason has a message of its own, for people`() {
        let messages = RefusalReason.allCases.map(\.message)
        #expect(Set(messages).count == messages.count)
        for message in messages {
            #expect(message.split(separator: " ").count > 3, "\(message)")
            #expect(message.utf8.count < 100, "\(message)")
        }
    }

    @Test func `messages and hints are written alike`() {
        for text in RefusalReason.allCases.flatMap({ [$0.message, $0.hint].compactMap(\.self) }) {
            #expect(text.first?.isLowercase == true, "\(text)")
            #expect(text.last?.isLetter == true, "\(text)")
            #expect(text.utf8.count == text.count, "\(text) is not all ASCII")
        }
    }

    @Test func `a hint says more than the message`() {
        for reason in RefusalReason.allCases { #expect(reason.hint != reason.message) }
    }

    @Test func `what goes away by itself may be asked for again`() {
        #expect(
            RefusalReason.allCases.filter(\.isRetryable).map(\.rawValue) == [
                "cannot_hold", "hold_failed", "already_dialing", "call_ringing", "busy",
                "emergency",
                "max_call_groups", "max_calls_per_group", "max_ringing", "max_held", "max_calls",
                "deadline_exceeded", "cancelled", "provider_gone",
            ])
    }
}
