/// A thread for disk operations, which may take long: the loop submits work and continues. Work is
/// done in the order of submission. All methods are called on the loop's thread.
package final class DiskThread {
    private let queue: WorkQueue<@Sendable () -> Void, Never>
    private var completions = FIFO<() -> Void>()

    /// - Parameter loop: Wakes the loop that calls `settle`.
    package init(wakes loop: Wakeup) throws(SocketError) {
        let queue = try WorkQueue<@Sendable () -> Void, Never>(wakes: loop)
        self.queue = queue
        try HostThread.start {
            while let jobs = queue.next() {
                for job in jobs {
                    job()
                    queue.complete(1)
                }
            }
            queue.ended.signal()
        }
    }

    deinit {
        queue.close()
    }

    /// Indicates that all submitted work is done and its completions have been called.
    package var isIdle: Bool {
        completions.isEmpty
    }

    /// Submits work for the thread. `settle` calls `then` on the loop's thread.
    package func submit<Value: Sendable>(
        _ work: @escaping @Sendable () throws(SocketError) -> Value,
        then: @escaping (Result<Value, SocketError>) -> Void
    ) {
        let slot = ResultSlot<Value, SocketError>()
        completions.append {
            then(slot.result ?? .failure(SocketError(.unusable, "the disk did not respond")))
        }
        queue.submit { slot.fill(Result { () throws(SocketError) in try work() }) }
    }

    /// Calls the completions of the work that is done.
    package func settle() {
        for _ in 0..<queue.takeCompleted().done.count { completions.popFirst()?() }
    }

    /// Waits for the submitted work up to the time limit, calls its completions, and ends the
    /// thread.
    package func stop(withinMS milliseconds: Int) {
        queue.close()
        queue.ended.wait(atMostMS: milliseconds)
        settle()
    }
}
