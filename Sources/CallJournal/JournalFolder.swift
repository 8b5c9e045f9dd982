package import BrokerSocket

/// A journal stored in a folder that one broker uses exclusively.
package final class JournalFolder: JournalMedium {
    package let path: String
    private let lock: FileLock
    private var file: AppendFile?

    /// Locks the folder.
    ///
    /// - Throws: if the folder is not writable, or another broker uses it.
    package init(_ path: String) throws(SocketError) {
        self.path = path
        lock = try FileLock(
            path + "/lock", "the state folder \(path) is already in use",
            advice: "choose another folder with --state-dir")
    }

    private var journal: String {
        path + "/journal"
    }

    /// The path of a successor while it is written.
    private var newJournal: String {
        journal + ".new"
    }

    /// Reads the journal that an earlier broker left; nil if there is none.
    ///
    /// - Throws: `.unusable` if it is not a file, or is too large.
    package func read() throws(SocketError) -> [UInt8]? {
        guard try HostFile.exists(journal) else { return nil }
        return try Self.read(journal)
    }

    /// Reads a journal at any path.
    package static func read(_ path: String) throws(SocketError) -> [UInt8] {
        try HostFile.read(path, followsLinks: false)
    }

    /// Saves the journal of an earlier broker for inspection, and returns its new path. If it is a
    /// file it remains the journal, too, until another one replaces it.
    package func keepAside() throws(SocketError) -> String {
        var number = 1
        while try HostFile.exists("\(journal).kept-\(number)") { number += 1 }
        let aside = "\(journal).kept-\(number)"
        if try HostFile.isFile(journal) {
            try HostFile.link(journal, as: aside)
        } else {
            try HostFile.rename(journal, to: aside)
        }
        return aside
    }

    /// Unlocks the folder; another broker may use it now.
    package func release() {
        lock.release()
    }

    // MARK: - Writing

    package func append(_ head: [UInt8], _ content: [UInt8]) throws(SocketError) {
        try file?.append(head, content)
    }

    package func sync() throws(SocketError) {
        try file?.sync()
    }

    package func syncLater() throws(SocketError) -> (@Sendable () throws(SocketError) -> Void)? {
        try file?.syncLater()
    }

    package func goOn(at size: Int, room: Int = 0) throws(SocketError) {
        file = try AppendFile(resuming: journal, at: size, room: room)
    }

    package func replace(with bytes: [UInt8], room: Int = 0) throws(SocketError) {
        let successor = try AppendFile(writing: bytes, to: newJournal, room: room)
        try successor.rename(to: journal)
        try HostFile.syncFolder(path)
        file = successor
    }

    // MARK: - A successor

    package var successorPath: String? {
        newJournal
    }

    package func nameSuccessor() -> @Sendable () throws(SocketError) -> Void {
        let (path, newJournal, journal) = (path, newJournal, journal)
        return { () throws(SocketError) in
            try HostFile.rename(newJournal, to: journal)
            try HostFile.syncFolder(path)
        }
    }

    package func adopt(_ successor: AppendFile) -> @Sendable () -> Void {
        let former = file?.handOver()
        successor.didRename(to: journal)
        file = successor
        return { former?.close() }
    }
}
