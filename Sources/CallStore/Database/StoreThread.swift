package import BrokerSocket

/// The daemon's second thread, which owns the store.
///
/// The loop's thread submits jobs and continues. The second thread takes all waiting jobs at once,
/// runs them in one transaction, which is on the disk before any result is delivered, and wakes the
/// loop, which calls `settle`. Jobs that read see the writes of earlier jobs. Used on the loop's
/// thread.
package final class StoreThread {
    /// Ways in which a job uses the store.
    package enum Use: Sendable {
        /// Reads only.
        case read
        /// Writes all or nothing. Rolled back and run again on its own if another job of the same
        /// transaction fails it.
        case write
        /// Begins, interrupts or continues a load of the caller directory, which has no transaction
        /// (`beginDirectory`, `putDirectory`, `interruptDirectory`). Run once.
        case load
        /// Copies a part of the store, which is not possible within a transaction.
        case copy
    }

    /// The maximum number of waiting jobs; more are refused.
    package static let waitingMax = 4_096

    private let queue: StoreQueue
    private var completions = FIFO<() -> Void>()
    private var ready = 0
    private var notices: [StoreNotice] = []
    private var isStopped = false
    /// The times from the submission of jobs to the delivery of their results.
    package private(set) var durations = LatencyHistogram()

    /// - Parameter loop: Wakes the loop that calls `settle`.
    package init(_ place: StorePlace, wakes loop: Wakeup) throws(SocketError) {
        let queue = try StoreQueue(wakes: loop)
        self.queue = queue
        try HostThread.start { StoreWorker(CallStore(place), queue).run() }
    }

    deinit {
        queue.close()
    }

    /// Indicates that all submitted jobs are done and their results have been delivered.
    package var isIdle: Bool {
        completions.isEmpty
    }

    /// The number of jobs whose results have not been delivered.
    package var waitingCount: Int {
        completions.count
    }

    /// Submits a job. `settle` calls `then`, in the order of submission.
    package func submit<Value: Sendable>(
        _ use: Use, _ work: @escaping @Sendable (CallStore) throws(StoreError) -> Value,
        then: @escaping (Result<Value, StoreError>) -> Void
    ) {
        let slot = ResultSlot<Value, StoreError>()
        let start = MonotonicTime.now()
        completions.append { [unowned self] in
            durations.record(from: start, to: .now())
            then(slot.result ?? .failure(StoreError(.stopping, "the request was not processed")))
        }
        if isStopped {
            slot.fill(.failure(StoreError(.stopping, "the broker is stopping")))
            ready += 1
        } else if completions.count > Self.waitingMax {
            let words = "too many requests are waiting for the store (limit \(Self.waitingMax))"
            slot.fill(.failure(StoreError(.overloaded, words)))
            queue.submit(StoreJob(use: nil, run: { _ in nil }, fail: { _ in }))
        } else {
            queue.submit(
                StoreJob(
                    use: use,
                    run: { store in
                        let result = Result { () throws(StoreError) in try work(store) }
                        slot.fill(result)
                        return if case .failure(let error) = result { error } else { nil }
                    }, fail: { slot.fill(.failure($0)) }))
        }
    }

    /// Delivers the results that are ready, in the order of submission.
    package func settle() {
        receiveCompleted()
        while ready > 0 {
            ready -= 1
            completions.popFirst()?()
        }
    }

    private func receiveCompleted() {
        let (done, news) = queue.takeCompleted()
        notices += news
        ready += done
    }

    /// Returns the notices about the store's files since the last call.
    package func takeNotices() -> [StoreNotice] {
        receiveCompleted()
        defer { notices = [] }
        return notices
    }

    /// Waits for all submitted jobs, delivers their results, and ends the thread.
    package func stop() {
        guard !isStopped else { return }
        isStopped = true
        queue.close()
        queue.ended.wait()
        settle()
    }
}
