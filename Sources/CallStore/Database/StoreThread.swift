package import BrokerSocket

/// The daemon's second thread, which owns the store.
///
/// The loop's thread submits jobs and continues. The second thread takes all waiting jobs at once,
/// runs them in one transaction, which is on the disk before any result is delivered, and wakes the
/// loop, which calls `settle`. Jobs that read see the writes of earlier jobs; a look-up sees those
/// whose results were delivered, and waits for no other job than the one that is running, unless
/// that reads. Used on the loop's thread.
package final class StoreThread {
    /// Ways in which a job uses the store.
    package enum Use: Sendable {
        /// Reads only. Interrupted by look-ups, and then run again.
        case read
        /// Reads who a caller is, before everything else.
        case lookUp
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

    /// What awaits its results, in the order of submission.
    private final class Line {
        var completions = FIFO<() -> Void>()
        var ready = 0

        /// Delivers the results that are ready.
        func next() -> (() -> Void)? {
            guard ready > 0 else { return nil }
            ready -= 1
            return completions.popFirst()
        }
    }

    private let queue: StoreQueue
    private let jobs = Line()
    private let lookUps = Line()
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
        waitingCount == 0
    }

    /// The number of jobs whose results have not been delivered.
    package var waitingCount: Int {
        jobs.completions.count + lookUps.completions.count
    }

    /// Submits a job. `settle` calls `then`, in the order of submission; for look-ups, in an order
    /// of their own.
    package func submit<Value: Sendable>(
        _ use: Use, _ work: @escaping @Sendable (CallStore) throws(StoreError) -> Value,
        then: @escaping (Result<Value, StoreError>) -> Void
    ) {
        let slot = ResultSlot<Value, StoreError>()
        let start = MonotonicTime.now()
        let line = use == .lookUp ? lookUps : jobs
        line.completions.append { [unowned self] in
            durations.record(from: start, to: .now())
            then(slot.result ?? .failure(StoreError(.stopping, "the request was not processed")))
        }
        if isStopped {
            slot.fill(.failure(StoreError(.stopping, "the broker is stopping")))
            line.ready += 1
            return
        }
        var job = StoreJob(use: use, running: work, into: slot)
        if waitingCount > Self.waitingMax {
            let words = "too many requests are waiting for the store (limit \(Self.waitingMax))"
            slot.fill(.failure(StoreError(.overloaded, words)))
            job = StoreJob(use: nil, run: { _ in nil }, fail: { _ in })
        }
        queue.submit(job, isUrgent: use == .lookUp)
    }

    /// Delivers the results that are ready, of look-ups first.
    package func settle() {
        receiveCompleted()
        while let deliver = lookUps.next() ?? jobs.next() { deliver() }
    }

    private func receiveCompleted() {
        let (done, news) = queue.takeCompleted()
        notices += news
        jobs.ready += done.count
        lookUps.ready += done.urgent
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
