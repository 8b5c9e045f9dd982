internal import BrokerSocket

/// Starts an operation, and waits for the value of its completion.
package nonisolated(nonsending) func outcome<Value: Sendable>(
    of begin: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
) async throws -> Value {
    let outcome = Promise<Result<Value, any Error>>()
    begin { outcome.settle($0) }
    return try await outcome.value().get()
}
