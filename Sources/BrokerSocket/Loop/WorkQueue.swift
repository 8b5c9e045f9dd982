internal import Synchronization

/// A queue of jobs for another thread, with the number of completed ones and the thread's notices.
package final class WorkQueue<Job: Sendable, Notice: Sendable>: Sendable {
    private struct State {
        var pending: [Job] = []
        var urgent: [Job] = []
        var done = WorkDone()
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

    /// Adds a job. Urgent ones form a line of their own.
    package func submit(_ job: Job, isUrgent: Bool = false) {
        let isFirst = state.withLock { state in
            if isUrgent { state.urgent.append(job) } else { state.pending.append(job) }
            return state.pending.count + state.urgent.count == 1
        }
        if isFirst { work.signal() }
    }

    /// Ends the queue: the other thread finishes the jobs that are in it.
    package func close() {
        state.withLock { $0.isClosed = true }
        work.signal()
    }

    /// Returns the numbers of jobs completed since the last call, and the notices.
    package func takeCompleted() -> (done: WorkDone, notices: [Notice]) {
        state.withLock { state in
            defer { (state.done, state.notices) = (WorkDone(), []) }
            return (state.done, state.notices)
        }
    }

    // MARK: - The other thread's side

    /// Waits for jobs and takes all that are not urgent, of which there may be none; nil once the
    /// queue is closed and empty.
    package func next() -> [Job]? {
        while true {
            let (jobs, hasUrgent, isClosed) = state.withLock { state in
                defer { state.pending = [] }
                return (state.pending, !state.urgent.isEmpty, state.isClosed)
            }
            if !jobs.isEmpty || hasUrgent { return jobs }
            if isClosed { return nil }
            work.wait()
        }
    }

    /// Indicates that an urgent job is waiting.
    package var hasUrgent: Bool {
        state.withLock { !$0.urgent.isEmpty }
    }

    /// Takes all urgent jobs.
    package func takeUrgent() -> [Job] {
        state.withLock { state in
            defer { state.urgent = [] }
            return state.urgent
        }
    }

    /// Reports that jobs are completed.
    package func complete(_ count: Int, urgent: Int = 0, _ notices: [Notice] = []) {
        state.withLock { state in
            state.done.count += count
            state.done.urgent += urgent
            state.notices += notices
        }
        loop.signal()
    }
}

/// The numbers of completed jobs.
package struct WorkDone: Sendable {
    package fileprivate(set) var count = 0
    package fileprivate(set) var urgent = 0
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

/// A value for another thread, which is its only owner once it has taken it.
package final class HandedOver<Value: Sendable>: Sendable {
    private let slot: Mutex<Value?>

    package init(_ value: Value) {
        slot = Mutex(value)
    }

    /// Returns the value; nil if it was taken before.
    package func take() -> Value? {
        slot.withLock { $0.take() }
    }
}
