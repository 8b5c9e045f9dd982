/// A value that one task waits for, and another thread will have.
package struct Promise<Value: Sendable>: Sendable {
    private let monitor = Monitor<Value?>(nil)

    package init() {}

    /// The first value counts.
    package func settle(_ value: Value) {
        monitor.change { $0 = $0 ?? value }
    }

    /// Waits for it.
    package nonisolated(nonsending) func value() async -> Value {
        await monitor.wait { $0 }
    }
}
