internal import CallClient

/// A call of the delegate, with the alternative if there is no delegate.
struct Delivery: Sendable {
    let body: @Sendable (any CXProviderDelegate, CXProvider) -> Void
    let otherwise: @Sendable () -> Void
}

extension CallError {
    static let invalidated = CallError(
        .closed, reason: "invalidated", "the provider was invalidated or could not be created")
}

/// Starts an operation, waits for its completion, and throws the error that it receives.
nonisolated(nonsending) func waitForCompletion(
    of begin: (@escaping @Sendable ((any Error)?) -> Void) -> Void
) async throws {
    try await outcome { done in
        begin { done($0.map { .failure($0) } ?? .success(())) }
    }
}
