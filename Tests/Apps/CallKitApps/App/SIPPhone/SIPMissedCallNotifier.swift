import UserNotifications

enum SIPMissedCallNotifier {
    static func notify(from caller: String, callId: String) {
        let content = UNMutableNotificationContent()
        content.title = NSLocalizedString("Missed call", comment: "")
        content.body = caller
        content.sound = UNNotificationSound.default
        content.userInfo = ["callId": callId]
        let request = UNNotificationRequest(identifier: callId, content: content, trigger: nil)
        UNUserNotificationCenter.current().add(request) { error in
            if let error { NSLog("no notification: %@", error.localizedDescription) }
        }
    }

    static func remove(_ callId: String) {
        UNUserNotificationCenter.current().removeDeliveredNotifications(withIdentifiers: [callId])
    }
}
