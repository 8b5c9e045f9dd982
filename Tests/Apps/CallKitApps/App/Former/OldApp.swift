import CallKit
import UIKit

/// As apps began and drew icons in Swift 4.1.
@available(*, deprecated, message: "written for Swift 4.1")
enum OldApp {
    static func launch(_ launchOptions: [UIApplicationLaunchOptionsKey: Any]?) -> Bool {
        launchOptions?[UIApplicationLaunchOptionsKey.url] == nil
    }

    static func configuration() -> CXProviderConfiguration {
        let configuration = CXProviderConfiguration(localizedName: "Old")
        if let icon = UIImage(named: "icon") {
            configuration.iconTemplateImageData = UIImagePNGRepresentation(icon)
        }
        return configuration
    }

    static var isInFront: Bool {
        let state: UIApplicationState = UIApplication.shared.applicationState
        return state == .active
    }

    static let names: [NSNotification.Name] = [
        .UIApplicationDidBecomeActive, .UIApplicationWillResignActive,
        .UIApplicationDidEnterBackground, .UIApplicationWillTerminate,
    ]
    static let task = UIBackgroundTaskInvalid
}
