import UIKit

/// An app's delegate, and what the host hands to it; see `Picture`.
@MainActor
enum Delegate {
    private final class Taker: UIResponder, UIApplicationDelegate {
        var taken: [String] = []

        func application(
            _ application: UIApplication, continue userActivity: NSUserActivity,
            restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
        ) -> Bool {
            restorationHandler(nil)
            taken.append(userActivity.activityType)
            return userActivity.activityType == "known"
        }
    }

    private final class Idler: UIResponder, UIApplicationDelegate {}

    /// What an app that knows one kind of activity says to two, and what it was told of.
    static func knowing() -> (answers: [Bool], told: [String]) {
        let taker = Taker()
        UIApplication.shared.delegate = taker
        let answers = ["known", "unknown"].map(hand)
        UIApplication.shared.delegate = nil
        return (answers, taker.taken)
    }

    static func idle() -> Bool {
        let idler = Idler()
        UIApplication.shared.delegate = idler
        defer { UIApplication.shared.delegate = nil }
        return hand("known")
    }

    /// Whether there is a way to an app while it has a delegate, and when it has let go of it.
    static func isOpen() -> (kept: Bool, gone: Bool) {
        let idler = Idler()
        UIApplication.shared.delegate = idler
        let kept = ActivityDoor.shared.isOpen
        UIApplication.shared.delegate = nil
        withExtendedLifetime(idler) {}
        return (kept, ActivityDoor.shared.isOpen)
    }

    private static func hand(_ type: String) -> Bool {
        ActivityDoor.shared.hand(NSUserActivity(activityType: type))
    }
}
