internal import Synchronization

/// The way of an activity from the host to the app. Whoever knows the app's delegate opens it, and
/// whoever hears what the user wants sends it through.
package final class ActivityDoor: Sendable {
    /// Whether the app sees to it.
    package typealias Taker = @MainActor @Sendable (NSUserActivity) -> Bool

    /// A program has one app.
    package static let shared = ActivityDoor()

    private let taker = Mutex<Taker?>(nil)

    package var isOpen: Bool {
        taker.withLock { $0 != nil }
    }

    /// Nil closes it.
    package func open(_ taker: Taker?) {
        self.taker.withLock { $0 = taker }
    }

    /// False if the app does not see to it, or nobody is there.
    @MainActor
    package func hand(_ activity: NSUserActivity) -> Bool {
        taker.withLock { $0 }?(activity) ?? false
    }
}
