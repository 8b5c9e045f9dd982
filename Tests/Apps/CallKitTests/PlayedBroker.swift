import CallClient
import Foundation
import Synchronization
import Testing

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

/// What is done on a thread of its own while the test plays the broker. A test that waits for a
/// socket holds one of the few threads that tasks run on: a task might never begin.
final class Aside<Value: Sendable>: Sendable {
    private let done = Diary()
    private let made = Mutex<Value?>(nil)

    init(_ work: @escaping @Sendable () -> Value) {
        Thread.detachNewThread { [self] in
            let value = work()
            made.withLock { $0 = value }
            done.note("done")
        }
    }

    var value: Value {
        get async throws {
            _ = await done.lines(1)
            return try #require(made.withLock { $0 })
        }
    }
}
