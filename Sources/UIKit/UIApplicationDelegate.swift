// An activity is Foundation's elsewhere: whoever imports UIKit knows it.
@_exported public import Intents

/// What the host asks of the app as a whole. Of UIKit's many methods there is the one that calls
/// need.
@MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {
    /// The user has asked elsewhere for something that this app does: `userActivity.interaction`
    /// has an intent to start a call.
    ///
    /// - Parameter restorationHandler: does nothing: there are no objects to restore here.
    /// - Returns: true if the app sees to it, with a `CXStartCallAction` of its own. False, and
    ///   without this method: its provider's delegate is to perform the start, as if the app had
    ///   asked.
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool
}

extension UIApplicationDelegate {
    public func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        false
    }
}

/// What an app may hand to a restoration handler. Nobody asks it for anything.
public protocol UIUserActivityRestoring: NSObjectProtocol {}

/// What app delegates inherit from. It does nothing.
open class UIResponder: NSObject {}

extension UIApplication {
    /// Gives an activity to the delegate.
    @MainActor
    static func hand(_ activity: NSUserActivity) -> Bool {
        shared.delegate?.application(shared, continue: activity, restorationHandler: { _ in })
            ?? false
    }
}
