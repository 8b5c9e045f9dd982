package import BrokerSocket

/// The journal as a file in a folder that one broker has for itself.
package final class JournalFolder: JournalMedium {
    package let path: String
    private let lock: FileLock
    private var file: AppendFile?

    /// - Throws: if the folder cannot be written to, or another broker has it.
    package init(_ path: String) throws(SocketError) {
        self.path = path
        lock = try FileLock(
            path + "/lock", "the state folder \(path) is already in use",
            advice: "choose another folder with --state-dir")
    }

    private var journal: String {
        path + "/journal"
    }

    /// Where one is written that is to take its place.
    private var newJournal: String {
        journal + ".new"
    }

    /// What an earlier broker left; nil if there is nothing.
    ///
    /// - Throws: `.unusable` for what cannot be a journal: no file, or too large a one.
    package func read() throws(SocketError) -> [UInt8]? {
        guard try HostFile.exists(journal) else { return nil }
        return try Self.read(journal)
    }

    /// A journal somewhere.
    package static func read(_ path: String) throws(SocketError) -> [UInt8] {
        try HostFile.read(path, followsLinks: false)
    }

    /// Keeps what an earlier broker left, for somebody to look at; where. A file is the journal still,
    /// until another one takes its place.
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

    /// Another broker may have the folder now.
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

    package func goOn(at size: Int) throws(SocketError) {
        file = try AppendFile(resuming: journal, at: size)
    }

    package var successorPath: String? {
        newJournal
    }

    package func takeSuccessor(of size: Int, _ rest: [UInt8]) throws(SocketError) {
        let successor = try AppendFile(resuming: newJournal, at: size)
        try successor.append(rest, [])
        try successor.rename(to: journal)
        file = successor
    }

    package func syncNames() -> @Sendable () throws(SocketError) -> Void {
        let path = path
        return { () throws(SocketError) in try HostFile.syncFolder(path) }
    }

    package func replace(with bytes: [UInt8]) throws(SocketError) {
        let successor = try AppendFile(writing: bytes, to: newJournal)
        try successor.rename(to: journal)
        try HostFile.syncFolder(path)
        file = successor
    }
}
