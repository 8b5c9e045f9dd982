import UIKit

class RKBridge {
    let moduleName: String
    init(moduleName: String) { self.moduleName = moduleName }
}

class RKAppDelegateBase: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    var moduleName = ""
    var initialProps: [String: Any] = [:]
    private(set) var bridge: RKBridge?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        bridge = RKBridge(moduleName: moduleName)
        return true
    }
}

class RKAppDelegate: RKAppDelegateBase {
    override func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        RKKeep.initCallKitProvider(["appName": "Keep", "maximumCallGroups": 3])
        moduleName = "keep"
        initialProps = [:]
        return super.application(application, didFinishLaunchingWithOptions: launchOptions)
    }
}
