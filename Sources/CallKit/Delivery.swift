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

extension CheckedContinuation<Void, any Error> {
    /// With what a completion got.
    func resume(_ error: (any Error)?) {
        if let error { resume(throwing: error) } else { resume() }
    }
}
