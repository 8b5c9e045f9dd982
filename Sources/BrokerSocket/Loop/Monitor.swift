internal import Synchronization

/// A state that threads change, and one task waits for.
///
/// What the task finds goes through the lock, never along with the continuation: one that is resumed
/// before its task has come to wait hands over what ThreadSanitizer takes for a race.
package final class Monitor<State: Sendable>: Sendable {
    private struct Guarded: Sendable {
        var state: State
        /// Since the task looked last.
        var hasChanged = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let guarded: Mutex<Guarded>

    package init(_ state: State) {
        guarded = Mutex(Guarded(state: state))
    }

    /// Changes it; who waits looks again.
    package func change(_ change: (inout State) -> Void) {
        let waiting: CheckedContinuation<Void, Never>? = guarded.withLock { guarded in
            change(&guarded.state)
            guarded.hasChanged = true
            defer { guarded.waiting = nil }
            return guarded.waiting
        }
        waiting?.resume()
    }

    /// Waits until a look at it finds something, and may take that out.
    package nonisolated(nonsending) func wait<Found: Sendable>(
        for look: (inout State) -> Found?
    ) async -> Found {
        while true {
            if let found = found(by: look) { return found }
            await withCheckedContinuation { continuation in
                if !waits(continuation) { continuation.resume() }
            }
        }
    }

    private func found<Found: Sendable>(by look: (inout State) -> Found?) -> Found? {
        guarded.withLock { guarded in
            guarded.hasChanged = false
            return look(&guarded.state)
        }
    }

    private func waits(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        guarded.withLock { guarded in
            guard !guarded.hasChanged else { return false }
            guarded.waiting = continuation
            return true
        }
    }
}
