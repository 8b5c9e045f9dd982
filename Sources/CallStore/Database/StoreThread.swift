package import BrokerSocket

/// The daemon's second thread, on which the store lives.
///
/// The loop's thread submits work and goes on. The second thread takes all that waits at once, does it
/// in one transaction that is on the disk before anybody is told, and wakes the loop, which calls
/// `settle`. Work that reads sees what was written before it. Used from the loop's thread.
package final class StoreThread {
    /// What a piece of work does to the store.
    package enum Use: Sendable {
        /// Reads.
        case read
        /// Writes: done once and for all, or not at all. Undone and done again by itself if another
        /// piece of the same transaction stands in its way.
        case write
        /// Begins, interrupts or goes on with a load of the caller directory, which has no
        /// transaction (`beginDirectory`, `putDirectory`, `interruptDirectory`). Done once.
        case load
    }

    /// So many pieces of work may wait; more are refused.
    package static let waitingMax = 4_096

    private let queue: StoreQueue
    private var completions = FIFO<() -> Void>()
    private var ready = 0
    private var notices: [StoreNotice] = []
    private var isStopped = false

    /// - Parameter loop: what wakes the loop that calls `settle`.
    package init(_ place: StorePlace, wakes loop: Wakeup) throws(SocketError) {
        let queue = try StoreQueue(wakes: loop)
        self.queue = queue
        try HostThread.start { StoreWorker(CallStore(place), queue).run() }
    }

    deinit {
        queue.close()
    }

    /// Whether nothing is under way: all that was submitted is done, and told.
    package var isIdle: Bool {
        completions.isEmpty
    }

    /// Has it done on the second thread. `then` is called by `settle`, after those of everything that
    /// was submitted before.
    package func submit<Value: Sendable>(
        _ use: Use, _ work: @escaping @Sendable (CallStore) throws(StoreError) -> Value,
        then: @escaping (Result<Value, StoreError>) -> Void
    ) {
        let slot = ResultSlot<Value, StoreError>()
        completions.append {
            then(slot.result ?? .failure(StoreError(.stopping, "it was never done")))
        }
        if isStopped {
            slot.fill(.failure(StoreError(.stopping, "the broker stops")))
            ready += 1
        } else if completions.count > Self.waitingMax {
            let words = "\(Self.waitingMax) pieces of work wait for the store already"
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

    /// Tells what was done by now, in the order in which it was submitted.
    package func settle() {
        takeDone()
        while ready > 0 {
            ready -= 1
            completions.popFirst()?()
        }
    }

    private func takeDone() {
        let (done, news) = queue.takeCompleted()
        notices += news
        ready += done
    }

    /// What happened to the store's files since the last time it was asked.
    package func takeNotices() -> [StoreNotice] {
        takeDone()
        defer { notices = [] }
        return notices
    }

    /// Has everything done that was submitted, tells it, and ends the thread.
    package func stop() {
        guard !isStopped else { return }
        isStopped = true
        queue.close()
        queue.ended.wait()
        settle()
    }
}
