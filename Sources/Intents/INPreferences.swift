/// The user's decision whether the app gets intents. Raw values are Apple's, as in PyObjC.
public enum INSiriAuthorizationStatus: Int, Sendable {
    /// The user was not asked; never returned here.
    case notDetermined = 0
    /// A rule of the device forbids it; never returned here.
    case restricted = 1
    /// The user denied it; never returned here.
    case denied = 2
    /// The app gets intents.
    case authorized = 3
}

/// The settings for intents.
open class INPreferences: NSObject {
    /// Always `authorized`: what the user requests reaches every app that has a delegate.
    open class func siriAuthorizationStatus() -> INSiriAuthorizationStatus { .authorized }

    /// Calls the closure with `authorized`, on the main queue.
    open class func requestSiriAuthorization(
        _ handler: @escaping @Sendable (INSiriAuthorizationStatus) -> Void
    ) {
        DispatchQueue.main.async { handler(.authorized) }
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Returns the name of a class of intents as Objective-C has it, without the module: the type of
/// the activity that an app receives with such an intent.
public func NSStringFromClass(_ aClass: INIntent.Type) -> String {
    String(describing: aClass)
}
