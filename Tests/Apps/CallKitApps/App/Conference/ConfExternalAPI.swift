import Foundation

/// Events between a conference's view and the app around it, by notifications.
enum ConfEvent: String, CaseIterable {
    case conferenceJoined = "CONFERENCE_JOINED"
    case conferenceTerminated = "CONFERENCE_TERMINATED"
    case audioMutedChanged = "AUDIO_MUTED_CHANGED"

    var name: Notification.Name { Notification.Name("org.jitsi.meet." + rawValue) }
}

@objcMembers
final class ConfExternalAPI: NSObject {
    private let center = NotificationCenter.default
    private(set) var seen: [ConfEvent] = []

    func observe() {
        for event in ConfEvent.allCases {
            center.addObserver(
                self, selector: #selector(received(_:)), name: event.name, object: nil)
        }
    }

    func send(_ event: ConfEvent, data: [String: Any] = [:]) {
        center.post(name: event.name, object: self, userInfo: data)
    }

    @objc private func received(_ notification: NSNotification) {
        seen += ConfEvent.allCases.filter { $0.name == notification.name }
    }

    func stop() {
        center.removeObserver(self)
    }
}
