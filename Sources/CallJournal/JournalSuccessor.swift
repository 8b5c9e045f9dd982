internal import BrokerSocket

/// A journal that is written beside the one in use, and the turns since its snapshot.
struct JournalSuccessor {
    /// The file, if the loop has it; otherwise another thread writes it.
    private let file: AppendFile?
    /// The turns to be added once the loop has the file.
    private var rest: [UInt8] = []
    private(set) var mustSync = false
    /// The error for which turns are missing.
    private var fault: SocketError?

    init(_ file: AppendFile? = nil) {
        self.file = file
    }

    mutating func add(_ head: [UInt8], _ content: [UInt8], isSynced: Bool) {
        guard fault == nil else { return }
        do throws(SocketError) {
            if let file { return try file.append(head, content) }
        } catch {
            return fault = error
        }
        guard rest.count + content.count <= Journal.growthBytesMax else {
            return fault = SocketError(.unusable, "the disk is too slow for the journal")
        }
        rest += head
        rest += content
        if isSynced { mustSync = true }
    }

    /// Returns the turns that wait for the file.
    func allEntries() throws(SocketError) -> [UInt8] {
        if let fault { throw fault }
        return rest
    }

    /// Returns the file, to which every turn has been added.
    func wholeFile() throws(SocketError) -> AppendFile {
        if let fault { throw fault }
        guard let file else { preconditionFailure("another thread has the file") }
        return file
    }

    /// Returns a sync of the file, for another thread; nil while that has the file itself.
    func syncLater() throws(SocketError) -> (@Sendable () throws(SocketError) -> Void)? {
        try file?.syncLater()
    }
}
