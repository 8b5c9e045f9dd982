internal import Synchronization

/// A value that one task waits for, and another thread will have.
///
/// The value goes through the lock, never along with the continuation: one that is resumed before its
/// task has come to wait hands over what ThreadSanitizer takes for a race.
package final class Promise<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value?
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    /// The first value counts.
    package func settle(_ value: Value) {
        let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard state.value == nil else { return nil }
            state.value = value
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    /// Waits for it.
    package nonisolated(nonsending) func value() async -> Value {
        while true {
            if let value = state.withLock({ $0.value }) { return value }
            await withCheckedContinuation { continuation in
                if !waits(continuation) { continuation.resume() }
            }
        }
    }

    private func waits(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        state.withLock { state in
            guard state.value == nil else { return false }
            state.waiting = continuation
            return true
        }
    }
}
