package import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol
internal import CallStore

/// The files of a backup, and their way back into a state folder.
///
/// A restore is prepared in a folder beside the state and takes effect by a rename: after a crash
/// the next broker completes it.
package enum BackupFiles {
    /// The folder in which the broker leaves a backup.
    package static let staging = "backup"
    static let journal = "journal"
    static let choices = "plugins.json"
    /// The folder of a restore that is being prepared, one that takes effect, and one whose files
    /// are being moved.
    package static let unpacked = "restore.new"
    private static let committed = "restore"
    private static let moving = "restore.moving"

    /// Returns whether a backup may have a file of that name.
    package static func accepts(_ name: String) -> Bool {
        name == journal || name == choices || CallStore.isFileName(name)
    }

    /// Checks an unpacked backup, and makes its journal that of a new broker of this host.
    ///
    /// - Returns: The fault if it is incomplete or damaged, or of a later release.
    package static func prepare(_ folder: String) throws(SocketError) -> BackupFault? {
        guard try HostFile.exists("\(folder)/\(journal)") else { return .noPolicy }
        let former = try JournalFolder.read("\(folder)/\(journal)")
        let snapshot: JournalSnapshot
        do throws(JournalFault) {
            snapshot = try JournalReader(former).snapshot
        } catch {
            return .unreadablePolicy(reason: "\(error)")
        }
        if let fault = try faultOfChoices(in: folder) { return fault }
        if let fault = CallStore.fault(inFolder: folder) { return .damaged(reason: "\(fault)") }
        let bytes = Journal.bytes(of: try renewed(snapshot))
        try AppendFile(writing: bytes, to: "\(folder)/\(journal).new")
            .rename(to: "\(folder)/\(journal)")
        try HostFile.syncFolder(folder)
        return nil
    }

    private static func faultOfChoices(in folder: String) throws(SocketError) -> BackupFault? {
        guard try HostFile.exists("\(folder)/\(choices)") else { return nil }
        let bytes = try HostFile.read("\(folder)/\(choices)", bytesMax: ChoicesFile.bytesMax)
        do throws(PluginChoices.Fault) {
            if !bytes.isEmpty { _ = try PluginChoices.read(bytes) }
            return nil
        } catch {
            return .invalidSettings(reason: "\(error)")
        }
    }

    /// Returns the snapshot as one of this host, with a new sequence of events.
    private static func renewed(
        _ former: JournalSnapshot
    ) throws(SocketError) -> JournalSnapshot {
        let epoch = UUIDBits.random()
        var snapshot = JournalSnapshot(
            release: Release.version, host: try .own(), epoch: epoch,
            configured: former.configured,
            arbiter: Arbiter(policy: former.choices.policy, lineage: epoch.high))
        snapshot.choices = former.choices
        snapshot.missed = former.missed
        snapshot.screeningCopy = former.screeningCopy
        let clock = LoopClock.monotonic
        snapshot.wallOffsetMS = Int(clock.unixMS - clock.now.milliseconds)
        return snapshot
    }

    /// Returns the names of the state in a folder, which a restore replaces.
    package static func state(in folder: String) -> [String] {
        HostFile.names(inFolder: folder).filter { name in
            name == journal || name == journal + ".new" || name == choices
                || CallStore.isFileName(name)
        }
    }

    /// Lets a prepared restore take effect. The caller has the lock of the state folder.
    package static func commit(in folder: String) throws(SocketError) {
        try HostFile.rename("\(folder)/\(unpacked)", to: "\(folder)/\(committed)")
        try HostFile.syncFolder(folder)
        try complete(in: folder)
    }

    /// Completes a restore that was interrupted, if there is one. The caller has the lock of the
    /// state folder.
    package static func complete(in folder: String) throws(SocketError) {
        if HostFile.isFolder("\(folder)/\(committed)") {
            try saveState(in: folder)
            try HostFile.rename("\(folder)/\(committed)", to: "\(folder)/\(moving)")
            try HostFile.syncFolder(folder)
        }
        guard HostFile.isFolder("\(folder)/\(moving)") else { return }
        for name in HostFile.names(inFolder: "\(folder)/\(moving)") {
            try HostFile.rename("\(folder)/\(moving)/\(name)", to: "\(folder)/\(name)")
        }
        HostFile.removeFolder("\(folder)/\(moving)")
        try HostFile.syncFolder(folder)
    }

    /// Moves the state that is replaced into a folder of its own.
    private static func saveState(in folder: String) throws(SocketError) {
        let names = state(in: folder)
        guard !names.isEmpty else { return }
        var number = 1
        while try HostFile.exists("\(folder)/replaced-\(number)") { number += 1 }
        let saved = "\(folder)/replaced-\(number)"
        try PrivateFolder.prepare(saved)
        for name in names { try HostFile.rename("\(folder)/\(name)", to: "\(saved)/\(name)") }
        try HostFile.syncFolder(saved)
    }
}
