import CallClient

@testable import CallKit

/// A broker that the test plays, which this process looks for as long as it is kept.
final class PlayedBroker {
    private let broker: FakeBroker

    init() throws {
        // Observers, which controllers have, watch the broker that all tests share.
        let shared = Shared.host
        if shared != nil { _ = CXCallObserver().calls }
        broker = try FakeBroker()
        var options = ClientOptions(name: "test")
        options.socketPath = broker.path
        options.firstRetryMS = 1
        ProviderRegistry.shared.options = options
    }

    deinit {
        if let shared = Shared.host { ProviderRegistry.shared.options = shared.options }
    }

    func accept() throws -> LineSocket {
        try broker.accept()
    }
}
