import AVFAudio
import CallKit
import Intents
import OSLog
import UIKit
import UserNotifications
import os.log

/// Says what happens to it, for the test that started it.
@UIApplicationMain
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    private let logger = os.Logger(subsystem: "org.example.life", category: "app")
    private var ticks = 0
    private var provider: CXProvider?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        say("launched \(launchOptions?[.url] as? URL == nil ? "by itself" : "with a link")")
        NotificationCenter.default.addObserver(
            self, selector: #selector(becameActive(_:)),
            name: UIApplication.didBecomeActiveNotification, object: nil)
        Timer.scheduledTimer(
            timeInterval: 0.01, target: self, selector: #selector(AppDelegate.tick), userInfo: nil,
            repeats: true)
        let name = "Ada"
        logger.info("for \(name, privacy: .public), not for \(name), \(3)")
        os_log("old %{public}@ and %@", log: .default, type: .error, name, name)
        window = UIWindow(frame: UIScreen.main.bounds)
        window?.rootViewController = CallController()
        window?.makeKeyAndVisible()
        return true
    }

    func application(
        _ app: UIApplication, open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        say("opens \(url.scheme ?? "")")
        return true
    }

    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: Error
    ) {
        say("no token, registered \(application.isRegisteredForRemoteNotifications)")
    }

    func applicationWillResignActive(_ application: UIApplication) {
        say("resigns")
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        say("in the background")
    }

    func applicationWillEnterForeground(_ application: UIApplication) {
        say("in the foreground")
    }

    func applicationWillTerminate(_ application: UIApplication) {
        say("terminates")
    }

    @objc func becameActive(_ notification: NSNotification) {
        say("active \(UIApplication.shared.applicationState == .active)")
    }

    @objc private func tick(_ timer: Timer) {
        ticks += 1
        guard ticks == 2 else { return }
        timer.invalidate()
        say("timer on main \(Thread.isMainThread)")
        perform(#selector(self.later(_:)), with: "later", afterDelay: 0)
    }

    @objc func later(_ text: String) {
        NotificationCenter.default.removeObserver(self)
        NotificationCenter.default.post(
            name: UIApplication.didBecomeActiveNotification, object: nil)
        say(text)
        if CommandLine.arguments.contains("--notify") { notify() }
        if CommandLine.arguments.contains("--call") { followRoute() }
        if CommandLine.arguments.contains("--register") {
            UIApplication.shared.registerForRemoteNotifications()
        }
        if CommandLine.arguments.contains("--open") { open("sip:ann@example.org") }
    }

    private func open(_ text: String) {
        guard let link = URL(string: text) else { return }
        say("can open \(UIApplication.shared.canOpenURL(link))")
        UIApplication.shared.open(link, options: [:]) { say("opened \($0)") }
    }

    private func followRoute() {
        provider = CXProvider(configuration: CXProviderConfiguration(localizedName: "Life"))
        NotificationCenter.default.addObserver(
            self, selector: #selector(routeChanged), name: AVAudioSession.routeChangeNotification,
            object: nil)
        say("route \(AVAudioSession.sharedInstance().currentRoute.outputs.isEmpty)")
    }

    @objc private func routeChanged(_ notification: Notification) {
        let route = AVAudioSession.sharedInstance().currentRoute
        let port = route.outputs.first
        let before =
            notification.userInfo?[AVAudioSessionRouteChangePreviousRouteKey]
            as? AVAudioSessionRouteDescription
        let reason = notification.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt
        say(
            "route \(port?.portType.rawValue ?? "none") \(port?.portName ?? "-") from "
                + "\(before?.outputs.first?.portType.rawValue ?? "none"), reason \(reason ?? 0), "
                + "inputs \(route.inputs.map(\.portType.rawValue))")
    }

    private func notify() {
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        center.setNotificationCategories([
            UNNotificationCategory(
                identifier: "missed",
                actions: [UNNotificationAction(identifier: "back", title: "Call back")],
                intentIdentifiers: [], options: .customDismissAction)
        ])
        center.requestAuthorization(options: [.alert, .sound]) { granted, _ in
            say("granted \(granted)")
            let content = UNMutableNotificationContent()
            content.title = "Missed call"
            content.body = "Ada <3 & co"
            content.categoryIdentifier = "missed"
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 0.01, repeats: false)
            center.add(
                UNNotificationRequest(identifier: "later", content: content, trigger: trigger))
            let now = UNNotificationRequest(identifier: "now", content: content, trigger: nil)
            center.add(now) { error in
                say("added \(error == nil)")
                if error != nil { center.add(now) { _ in say("added again") } }
            }
        }
    }
}

extension AppDelegate: UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        if notification.request.identifier == "now" { say("may present now") }
        completionHandler([.banner, .sound])
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        say("chose \(response.actionIdentifier) of \(response.notification.request.identifier)")
        center.removeDeliveredNotifications(withIdentifiers: ["now"])
        completionHandler()
    }
}

class CallController: UIViewController {
    override func viewDidLoad() {
        super.viewDidLoad()
        say("loaded")
    }
}

func say(_ line: String) {
    print(line)
    fflush(stdout)
}
