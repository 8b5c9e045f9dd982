/// The receiver of the user's responses. All methods are optional, in the form with a completion
/// handler or in the `async` one, and are called on the main queue.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    /// Called before a notification is shown. The handler's options decide whether it is shown, and
    /// with a sound; without the method it is.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping (UNNotificationPresentationOptions) -> Void)

    /// The `async` form.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions

    /// Called when the user has chosen a notification or one of its buttons, or dismissed it.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void)

    /// The `async` form.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async

    /// Never called: desktops have no such link.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}

extension UNUserNotificationCenterDelegate {
    /// Calls the `async` form.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        let transferred = Transferred((self, completionHandler))
        Task { @MainActor in
            let (delegate, handler) = transferred.value
            handler(
                await Transferred(delegate).value.userNotificationCenter(
                    center, willPresent: notification))
        }
    }

    /// Returns options with which the notification is shown.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        [.banner, .list, .sound]
    }

    /// Calls the `async` form.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let transferred = Transferred((self, completionHandler))
        Task { @MainActor in
            let (delegate, handler) = transferred.value
            await Transferred(delegate).value.userNotificationCenter(center, didReceive: response)
            handler()
        }
    }

    /// Does nothing.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {}

    /// Does nothing.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
    ) {}
}

/// A value that is transferred to another queue: the sender does not use it any more.
struct Transferred<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
