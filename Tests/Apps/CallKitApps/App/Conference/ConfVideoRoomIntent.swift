import Foundation
import Intents

/// The room behind a link, an activity or a person.
struct ConfRoomAddress: Hashable {
    let server: URL?
    let room: String

    init(room: String, server: URL?) {
        self.room = room
        self.server = server
    }

    init?(_ url: URL) {
        guard let room = url.pathComponents.last(where: { $0 != "/" }) else { return nil }
        self.init(room: room, server: url.host.flatMap { URL(string: "https://\($0)") })
    }

    init?(_ activity: NSUserActivity) {
        if let url = activity.webpageURL {
            self.init(url)
        } else if activity.activityType == "org.jitsi.JitsiMeet.ios.conference",
            let room = activity.userInfo?["room"] as? String
        {
            self.init(room: room, server: nil)
        } else if let person = activity.interaction?.intent as? INStartCallIntent,
            let room = person.contacts?.first?.personHandle?.value
        {
            self.init(room: room, server: nil)
        } else {
            return nil
        }
    }

    func activity() -> NSUserActivity {
        let activity = NSUserActivity(activityType: "org.jitsi.JitsiMeet.ios.conference")
        activity.title = room
        activity.userInfo = ["room": room]
        activity.webpageURL = server?.appendingPathComponent(room)
        return activity
    }
}
