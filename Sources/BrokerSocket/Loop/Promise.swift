/// A value that a task awaits and another thread provides.
package struct Promise<Value: Sendable>: Sendable {
    private let monitor = Monitor<Value?>(nil)

    package init() {}

    /// Provides the value; later calls have no effect.
    package func settle(_ value: Value) {
        monitor.change { $0 = $0 ?? value }
    }

    /// Waits for the value.
    package nonisolated(nonsending) func value() async -> Value {
        await monitor.wait { $0 }
    }
}
