internal import BrokerSocket

/// A job for the store's thread.
struct StoreJob: Sendable {
    /// The use of the store; nil for a refused job, which only keeps its place in the order.
    let use: StoreThread.Use?
    /// Runs the job and stores its result; returns its error, if any. May be called again.
    let run: @Sendable (CallStore) -> StoreError?
    /// Stores an error as the result, as the effects were rolled back.
    let fail: @Sendable (StoreError) -> Void
}

/// The queue between the loop's thread and the store's.
typealias StoreQueue = WorkQueue<StoreJob, StoreNotice>
