import Testing

@testable import UserNotifications

/// What the desktop receives of a content.
struct CardTests {
    private let content = UNMutableNotificationContent()

    @Test func `a subtitle stands in front of the body, and buttons behind the default action`() {
        (content.title, content.subtitle, content.body) = ("a", "b", "c")
        content.interruptionLevel = .critical
        let card = Card(
            replaces: 7, content, isSilent: false,
            actions: [UNNotificationAction(identifier: "x", title: "X")])
        #expect(card.summary == "a" && card.body == "b\nc" && card.urgency == 2)
        #expect(card.actions == ["default", "", "x", "X"] && card.replaces == 7)
    }

    @Test func `a content without a sound is silent`() {
        #expect(Card(replaces: 0, content, isSilent: false, actions: []).isSilent)
        content.sound = .default
        #expect(!Card(replaces: 0, content, isSilent: false, actions: []).isSilent)
        #expect(Card(replaces: 0, content, isSilent: true, actions: []).isSilent)
    }

    @Test func `a request has a copy of its content`() {
        content.title = "first"
        let request = UNNotificationRequest(identifier: "a", content: content, trigger: nil)
        content.title = "second"
        #expect(request.content.title == "first")
        #expect((content.mutableCopy() as? UNMutableNotificationContent)?.title == "second")
    }
}
