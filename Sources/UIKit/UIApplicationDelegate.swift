// Apple's Foundation declares NSUserActivity, so apps expect it from an import of UIKit.
@_exported public import Intents

/// The requests of the host to the app as a whole. Of UIKit's many methods only the one for calls
/// is here; it is optional, as on Apple's platforms.
@MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {
    /// Called when the user requests a call outside the app: `userActivity.interaction` has an
    /// intent to start it. Runs on the main actor, so the main queue must be running.
    ///
    /// - Parameter restorationHandler: has no effect, because there are no objects to restore here.
    /// - Returns: true if the app starts the call with a `CXStartCallAction` of its own. If it
    ///   returns false, the app receives the intent as it was before iOS 13; if it returns false
    ///   again, or lacks this method, its provider's delegate performs the start.
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool
}

extension UIApplicationDelegate {
    /// Returns false: an app that lacks the method has its provider's delegate perform the start.
    public func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        false
    }
}

/// The type of the objects that an app passes to a restoration handler. The handler ignores them.
public protocol UIUserActivityRestoring: NSObjectProtocol {}

/// The superclass that app delegates usually name. It has no behavior: there are no events to
/// respond to.
open class UIResponder: NSObject {}

extension UIApplication {
    /// Passes an activity to the delegate, and returns whether the app handles it.
    @MainActor
    static func hand(_ activity: NSUserActivity) -> Bool {
        shared.delegate?.application(shared, continue: activity, restorationHandler: { _ in })
            ?? false
    }
}
