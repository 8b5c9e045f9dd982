internal import BrokerSocket
internal import Synchronization

/// A piece of work on its way to the second thread.
struct StoreJob: Sendable {
    /// Nil for one that was refused and only keeps its place.
    let use: StoreThread.Use?
    /// Does it and keeps the result; its error, if there was one. May be called again.
    let run: @Sendable (CallStore) -> StoreError?
    /// Keeps an error instead: what was done is undone.
    let fail: @Sendable (StoreError) -> Void
}

/// What the two threads have in common.
final class StoreQueue: Sendable {
    private struct State {
        var waiting: [StoreJob] = []
        var done = 0
        var notices: [StoreNotice] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let loop: Wakeup
    private let work: Wakeup
    /// Signalled when the second thread ends.
    let end: Wakeup

    init(loop: Wakeup, work: Wakeup, end: Wakeup) {
        self.loop = loop
        self.work = work
        self.end = end
    }

    // MARK: the loop's side

    func put(_ job: StoreJob) {
        let isFirst = state.withLock { state in
            state.waiting.append(job)
            return state.waiting.count == 1
        }
        if isFirst { work.signal() }
    }

    func endIntake() {
        state.withLock { $0.isClosed = true }
        work.signal()
    }

    func takeDone() -> (count: Int, notices: [StoreNotice]) {
        state.withLock { state in
            defer { (state.done, state.notices) = (0, []) }
            return (state.done, state.notices)
        }
    }

    // MARK: the second thread's side

    /// All that waits, as soon as something does; nil when nothing will any more.
    func next() -> [StoreJob]? {
        while true {
            let (jobs, isClosed) = state.withLock { state in
                defer { state.waiting = [] }
                return (state.waiting, state.isClosed)
            }
            if !jobs.isEmpty { return jobs }
            if isClosed { return nil }
            work.wait()
        }
    }

    func finish(_ count: Int, _ notices: [StoreNotice]) {
        state.withLock { state in
            state.done += count
            state.notices += notices
        }
        loop.signal()
    }
}
