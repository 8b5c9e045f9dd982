internal import BrokerSocket

/// A piece of work on its way to the second thread.
struct StoreJob: Sendable {
    /// Nil for one that was refused and only keeps its place.
    let use: StoreThread.Use?
    /// Does it and keeps the result; its error, if there was one. May be called again.
    let run: @Sendable (CallStore) -> StoreError?
    /// Keeps an error instead: what was done is undone.
    let fail: @Sendable (StoreError) -> Void
}

/// What the loop's thread and the store's have in common.
typealias StoreQueue = WorkQueue<StoreJob, StoreNotice>
