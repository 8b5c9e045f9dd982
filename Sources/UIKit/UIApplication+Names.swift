extension UIApplication {
    /// The state of the program. Raw values are Apple's, as in .NET.
    public enum State: Int, Sendable {
        /// The program has launched.
        case active = 0
        /// The program is launching.
        case inactive = 1
        /// Never returned: a program on Linux is not sent to the background.
        case background = 2
    }

    /// Whether an app may refresh in the background. Raw values are Apple's, as in .NET.
    public enum BackgroundRefreshStatus: Int, Sendable {
        /// The user may not change it.
        case restricted = 0
        /// The user forbade it.
        case denied = 1
        /// The program always runs.
        case available = 2
    }

    /// A fact about a launch.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// Apple's string constant.
        public let rawValue: String

        /// Accepts any string.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The link with which the program was started, a `URL`.
        public static let url = Self(rawValue: "UIApplicationLaunchOptionsURLKey")
        /// The app that opened the link; never there.
        public static let sourceApplication = Self(
            rawValue: "UIApplicationLaunchOptionsSourceApplicationKey")
        /// A push that launched the app; never there.
        public static let remoteNotification = Self(
            rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
        /// An activity that launched the app; never there, because the broker starts no apps.
        public static let userActivityDictionary = Self(
            rawValue: "UIApplicationLaunchOptionsUserActivityDictionaryKey")
        /// The type of such an activity; never there.
        public static let userActivityType = Self(
            rawValue: "UIApplicationLaunchOptionsUserActivityTypeKey")
        /// A change of place that launched the app; never there.
        public static let location = Self(rawValue: "UIApplicationLaunchOptionsLocationKey")
    }

    /// A fact about a link to open.
    public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
        /// Apple's string constant.
        public let rawValue: String

        /// Accepts any string.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The app that opened the link; never there.
        public static let sourceApplication = Self(
            rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
        /// A value of that app; never there.
        public static let annotation = Self(rawValue: "UIApplicationOpenURLOptionsAnnotationKey")
        /// Whether the file may be changed in place; never there.
        public static let openInPlace = Self(
            rawValue: "UIApplicationOpenURLOptionsOpenInPlaceKey")
    }

    /// An option of `open(_:options:completionHandler:)`. None has an effect.
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        /// Apple's string constant.
        public let rawValue: String

        /// Accepts any string.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Open the link only in an app that declares it.
        public static let universalLinksOnly = Self(
            rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The link that opens the settings of an app on Apple's platforms. Nothing opens it here.
    public static let openSettingsURLString = "app-settings:"

    /// Posted when the program has launched.
    public class var didFinishLaunchingNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationDidFinishLaunchingNotification")
    }
    /// Posted once, after the launch.
    public class var didBecomeActiveNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationDidBecomeActiveNotification")
    }
    /// Never posted.
    public class var willResignActiveNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationWillResignActiveNotification")
    }
    /// Never posted.
    public class var didEnterBackgroundNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationDidEnterBackgroundNotification")
    }
    /// Never posted.
    public class var willEnterForegroundNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationWillEnterForegroundNotification")
    }
    /// Posted before the program ends because of SIGTERM or SIGINT.
    public class var willTerminateNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationWillTerminateNotification")
    }
}

/// What an app found when it was woken for a push. The host wakes no app for one.
public enum UIBackgroundFetchResult: UInt, Sendable {
    /// There was something new.
    case newData = 0
    /// There was nothing new.
    case noData = 1
    /// Looking for something new failed.
    case failed = 2
}
