internal import Synchronization

/// The path of an activity from the host to the app. `UIKit` opens it when the app sets its
/// delegate, and `CallKit` passes an activity through it for each call that is requested outside
/// the app.
package final class ActivityDoor: Sendable {
    /// Passes an activity to the app, and returns whether the app handles it.
    package typealias Handler = @MainActor @Sendable (NSUserActivity) -> Bool

    /// The door of the process, which has one app.
    package static let shared = ActivityDoor()

    private let handler = Mutex<Handler?>(nil)

    /// True if the app has a delegate that can receive activities.
    package var isOpen: Bool {
        handler.withLock { $0 != nil }
    }

    /// Sets the handler; nil closes the door.
    package func open(_ handler: Handler?) {
        self.handler.withLock { $0 = handler }
    }

    /// Passes an activity to the app. Returns false if the app does not handle it or has no
    /// delegate.
    @MainActor
    package func hand(_ activity: NSUserActivity) -> Bool {
        handler.withLock { $0 }?(activity) ?? false
    }
}
