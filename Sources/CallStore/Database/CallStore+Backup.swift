internal import BrokerSocket

/// A backup under way: copies of the store's files in a folder.
struct StoreBackup {
    /// The number of times that a backup is begun anew because a caller directory has changed.
    private static let attemptsMax = 5

    let folder: String
    private var copies: [DatabaseCopy] = []
    private var directories: [DirectoryIndex.NamedSource] = []
    private var attempts = 0

    init(in folder: String) {
        self.folder = folder
    }

    /// Begins the copies: first of the store's own file, which names those of the directories.
    mutating func begin(_ store: CallStore) throws(StoreError) {
        attempts += 1
        guard attempts <= Self.attemptsMax else {
            throw StoreError(
                .overloaded, "the caller directories change too often: try again later")
        }
        copies = []
        let connection = try store.database()
        directories = store.directoryIndex.namedSources
        var sources = [(CallStore.fileName, connection)]
        for (number, file) in store.directoryIndex.files.sorted(by: { $0.key < $1.key }) {
            sources.append((DirectoryIndex.fileName(number), file.connection))
        }
        for (name, source) in sources {
            StoreFile.remove("\(folder)/\(name)")
            copies.append(try DatabaseCopy(of: source, to: "\(folder)/\(name)"))
        }
    }

    /// Copies a part. Returns true when everything is copied.
    mutating func advance(_ store: CallStore) throws(StoreError) -> Bool {
        if let copy = copies.first {
            if try copy.step() { copies.removeFirst() }
            return false
        }
        // A directory that has changed since may not fit to the copy of the store.
        guard store.directoryIndex.namedSources == directories else {
            try begin(store)
            return false
        }
        try StoreFile.syncFolder(of: "\(folder)/\(CallStore.fileName)")
        return true
    }
}

/// Backups: consistent copies of the store's files while they are in use.
extension CallStore {
    /// Begins a backup into a folder, which is emptied or created.
    ///
    /// - Parameter files: Further files of the backup, with their names.
    package func beginBackup(
        in folder: String, with files: [(name: String, bytes: [UInt8])]
    ) throws(StoreError) {
        backup = nil
        do throws(SocketError) {
            try PrivateFolder.prepare(folder)
            for name in HostFile.names(inFolder: folder) { HostFile.remove("\(folder)/\(name)") }
            for (name, bytes) in files {
                _ = try AppendFile(writing: bytes, to: "\(folder)/\(name)")
            }
        } catch {
            throw StoreError(.unavailable, "\(error)")
        }
        var begun = StoreBackup(in: folder)
        try begun.begin(self)
        backup = begun
    }

    /// Continues the backup. Returns true when it is complete.
    package func continueBackup() throws(StoreError) -> Bool {
        guard var current = backup else { return true }
        do throws(StoreError) {
            let isComplete = try current.advance(self)
            backup = isComplete ? nil : current
            return isComplete
        } catch {
            backup = nil
            throw error
        }
    }
}

/// The files of a backup.
extension CallStore {
    /// Returns whether a name is that of a file of the store.
    package static func isFileName(_ name: String) -> Bool {
        let parts = ["", "-wal", "-journal", "-shm"]
        return parts.contains { part in
            guard name.hasSuffix(part) else { return false }
            let base = String(name.dropLast(part.count))
            return base == fileName || DirectoryIndex.number(ofFile: base) != nil
        }
    }

    /// Returns why the files in a folder are no whole store; nil if they are one. They are brought
    /// to the current version.
    package static func fault(inFolder folder: String) -> String? {
        guard HostFile.names(inFolder: folder).contains(fileName) else {
            return "it has no \(fileName)"
        }
        let store = CallStore(.folder(folder))
        defer { store.shut() }
        do throws(StoreError) {
            try store.open()
            return store.takeNotices().first?.description
        } catch {
            return error.description
        }
    }
}
