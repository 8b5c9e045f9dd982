internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallBroker
internal import CallJournal
internal import CallProtocol

/// `callbroker backup`: the user's data as one file, from the running broker.
struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Save the user's data as one file.",
        discussion: """
            Contacts, blocks, history, caller directories, policy, and the settings of plugins, which \
            may hold passwords; calls are not in it. The broker stays in use. The file is a tar \
            archive that only you can read, and replaces an earlier one only when it is complete.
            """)

    @Argument(help: "The file to write.", completion: .file())
    var file: String

    @OptionGroup var client: ClientOptions

    func run() throws {
        let session = try client.open(.admin, waiting: 600)
        let reply = try session.request(.backup)
        let folder = try Self.folder(reply.result["folder"]?.string)
        defer { BackupArchive.removeCopies(in: folder) }
        let bytes = try describingErrors { () throws(SocketError) in
            try BackupArchive.pack(folder, into: file)
        }
        if client.output.form == .table {
            StandardOutput.line(Messages.userBackup(file: file, bytes: String(bytes)))
        } else {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("file", file)
                writer.member("bytes", bytes)
            }
            StandardOutput.line(writer.text)
        }
    }
}

extension Backup {
    /// Checks the folder that the broker names: files in it are removed at the end.
    private static func folder(_ path: String?) throws(ToolFailure) -> String {
        guard let path, path.hasPrefix("/"), path.hasSuffix("/" + BackupFiles.staging),
            path == path.printable
        else {
            throw ToolFailure(.errorReply, Messages.userBackupWithoutFolder)
        }
        return path
    }
}

/// `callbroker restore`: the user's data from a backup, while no broker runs.
struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore the user's data from a backup.",
        discussion: """
            The broker must not run. The backup is checked before anything changes, and then takes \
            effect as a whole. A state folder that has data is replaced with --replace only, and the \
            data is kept in it as replaced-N.
            """)

    @Argument(help: "A file of callbroker backup.", completion: .file())
    var file: String

    @Flag(help: "Replace the data that is there, which is kept as replaced-N.")
    var replace = false

    @OptionGroup var state: StateOption

    func run() throws {
        let folder = state.folder
        try describingErrors { () throws(SocketError) in
            try PrivateFolder.prepare(folder, isChosen: state.path != nil, followsLink: true)
            let lock = try lock(folder)
            defer { lock.release() }
            try BackupFiles.complete(in: folder)
            guard replace || BackupFiles.state(in: folder).isEmpty else {
                throw SocketError(
                    .unusable, Messages.userRestoreHasData(folder: folder))
            }
            let unpacked = "\(folder)/\(BackupFiles.unpacked)"
            BackupArchive.removeFolder(unpacked)
            do throws(SocketError) {
                try BackupArchive.unpack(file, into: unpacked)
                if let fault = try BackupFiles.prepare(unpacked) {
                    throw SocketError(.unusable, fault.words)
                }
            } catch {
                BackupArchive.removeFolder(unpacked)
                throw error
            }
            try BackupFiles.commit(in: folder)
        }
        StandardOutput.line(Messages.userRestored(folder: folder))
    }

    private func lock(_ folder: String) throws(SocketError) -> FileLock {
        try FileLock(folder + "/lock") { holder in
            holder.map { Messages.userRestoreInUseBy(folder: folder, process: $0) }
                ?? Messages.userRestoreInUse(folder: folder)
        }
    }
}

extension BackupFault {
    fileprivate var words: String {
        switch self {
        case .noPolicy: Messages.userBackupNoPolicy
        case .unreadablePolicy(let reason): Messages.userBackupUnreadablePolicy(reason: reason)
        case .invalidSettings(let reason): Messages.userBackupInvalidSettings(reason: reason)
        case .damaged(let reason): Messages.userBackupDamaged(reason: reason)
        }
    }
}

/// Runs `body`, and turns its errors into failures of the tool.
private func describingErrors<Answer>(
    _ body: () throws(SocketError) -> Answer
) throws(ToolFailure) -> Answer {
    do throws(SocketError) {
        return try body()
    } catch {
        throw ToolFailure(.errorReply, "\(error)")
    }
}
