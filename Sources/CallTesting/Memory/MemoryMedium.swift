package import BrokerSocket
internal import CallJournal

/// A journal in memory, which can be made to fail.
package final class MemoryMedium: JournalMedium {
    package private(set) var bytes: [UInt8] = []
    package private(set) var synced = 0
    package private(set) var replacements = 0
    package var fault: SocketError?
    /// True if only replacements of the whole file fail.
    package var isFullForReplacements = false

    package init() {}

    package static let full = SocketError(
        .system, "cannot write to journal: No space left on device")

    package func append(_ head: [UInt8], _ content: [UInt8]) throws(SocketError) {
        if let fault { throw fault }
        bytes += head + content
    }

    package func replace(with bytes: [UInt8], room: Int) throws(SocketError) {
        if let fault { throw fault }
        if isFullForReplacements { throw Self.full }
        self.bytes = bytes
        replacements += 1
    }

    package func goOn(at size: Int, room: Int) throws(SocketError) {
        if let fault { throw fault }
    }

    package func sync() throws(SocketError) {
        synced = bytes.count
    }
}
