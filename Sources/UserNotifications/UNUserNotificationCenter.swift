internal import Synchronization

/// The notifications of the app, which it shows with the server of the desktop
/// (`org.freedesktop.Notifications` on the session bus). Without one it does nothing, and logs so
/// once. Every member may be used from any thread.
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
    private static let instance = UNUserNotificationCenter()

    private struct State {
        weak var delegate: (any UNUserNotificationCenterDelegate)?
        var categories: Set<UNNotificationCategory> = []
        var pending: [(request: UNNotificationRequest, timer: any DispatchSourceTimer)] = []
        var shown: [UInt32: UNNotification] = [:]
    }

    private let state = Mutex(Transferred(State()))
    private let desktop = DesktopNotifications()

    /// The one center of the process.
    open class func current() -> UNUserNotificationCenter { instance }

    private override init() {
        super.init()
        desktop.onAction = { [weak self] id, action in self?.respond(action, to: id) }
        desktop.onClose = { [weak self] id, isByUser in self?.closed(id, isByUser) }
    }

    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            var value = state.value
            defer { state = Transferred(value) }
            return Transferred(body(&value))
        }.value
    }

    /// The receiver of the user's responses, held weakly.
    open weak var delegate: (any UNUserNotificationCenterDelegate)? {
        get { change { $0.delegate } }
        set { change { $0.delegate = newValue } }
    }

    // MARK: - Permission

    /// Calls the handler, on a queue of the system, with whether the session has a server of
    /// notifications.
    open func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        desktop.withServer { completionHandler($0, nil) }
    }

    /// Returns whether the session has a server of notifications.
    open func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
        await withCheckedContinuation { done in desktop.withServer { done.resume(returning: $0) } }
    }

    /// Calls the handler, on a queue of the system, with what the app may do.
    open func getNotificationSettings(
        completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
    ) {
        desktop.withServer { completionHandler(UNNotificationSettings(hasServer: $0)) }
    }

    /// Returns what the app may do.
    open func notificationSettings() async -> UNNotificationSettings {
        await withCheckedContinuation { done in
            desktop.withServer { done.resume(returning: UNNotificationSettings(hasServer: $0)) }
        }
    }

    // MARK: - Notifications

    /// Shows a notification, at once or after the time of its trigger. One with the same id is
    /// replaced.
    ///
    /// - Parameter completionHandler: called with nil when the notification is shown or waits, and
    ///   with a `UNError` if the session has no server of notifications.
    open func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        removePendingNotificationRequests(withIdentifiers: [request.identifier])
        guard let trigger = request.trigger as? UNTimeIntervalNotificationTrigger else {
            return present(request) { isShown in
                completionHandler?(isShown ? nil : UNError(code: .notificationsNotAllowed))
            }
        }
        schedule(request, trigger)
        completionHandler?(nil)
    }

    /// Shows a notification, at once or after the time of its trigger.
    ///
    /// - Throws: a `UNError` if the session has no server of notifications.
    open func add(_ request: UNNotificationRequest) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            add(request) { error in
                if let error { done.resume(throwing: error) } else { done.resume() }
            }
        }
    }

    private func schedule(
        _ request: UNNotificationRequest, _ trigger: UNTimeIntervalNotificationTrigger
    ) {
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.setEventHandler { [weak self] in
            guard let self else { return }
            if !trigger.repeats {
                removePendingNotificationRequests(withIdentifiers: [request.identifier])
            }
            present(request) { _ in }
        }
        let interval = trigger.timeInterval
        timer.schedule(
            deadline: .now() + interval, repeating: trigger.repeats ? interval : .infinity)
        change { $0.pending.append((request, timer)) }
        timer.resume()
    }

    /// Asks the delegate, and shows the notification if it does not decline.
    private func present(
        _ request: UNNotificationRequest, completion: @escaping @Sendable (Bool) -> Void
    ) {
        let notification = UNNotification(request)
        DispatchQueue.main.async { [self] in
            guard let delegate else {
                return show(notification, [.banner, .sound], completion)
            }
            delegate.userNotificationCenter(self, willPresent: notification) { [self] options in
                guard !options.isDisjoint(with: [.banner, .alert, .list]) else {
                    return completion(true)
                }
                show(notification, options, completion)
            }
        }
    }

    private func show(
        _ notification: UNNotification, _ options: UNNotificationPresentationOptions,
        _ completion: @escaping @Sendable (Bool) -> Void
    ) {
        let content = notification.request.content
        let (former, actions) = change { state in
            let id = notification.request.identifier
            let category = state.categories.first {
                $0.identifier == content.categoryIdentifier
            }
            return (
                state.shown.first { $0.value.request.identifier == id }?.key,
                category?.actions ?? []
            )
        }
        let card = Card(
            replaces: former ?? 0, content, isSilent: !options.contains(.sound),
            actions: actions)
        desktop.show(card) { [self] id in
            if let id { change { $0.shown[id] = notification } }
            completion(id != nil)
        }
    }

    // MARK: - Removal

    /// Removes notifications that wait for their time.
    open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        removePending { identifiers.contains($0.identifier) }
    }

    /// Removes all notifications that wait for their time.
    open func removeAllPendingNotificationRequests() {
        removePending { _ in true }
    }

    private func removePending(where matches: (UNNotificationRequest) -> Bool) {
        let timers = change { state in
            defer { state.pending.removeAll { matches($0.request) } }
            return state.pending.filter { matches($0.request) }.map(\.timer)
        }
        for timer in timers { timer.cancel() }
    }

    /// Calls the handler with the notifications that wait for their time.
    open func getPendingNotificationRequests(
        completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
    ) {
        completionHandler(change { $0.pending.map(\.request) })
    }

    /// Returns the notifications that wait for their time.
    open func pendingNotificationRequests() async -> [UNNotificationRequest] {
        change { $0.pending.map(\.request) }
    }

    /// Removes shown notifications from the desktop.
    open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        removeDelivered { identifiers.contains($0.request.identifier) }
    }

    /// Removes all shown notifications of the app from the desktop.
    open func removeAllDeliveredNotifications() {
        removeDelivered { _ in true }
    }

    private func removeDelivered(where matches: (UNNotification) -> Bool) {
        let ids = change { state in
            let ids = state.shown.filter { matches($0.value) }.map(\.key)
            for id in ids { state.shown[id] = nil }
            return ids
        }
        for id in ids { desktop.close(id) }
    }

    /// Calls the handler with the notifications that the desktop shows.
    open func getDeliveredNotifications(
        completionHandler: @escaping @Sendable ([UNNotification]) -> Void
    ) {
        completionHandler(change { Array($0.shown.values) })
    }

    /// Returns the notifications that the desktop shows.
    open func deliveredNotifications() async -> [UNNotification] {
        change { Array($0.shown.values) }
    }

    // MARK: - Buttons

    /// Sets the kinds of notification, whose buttons are shown with later notifications.
    open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        change { $0.categories = categories }
    }

    /// Calls the handler with the kinds of notification.
    open func getNotificationCategories(
        completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
    ) {
        completionHandler(change { $0.categories })
    }

    /// Has no effect: desktops have no badges.
    open func setBadgeCount(
        _ newBadgeCount: Int,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        completionHandler?(nil)
    }

    // MARK: - Responses

    private func respond(_ action: String, to id: UInt32) {
        guard let notification = change({ $0.shown[id] }) else { return }
        let response = UNNotificationResponse(action, to: notification)
        DispatchQueue.main.async { [self] in
            delegate?.userNotificationCenter(self, didReceive: response) {}
        }
    }

    /// Forgets a notification that the desktop no longer shows, and sends a response if its
    /// category has `customDismissAction` and the user dismissed it.
    private func closed(_ id: UInt32, _ isByUser: Bool) {
        let wantsDismissal = change { state in
            let category = state.shown[id]?.request.content.categoryIdentifier
            return state.categories.contains {
                $0.identifier == category && $0.options.contains(.customDismissAction)
            }
        }
        if isByUser, wantsDismissal { respond(UNNotificationDismissActionIdentifier, to: id) }
        change { $0.shown[id] = nil }
    }
}
