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

extension StoreJob {
    /// Creates a job whose result is stored in a slot.
    init<Value: Sendable>(
        use: StoreThread.Use,
        running work: @escaping @Sendable (CallStore) throws(StoreError) -> Value,
        into slot: ResultSlot<Value, StoreError>
    ) {
        self.init(
            use: use,
            run: { store in
                let result = Result { () throws(StoreError) in try work(store) }
                slot.fill(result)
                return if case .failure(let error) = result { error } else { nil }
            }, fail: { slot.fill(.failure($0)) })
    }
}

/// The queue between the loop's thread and the store's.
typealias StoreQueue = WorkQueue<StoreJob, StoreNotice>
