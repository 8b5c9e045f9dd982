import Intents
import UIKit
import os.log

private let log = OSLog(subsystem: "org.example.chat", category: "life")

@objcMembers
class ChatAppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    private(set) var openedUrls: [URL] = []
    private(set) var startedCalls: [String] = []

    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        os_log("launching", log: log, type: .debug)
        return true
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        window = UIWindow()
        window?.rootViewController = UIViewController()
        window?.makeKeyAndVisible()
        return true
    }

    func application(
        _ app: UIApplication, open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        openedUrls.append(url)
        return options[.sourceApplication] == nil
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        let contacts: [INPerson]?
        switch userActivity.interaction?.intent {
        case let intent as INStartCallIntent: contacts = intent.contacts
        case let intent as INStartAudioCallIntent: contacts = intent.contacts
        case let intent as INStartVideoCallIntent: contacts = intent.contacts
        default: return false
        }
        guard let identifier = contacts?.first?.personHandle?.value else { return false }
        startedCalls.append(identifier)
        return true
    }

    func applicationWillResignActive(_ application: UIApplication) {}
    func applicationDidEnterBackground(_ application: UIApplication) {}
    func applicationWillEnterForeground(_ application: UIApplication) {}
    func applicationDidBecomeActive(_ application: UIApplication) {}
}
