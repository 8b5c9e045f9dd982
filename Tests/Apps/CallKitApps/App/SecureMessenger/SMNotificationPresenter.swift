import UserNotifications

enum SMNotificationAction: String, CaseIterable {
    case callBack, reply
}

final class SMNotificationPresenter: Sendable {
    static let missedCallCategory = "missed-call"

    func registerCategories() {
        let actions = SMNotificationAction.allCases.map {
            UNNotificationAction(identifier: $0.rawValue, title: $0.rawValue, options: .foreground)
        }
        let category = UNNotificationCategory(
            identifier: Self.missedCallCategory, actions: actions, intentIdentifiers: [],
            options: .customDismissAction)
        UNUserNotificationCenter.current().setNotificationCategories([category])
    }

    func presentMissedCall(from name: String, thread: String) async throws {
        let content = UNMutableNotificationContent()
        content.title = name
        content.body = "Missed call"
        content.threadIdentifier = thread
        content.categoryIdentifier = Self.missedCallCategory
        content.interruptionLevel = .timeSensitive
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 2, repeats: false)
        try await UNUserNotificationCenter.current().add(
            UNNotificationRequest(identifier: thread, content: content, trigger: trigger))
    }

    func clear(thread: String) async {
        let center = UNUserNotificationCenter.current()
        let ids = await center.deliveredNotifications()
            .filter { $0.request.content.threadIdentifier == thread }.map(\.request.identifier)
        center.removeDeliveredNotifications(withIdentifiers: ids)
    }
}
