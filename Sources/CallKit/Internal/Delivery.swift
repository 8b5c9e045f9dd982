internal import CallClient

/// Something for the delegate, and what is done if there is none.
struct Delivery: Sendable {
    let body: @Sendable (any CXProviderDelegate, CXProvider) -> Void
    let otherwise: @Sendable () -> Void
}

extension CallError {
    static let invalidated = CallError(
        .closed, reason: "invalidated", "the provider was invalidated, or never came about")
}

/// Waits for the completion of what is begun, and throws what it gets.
nonisolated(nonsending) func waitForCompletion(
    of begin: (@escaping @Sendable ((any Error)?) -> Void) -> Void
) async throws {
    try await outcome { done in
        begin { done($0.map { .failure($0) } ?? .success(())) }
    }
}
