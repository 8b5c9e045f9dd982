internal import BrokerSocket

/// The work loop of the store's thread.
struct StoreWorker {
    private let store: CallStore
    private let queue: StoreQueue

    init(_ store: CallStore, _ queue: StoreQueue) {
        self.store = store
        self.queue = queue
    }

    func run() {
        store.lookUps = LookUps(queue)
        while let jobs = queue.next() {
            store.runLookUps()
            store.run(jobs)
            let notices = store.takeNotices()
            if !jobs.isEmpty || !notices.isEmpty { queue.complete(jobs.count, notices) }
        }
        store.shut()
        queue.ended.signal()
    }
}

extension CallStore {
    /// Runs all jobs: copies last, and on their own.
    func run(_ jobs: [StoreJob]) {
        guard jobs.contains(where: { $0.use == .copy }) else { return runTogether(jobs) }
        runTogether(jobs.filter { $0.use != .copy })
        for job in jobs where job.use == .copy { runAlone(job) }
    }

    /// Runs the look-ups that wait. Within a transaction a damaged file is left to its jobs.
    func runLookUps() {
        lookUps?.takeAll { job in
            if isInTransaction { _ = job.run(self) } else { runAlone(job) }
        }
    }

    /// Runs jobs in one transaction. If that fails as a whole, each job is run on its own.
    private func runTogether(_ jobs: [StoreJob]) {
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
            directoryIndex.reconcile(connection)
        } catch {
            recover(from: error)
            for (place, job) in jobs.enumerated() where job.use != .load || place >= done {
                runAlone(job)
            }
        }
    }

    /// Runs a job in the common transaction.
    ///
    /// - Throws: if the transaction cannot continue.
    private func runTogether(_ job: StoreJob, _ connection: Connection) throws(StoreError) {
        guard let error = perform(job) else { return }
        guard connection.isInTransaction, error.code != .damaged else { throw error }
    }

    /// Runs a job on its own; again, if a damaged file was the only problem.
    private func runAlone(_ job: StoreJob) {
        guard let error = perform(job), error.code == .damaged else { return }
        recover(from: error)
        if job.use != .load, job.use != .copy { _ = perform(job) }
    }

    /// Runs a job, after the look-ups that wait. One that writes takes effect as a whole or not at
    /// all; one that reads is interrupted for a look-up, and run again.
    private func perform(_ job: StoreJob) -> StoreError? {
        if job.use != .lookUp { runLookUps() }
        if job.use == .read, let lookUps {
            return lookUps.giveWay({ job.run(self) }, then: runLookUps)
        }
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

    /// Rolls back, and moves a damaged file aside.
    private func recover(from error: StoreError) {
        rollBackAll()
        guard error.code == .damaged else { return }
        try? moveAside(error)
    }
}
