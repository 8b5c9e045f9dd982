internal import BrokerSocket

/// What the second thread does.
struct StoreWorker {
    private let store: CallStore
    private let queue: StoreQueue

    init(_ store: CallStore, _ queue: StoreQueue) {
        self.store = store
        self.queue = queue
    }

    func run() {
        while let jobs = queue.next() {
            store.carryOut(jobs)
            queue.complete(jobs.count, store.takeNotices())
        }
        store.shut()
        queue.ended.signal()
    }
}

extension CallStore {
    /// Does all of it in one transaction. If that fails as a whole, each piece is done for itself.
    func carryOut(_ jobs: [StoreJob]) {
        guard jobs.contains(where: { $0.use == .write }) else {
            return jobs.forEach { runAlone($0) }
        }
        var done = 0
        do throws(StoreError) {
            let connection = try database()
            try connection.run("BEGIN IMMEDIATE", [])
            for job in jobs {
                done += 1
                try runTogether(job, connection)
            }
            try connection.run("COMMIT", [])
            shelf.settle(connection)
        } catch {
            abandon(error)
            for (place, job) in jobs.enumerated() where job.use != .load || place >= done {
                runAlone(job)
            }
        }
    }

    /// - Throws: if the transaction cannot go on.
    private func runTogether(_ job: StoreJob, _ connection: Connection) throws(StoreError) {
        guard let error = perform(job) else { return }
        guard connection.isInTransaction, error.code != .damaged else { throw error }
    }

    /// Again, if only a damaged file was in its way.
    private func runAlone(_ job: StoreJob) {
        guard let error = perform(job), error.code == .damaged else { return }
        abandon(error)
        if job.use != .load { _ = perform(job) }
    }

    /// A piece that writes is done as a whole or not at all.
    private func perform(_ job: StoreJob) -> StoreError? {
        guard job.use == .write else { return job.run(self) }
        do throws(StoreError) {
            try atomically { (_) throws(StoreError) in
                if let error = job.run(self) { throw error }
            }
            return nil
        } catch {
            job.fail(error)
            return error
        }
    }

    /// The transaction is undone; a damaged file is moved aside.
    private func abandon(_ error: StoreError) {
        rollBackAll()
        guard error.code == .damaged else { return }
        try? setAside(error)
    }
}
