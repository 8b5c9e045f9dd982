internal import BrokerSocket
internal import CSQLite

/// The look-ups that wait: a call rings when its own is done. They go before every other job, and
/// a job that reads gives way to them.
final class LookUps {
    /// The number of times that one job gives way; then it is run to its end.
    private static let interruptionsMax = 16
    /// The number of SQLite's instructions between two checks: some tens of microseconds.
    private static let instructionsPerCheck: Int32 = 1_000

    private let queue: StoreQueue
    private var canInterrupt = false
    private var hasInterrupted = false

    init(_ queue: StoreQueue) {
        self.queue = queue
    }

    /// Lets statements of a connection be interrupted while `giveWay` runs. Outlives the
    /// connection.
    func watch(_ connection: Connection) {
        sqlite3_progress_handler(
            connection.handle, Self.instructionsPerCheck,
            { context in
                guard let context else { return 0 }
                return Unmanaged<LookUps>.fromOpaque(context).takeUnretainedValue().interrupt()
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func interrupt() -> Int32 {
        guard canInterrupt, queue.hasUrgent else { return 0 }
        hasInterrupted = true
        return 1
    }

    /// Runs each waiting look-up, and reports it as completed.
    func takeAll(_ run: (StoreJob) -> Void) {
        for job in queue.takeUrgent() {
            run(job)
            queue.complete(0, urgent: 1)
        }
    }

    /// Runs a job that reads, again and again while look-ups interrupt it.
    ///
    /// - Parameters:
    ///   - read: Runs the job from its begin; returns its error, if any.
    ///   - lookUp: Runs the look-ups.
    func giveWay(_ read: () -> StoreError?, then lookUp: () -> Void) -> StoreError? {
        for _ in 0..<Self.interruptionsMax {
            (canInterrupt, hasInterrupted) = (true, false)
            let error = read()
            canInterrupt = false
            guard hasInterrupted, error != nil else { return error }
            lookUp()
        }
        return read()
    }
}
