internal import Synchronization

/// Work on its way to another thread, how much of it is done, and what that thread has to tell beside it.
package final class WorkQueue<Job: Sendable, Notice: Sendable>: Sendable {
    private struct State {
        var waiting: [Job] = []
        var done = 0
        var notices: [Notice] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let loop: Wakeup
    private let work: Wakeup
    /// Signalled when the other thread ends.
    package let end: Wakeup

    /// - Parameter loop: is woken when something is done.
    package init(wakes loop: Wakeup) throws(SocketError) {
        self.loop = loop
        work = try Wakeup()
        end = try Wakeup()
    }

    // MARK: - The loop's side

    package func put(_ job: Job) {
        let isFirst = state.withLock { state in
            state.waiting.append(job)
            return state.waiting.count == 1
        }
        if isFirst { work.signal() }
    }

    package func endIntake() {
        state.withLock { $0.isClosed = true }
        work.signal()
    }

    package func takeDone() -> (count: Int, notices: [Notice]) {
        state.withLock { state in
            defer { (state.done, state.notices) = (0, []) }
            return (state.done, state.notices)
        }
    }

    // MARK: - The other thread's side

    /// All that waits, as soon as something does; nil when nothing will any more.
    package func next() -> [Job]? {
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

    package func finish(_ count: Int, _ notices: [Notice] = []) {
        state.withLock { state in
            state.done += count
            state.notices += notices
        }
        loop.signal()
    }
}

/// Where a result of another thread waits for who wants it.
package final class ResultSlot<Value: Sendable, Failure: Error>: Sendable {
    private let slot = Mutex<Result<Value, Failure>?>(nil)

    package init() {}

    package func fill(_ result: Result<Value, Failure>) {
        slot.withLock { $0 = result }
    }

    /// Nil as long as there is none.
    package var result: Result<Value, Failure>? {
        slot.withLock { $0 }
    }
}
