import Foundation
import Intents
import UIKit

enum RKLinking {
    @MainActor
    static func open(_ link: String, done: @escaping @MainActor @Sendable (Bool) -> Void) {
        guard let url = URL(string: link), UIApplication.shared.canOpenURL(url) else {
            return done(false)
        }
        UIApplication.shared.open(url, options: [:], completionHandler: done)
    }

    @MainActor
    static func openSettings() {
        guard let url = URL(string: UIApplication.openSettingsURLString) else { return }
        UIApplication.shared.open(url)
    }

    static func startCall(from activity: NSUserActivity) -> [String: Any]? {
        let contact: INPerson?
        var isVideo = false
        switch activity.activityType {
        case INStartAudioCallIntentIdentifier:
            contact = (activity.interaction?.intent as? INStartAudioCallIntent)?.contacts?.first
        case INStartVideoCallIntentIdentifier:
            contact = (activity.interaction?.intent as? INStartVideoCallIntent)?.contacts?.first
            isVideo = true
        default: return nil
        }
        guard let contact, let handle = contact.personHandle?.value else { return nil }
        return ["handle": handle, "name": contact.displayName, "video": isVideo]
    }
}
