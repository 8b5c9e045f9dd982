internal import Synchronization

/// The tasks in which a client answers requests of the broker.
final class RequestTasks: Sendable {
    private let tasks = Mutex<[BrokerRequest: Task<Void, Never>?]>([:])

    /// Starts the task of a request.
    func begin(_ request: BrokerRequest, _ work: @escaping @Sendable () async -> Void) {
        tasks.withLock { $0[request] = .some(nil) }
        let task = Task.immediate { [self] in
            await work()
            _ = tasks.withLock { $0.removeValue(forKey: request) }
        }
        tasks.withLock { if $0[request] != nil { $0[request] = task } }
    }

    /// Cancels the task of a request that the broker has withdrawn.
    func cancel(_ request: BrokerRequest) {
        tasks.withLock { $0[request] ?? nil }?.cancel()
    }
}

extension AsyncStream where Element: Sendable {
    /// Handles the events of a link in order, on the threads of tasks instead of the link's.
    func handle(_ work: @escaping @Sendable (Element) async -> Void) {
        Task {
            for await event in self { await work(event) }
        }
    }
}
