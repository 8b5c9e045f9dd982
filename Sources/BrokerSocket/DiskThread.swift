internal import Synchronization

/// A thread for what waits for a disk, which may take its time: the loop submits work and goes on. One piece
/// is done after the other, in the order in which they were submitted. Used from the loop's thread.
package final class DiskThread {
    private let shared: Shared
    private var completions = FIFO<() -> Void>()

    /// - Parameter loop: what wakes the loop that calls `settle`.
    package init(wakes loop: Wakeup) throws(SocketError) {
        let shared = Shared(loop: loop, work: try Wakeup(), end: try Wakeup())
        self.shared = shared
        try HostThread.start { shared.run() }
    }

    deinit {
        shared.endIntake()
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
        let place = Place<Value>()
        completions.append { then(place.result) }
        shared.put { place.fill(work) }
    }

    /// Tells what was done by now.
    package func settle() {
        for _ in 0..<shared.takeDone() { completions.popFirst()?() }
    }

    /// Waits until everything that was submitted is done, but not for ever, tells it, and ends the thread.
    package func stop(withinMS milliseconds: Int) {
        shared.endIntake()
        shared.end.wait(atMostMS: milliseconds)
        settle()
    }

    /// What the two threads have in common.
    private final class Shared: Sendable {
        private struct State {
            var waiting = FIFO<@Sendable () -> Void>()
            var done = 0
            var isClosed = false
        }

        private let state = Mutex(State())
        private let loop: Wakeup
        private let work: Wakeup
        /// Signalled when the thread ends.
        let end: Wakeup

        init(loop: Wakeup, work: Wakeup, end: Wakeup) {
            self.loop = loop
            self.work = work
            self.end = end
        }

        func put(_ job: @escaping @Sendable () -> Void) {
            state.withLock { $0.waiting.append(job) }
            work.signal()
        }

        func endIntake() {
            state.withLock { $0.isClosed = true }
            work.signal()
        }

        func takeDone() -> Int {
            state.withLock { state in
                defer { state.done = 0 }
                return state.done
            }
        }

        func run() {
            while true {
                let (job, isClosed) = state.withLock { ($0.waiting.popFirst(), $0.isClosed) }
                if let job {
                    job()
                    state.withLock { $0.done += 1 }
                    loop.signal()
                } else if isClosed {
                    return end.signal()
                } else {
                    work.wait()
                }
            }
        }
    }

    /// Where a result waits for who wants it.
    private final class Place<Value: Sendable>: Sendable {
        private let value = Mutex<Result<Value, SocketError>?>(nil)

        func fill(_ work: () throws(SocketError) -> Value) {
            let result = Result { () throws(SocketError) in try work() }
            value.withLock { $0 = result }
        }

        var result: Result<Value, SocketError> {
            value.withLock { $0 } ?? .failure(SocketError(.unusable, "the disk has not answered"))
        }
    }
}
