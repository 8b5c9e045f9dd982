internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol
internal import CallStore

/// The maker of backups: copies of the user's data in a folder of the state folder, of which the
/// tool makes one file. The store is in use meanwhile, and copied in short steps between its jobs.
final class BackupMaker: BrokerPart {
    private var isUnderWay = false

    func makeBackup(_ target: ReplyTarget) throws(RPCError) {
        guard let state = broker.journal.stateFolder, broker.store.isAttached else {
            throw RPCError(.invalidState, reason: .noStore, "this broker keeps no state").with {
                $0.hint = "start the broker without --no-journal"
            }
        }
        guard !isUnderWay else {
            throw RPCError(.overloaded, reason: .pending, "another backup is being made")
        }
        isUnderWay = true
        broker.outbox.postpone(target)
        // Every call that has ended is in the backup.
        broker.history.flush()
        let folder = HostProcess.absolute(state) + "/" + BackupFiles.staging
        let files = [
            (BackupFiles.journal, Journal.bytes(of: snapshot())),
            (BackupFiles.choices, broker.plugins.writtenChoices),
        ]
        broker.store.submit(
            .copy,
            { store throws(StoreError) in
                try store.beginBackup(in: folder, with: files)
                return false
            }
        ) { [weak self] in self?.advance($0, target, folder) }
    }

    private func advance(
        _ result: Result<Bool, StoreError>, _ target: ReplyTarget, _ folder: String
    ) {
        switch result {
        case .success(false):
            broker.store.submit(
                .copy, { store throws(StoreError) in try store.continueBackup() }
            ) { [weak self] in self?.advance($0, target, folder) }
        case .success(true):
            isUnderWay = false
            broker.outbox.answer(target) { $0.member("folder", folder) }
        case .failure(let error):
            isUnderWay = false
            broker.outbox.answer(target, RPCError(error))
        }
    }

    /// The journal of a broker without calls: the policy, and what applies while the store fails.
    private func snapshot() -> JournalSnapshot {
        var snapshot = JournalSnapshot(
            release: Release.version, host: broker.configuration.host, epoch: broker.epochBits,
            configured: broker.configuration.choices,
            arbiter: Arbiter(
                policy: broker.policy.choices.policy, lineage: broker.epochBits.high))
        snapshot.choices = broker.policy.choices
        snapshot.missed = broker.history.missed
        snapshot.screeningCopy = broker.store.copyOfBlocks
        return snapshot
    }
}
