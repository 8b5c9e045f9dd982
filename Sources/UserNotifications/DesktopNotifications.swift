internal import Dispatch

/// A notification as the desktop receives it.
struct Card: Sendable {
    /// The number of the notification that this one replaces; 0 for none.
    let replaces: UInt32
    let summary: String
    let body: String
    let urgency: UInt8
    let isSilent: Bool
    /// Ids and texts by turns, as the server expects them.
    let actions: [String]

    init(
        replaces: UInt32, _ content: UNNotificationContent, isSilent: Bool,
        actions: [UNNotificationAction]
    ) {
        self.replaces = replaces
        summary = content.title
        body = [content.subtitle, content.body].filter { !$0.isEmpty }.joined(separator: "\n")
        urgency =
            switch content.interruptionLevel {
            case .passive: 0
            case .active, .timeSensitive: 1
            case .critical: 2
            }
        self.isSilent = isSilent || content.sound == nil
        self.actions = ["default", ""] + actions.flatMap { [$0.identifier, $0.title] }
    }
}

/// The server of notifications of the desktop. It has a queue of its own, because a call of the
/// server waits for the reply.
final class DesktopNotifications: @unchecked Sendable {
    /// Called with the number of a notification and the id of an action that the user chose. Set
    /// before the first use.
    var onAction: @Sendable (UInt32, String) -> Void = { _, _ in }
    /// Called with the number of a notification that is no longer shown, and whether the user
    /// dismissed it. Set before the first use.
    var onClose: @Sendable (UInt32, Bool) -> Void = { _, _ in }

    private let queue = DispatchQueue(label: "org.callbroker.notifications")
    // The queue guards the rest.
    private var bus: SessionBus?
    private var hasMarkup = false
    private var hasLogged = false

    /// Calls the closure with whether the session has a server.
    func withServer(_ body: @escaping @Sendable (Bool) -> Void) {
        queue.async { body(self.connection() != nil) }
    }

    /// Shows a notification, and calls the closure with its number; nil if there is no server.
    func show(_ card: Card, completion: @escaping @Sendable (UInt32?) -> Void) {
        queue.async {
            let id = self.connection()?.notify(card, hasMarkup: self.hasMarkup)
            completion(id)
            self.drain()
        }
    }

    func close(_ id: UInt32) {
        queue.async {
            self.bus?.closeNotification(id)
            self.drain()
        }
    }

    /// The connection, if the server answers; otherwise logs once that there is none.
    private func connection() -> SessionBus? {
        if let bus, bus.isOpen { return bus }
        bus = SessionBus(queue: queue) { [weak self] in self?.drain() }
        if let capabilities = bus?.capabilities() {
            hasMarkup = capabilities.contains("body-markup")
            return bus
        }
        bus = nil
        if !hasLogged {
            NSLog("UNUserNotificationCenter shows nothing: %@.", "\(UNError.noServer)")
        }
        hasLogged = true
        return nil
    }

    /// Passes on the signals that have arrived, also those beside a reply.
    private func drain() {
        while let signal = bus?.nextSignal() {
            switch signal {
            case .action(let id, let action):
                onAction(id, action == "default" ? UNNotificationDefaultActionIdentifier : action)
            case .closed(let id, let reason): onClose(id, reason == 2)
            }
        }
        if bus?.isOpen == false { bus = nil }
    }
}
