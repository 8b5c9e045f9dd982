import CallModel
import Testing

@testable import PhoneScreen

/// What both sides type.
struct ConversationTests {
    private func conversation(_ typed: (CallText.Side, String)...) -> [String] {
        var conversation = Conversation()
        for (side, text) in typed { conversation.add(CallText(text, from: side)) }
        return conversation.turns.map { "\($0.side == .local ? ">" : "<") \($0.text)" }
    }

    @Test func `a backspace erases what the same side types`() {
        #expect(conversation((.remote, "helo"), (.remote, "\u{8}lo")) == ["< hello"])
        #expect(conversation((.remote, "a"), (.local, "\u{8}")) == ["< a"])
        #expect(conversation((.remote, "a"), (.remote, "\u{8}\u{8}\u{8}b")) == ["< b"])
    }

    @Test(arguments: ["\u{2028}", "\n", "\r\n"])
    func `a line separator ends a turn`(separator: String) {
        #expect(
            conversation((.remote, "a\(separator)b"), (.local, "c"), (.remote, "d"))
                == ["< a", "< bd", "> c"])
    }

    @Test func `a stranger who types without end is not kept without end`() {
        var conversation = Conversation()
        conversation.add(CallText(String(repeating: "a", count: 2_500), from: .remote))
        #expect(conversation.turns.map(\.text.count) == [1_000, 1_000, 500])
        conversation.add(CallText(String(repeating: "a\n", count: 500), from: .remote))
        #expect(conversation.turns.count == Conversation.turnsMax)
    }
}
