internal import Synchronization

/// A queue of jobs for another thread, with the number of completed ones and the thread's notices.
package final class WorkQueue<Job: Sendable, Notice: Sendable>: Sendable {
    private struct State {
        var pending: [Job] = []
        var done = 0
        var notices: [Notice] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let loop: Wakeup
    private let work: Wakeup
    /// Signaled when the other thread ends.
    package let ended: Wakeup

    /// - Parameter loop: Woken when jobs are completed.
    package init(wakes loop: Wakeup) throws(SocketError) {
        self.loop = loop
        work = try Wakeup()
        ended = try Wakeup()
    }

    // MARK: - The loop's side

    /// Adds a job.
    package func submit(_ job: Job) {
        let isFirst = state.withLock { state in
            state.pending.append(job)
            return state.pending.count == 1
        }
        if isFirst { work.signal() }
    }

    /// Ends the queue: the other thread finishes the jobs that are in it.
    package func close() {
        state.withLock { $0.isClosed = true }
        work.signal()
    }

    /// Returns the number of jobs completed since the last call, and the notices.
    package func takeCompleted() -> (count: Int, notices: [Notice]) {
        state.withLock { state in
            defer { (state.done, state.notices) = (0, []) }
            return (state.done, state.notices)
        }
    }

    // MARK: - The other thread's side

    /// Waits for jobs and takes all of them; nil once the queue is closed and empty.
    package func next() -> [Job]? {
        while true {
            let (jobs, isClosed) = state.withLock { state in
                defer { state.pending = [] }
                return (state.pending, state.isClosed)
            }
            if !jobs.isEmpty { return jobs }
            if isClosed { return nil }
            work.wait()
        }
    }

    /// Reports that jobs are completed.
    package func complete(_ count: Int, _ notices: [Notice] = []) {
        state.withLock { state in
            state.done += count
            state.notices += notices
        }
        loop.signal()
    }
}

/// A place for the result of another thread.
package final class ResultSlot<Value: Sendable, Failure: Error>: Sendable {
    private let slot = Mutex<Result<Value, Failure>?>(nil)

    package init() {}

    package func fill(_ result: Result<Value, Failure>) {
        slot.withLock { $0 = result }
    }

    /// The result; nil until there is one.
    package var result: Result<Value, Failure>? {
        slot.withLock { $0 }
    }
}
