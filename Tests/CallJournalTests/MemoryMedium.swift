import BrokerSocket
import CallJournal

/// The bytes of a journal in memory; it can be made to fail.
final class MemoryMedium: JournalMedium {
    private(set) var bytes: [UInt8] = []
    private(set) var synced = 0
    private(set) var replacements = 0
    var fault: SocketError?
    /// It fails only where everything is to be written anew.
    var isFullForReplacements = false

    static let full = SocketError(.system, "cannot write to journal: No space left on device")

    func append(_ head: [UInt8], _ content: [UInt8]) throws(SocketError) {
        if let fault { throw fault }
        bytes += head + content
    }

    func replace(with bytes: [UInt8]) throws(SocketError) {
        if let fault { throw fault }
        if isFullForReplacements { throw Self.full }
        self.bytes = bytes
        replacements += 1
    }

    func goOn(at size: Int) throws(SocketError) {
        if let fault { throw fault }
    }

    func sync() throws(SocketError) {
        synced = bytes.count
    }
}
