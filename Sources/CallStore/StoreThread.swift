package import BrokerSocket
internal import Synchronization

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

    private let shared: StoreQueue
    private var completions: [() -> Void] = []
    private var settled = 0
    private var ready = 0
    private var notices: [StoreNotice] = []
    private var isStopped = false

    /// - Parameter loop: what wakes the loop that calls `settle`.
    package init(_ place: StorePlace, wakes loop: Wakeup) throws(SocketError) {
        let shared = StoreQueue(loop: loop, work: try Wakeup(), end: try Wakeup())
        self.shared = shared
        try HostThread.start { StoreWorker(CallStore(place), shared).run() }
    }

    deinit {
        shared.endIntake()
    }

    /// Whether nothing is under way: all that was submitted is done, and told.
    package var isIdle: Bool {
        completions.count == settled
    }

    /// Has it done on the second thread. `then` is called by `settle`, after those of everything that
    /// was submitted before.
    package func submit<Value: Sendable>(
        _ use: Use, _ work: @escaping @Sendable (CallStore) throws(StoreError) -> Value,
        then: @escaping (Result<Value, StoreError>) -> Void
    ) {
        let slot = Slot<Value>()
        completions.append { then(slot.result) }
        if isStopped {
            slot.fail(StoreError(.stopping, "the broker stops"))
            ready += 1
        } else if completions.count - settled > Self.waitingMax {
            let words = "\(Self.waitingMax) pieces of work wait for the store already"
            slot.fail(StoreError(.overloaded, words))
            shared.put(StoreJob(use: nil, run: { _ in nil }, fail: { _ in }))
        } else {
            shared.put(
                StoreJob(
                    use: use, run: { slot.fill($0, work) }, fail: { slot.fail($0) }))
        }
    }

    /// Tells what was done by now, in the order in which it was submitted.
    package func settle() {
        takeDone()
        while ready > 0 {
            ready -= 1
            let completion = completions[settled]
            completions[settled] = {}
            settled += 1
            completion()
        }
        forgetSettled()
    }

    private func takeDone() {
        let (done, news) = shared.takeDone()
        notices += news
        ready += done
    }

    private func forgetSettled() {
        // Moving what is left costs no more than what has gone by then.
        guard settled * 2 >= completions.count else { return }
        completions.removeFirst(settled)
        settled = 0
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
        shared.endIntake()
        shared.end.wait()
        settle()
    }
}

/// Where a result waits for who wants it.
private final class Slot<Value: Sendable>: Sendable {
    private let value = Mutex<Result<Value, StoreError>?>(nil)

    /// Its error, if there was one.
    func fill(
        _ store: CallStore, _ work: (CallStore) throws(StoreError) -> Value
    ) -> StoreError? {
        do throws(StoreError) {
            let result = try work(store)
            value.withLock { $0 = .success(result) }
            return nil
        } catch {
            value.withLock { $0 = .failure(error) }
            return error
        }
    }

    func fail(_ error: StoreError) {
        value.withLock { $0 = .failure(error) }
    }

    var result: Result<Value, StoreError> {
        value.withLock { $0 } ?? .failure(StoreError(.stopping, "it was never done"))
    }
}
