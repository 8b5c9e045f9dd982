/// A thread for what waits for a disk, which may take its time: the loop submits work and goes on. One piece
/// is done after the other, in the order in which they were submitted. Used from the loop's thread.
package final class DiskThread {
    private let queue: WorkQueue<@Sendable () -> Void, Never>
    private var completions = FIFO<() -> Void>()

    /// - Parameter loop: what wakes the loop that calls `settle`.
    package init(wakes loop: Wakeup) throws(SocketError) {
        let queue = try WorkQueue<@Sendable () -> Void, Never>(wakes: loop)
        self.queue = queue
        try HostThread.start {
            while let jobs = queue.next() {
                for job in jobs {
                    job()
                    queue.finish(1)
                }
            }
            queue.end.signal()
        }
    }

    deinit {
        queue.endIntake()
    }

    /// Whether nothing is under way: all that was submitted is done, and told.
    package var isIdle: Bool {
        completions.isEmpty
    }

    /// Has it done on the thread. `then` is called by `settle`, on the loop's.
    package func submit<Value: Sendable>(
        _ work: @escaping @Sendable () throws(SocketError) -> Value,
        then: @escaping (Result<Value, SocketError>) -> Void
    ) {
        let slot = ResultSlot<Value, SocketError>()
        completions.append {
            then(slot.result ?? .failure(SocketError(.unusable, "the disk has not answered")))
        }
        queue.put { slot.fill(Result { () throws(SocketError) in try work() }) }
    }

    /// Tells what was done by now.
    package func settle() {
        for _ in 0..<queue.takeDone().count { completions.popFirst()?() }
    }

    /// Waits until everything that was submitted is done, but not for ever, tells it, and ends the thread.
    package func stop(withinMS milliseconds: Int) {
        queue.endIntake()
        queue.end.wait(atMostMS: milliseconds)
        settle()
    }
}
