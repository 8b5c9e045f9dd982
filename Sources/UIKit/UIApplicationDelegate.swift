// Apple's Foundation declares NSUserActivity, so apps expect it from an import of UIKit.
@_exported public import Intents

/// The events of the app as a whole. All methods are optional, as on Apple's platforms, and run on
/// the main actor.
@MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {
    /// Called first, before the app has a delegate that can be called from elsewhere.
    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// Called when the program begins, before the main run loop runs: the place to make a
    /// `CXProvider`.
    ///
    /// - Parameter launchOptions: the link with which the program was started, if any; otherwise
    ///   nil.
    /// - Returns: false if the app does not want `application(_:open:options:)` for that link.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// Called when launching has ended, as before there were options.
    func applicationDidFinishLaunching(_ application: UIApplication)
    /// Called once, after the launch: a program on Linux then runs until it ends.
    func applicationDidBecomeActive(_ application: UIApplication)
    /// Never called: nothing makes a program on Linux inactive.
    func applicationWillResignActive(_ application: UIApplication)
    /// Never called: a program on Linux is not sent to the background.
    func applicationDidEnterBackground(_ application: UIApplication)
    /// Never called: a program on Linux is not sent to the background.
    func applicationWillEnterForeground(_ application: UIApplication)
    /// Called when the program receives SIGTERM or SIGINT. It ends when the method returns.
    func applicationWillTerminate(_ application: UIApplication)
    /// Never called: the kernel sends no such warning.
    func applicationDidReceiveMemoryWarning(_ application: UIApplication)

    /// Called after the launch with the link that the program was started with: its first argument
    /// with a scheme, which is what `%u` in a desktop entry becomes.
    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool

    /// Called before an activity is continued. The result has no effect.
    func application(
        _ application: UIApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool

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

    /// Never called: the app receives an intent with `application(_:continue:restorationHandler:)`,
    /// which is where a handler of intents would send it.
    func application(_ application: UIApplication, handlerFor intent: INIntent) -> Any?

    /// Never called: Linux has no Apple Push Notification service.
    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)

    /// Called after `registerForRemoteNotifications()`, always.
    func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error)

    /// Never called: Linux has no Apple Push Notification service.
    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)

    /// Never called: there are no scenes.
    func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration

    /// Never called: there are no scenes.
    func application(
        _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)
}

/// The type of the objects that an app passes to a restoration handler. The handler ignores them.
public protocol UIUserActivityRestoring: NSObjectProtocol {}

/// The superclass that app delegates usually name. It has no behavior: there are no events to
/// respond to. Its initializer is required, because `@main` makes the delegate; on Apple's
/// platforms Objective-C does.
open class UIResponder: NSObject {
    /// Makes a responder.
    override public required init() {
        super.init()
    }
}

extension UIApplication {
    /// Passes an activity to the delegate, and returns whether the app handles it.
    @MainActor
    static func hand(_ activity: NSUserActivity) -> Bool {
        guard let delegate = shared.delegate else { return false }
        _ = delegate.application(
            shared, willContinueUserActivityWithType: activity.activityType)
        return delegate.application(shared, continue: activity, restorationHandler: { _ in })
    }
}
