internal import BrokerSocket
internal import CallBroker

/// Backups as tar archives (ustar), which other programs can list and unpack, too.
enum BackupArchive {
    static let blockBytes = 512
    /// The largest file that a header can describe: 11 octal digits.
    private static let fileBytesMax = (1 << 33) - 1

    /// Writes the files of a folder into an archive, which replaces `path` when it is complete.
    /// Returns its size.
    static func pack(_ folder: String, into path: String) throws(SocketError) -> Int {
        let names = HostFile.names(inFolder: folder).filter(BackupFiles.accepts)
        guard !names.isEmpty else {
            throw SocketError(.unusable, Messages.userBackupNoCopies(folder: folder))
        }
        let archive = try AppendFile(creating: path + ".new")
        var size = 0
        do throws(SocketError) {
            for name in names {
                size += try append("\(folder)/\(name)", name, to: archive)
            }
            try archive.append([UInt8](repeating: 0, count: 2 * blockBytes), [])
            try archive.sync()
            try archive.rename(to: path)
        } catch {
            HostFile.remove(path + ".new")
            throw error
        }
        return size + 2 * blockBytes
    }

    private static func append(
        _ path: String, _ name: String, to archive: AppendFile
    ) throws(SocketError) -> Int {
        let size = try HostFile.size(path)
        guard size <= fileBytesMax else {
            throw SocketError(.unusable, Messages.userBackupTooLarge(file: path))
        }
        try archive.append(TarHeader(name: name, size: size).bytes, [])
        var written = 0
        try readPieces(path) { (piece) throws(SocketError) in
            written += piece.count
            try archive.append(Array(piece), [])
        }
        guard written == size else {
            throw SocketError(.unusable, Messages.userBackupChanged(file: path))
        }
        let padding = padding(after: size)
        try archive.append([UInt8](repeating: 0, count: padding), [])
        return blockBytes + size + padding
    }

    /// Unpacks an archive into a new folder.
    ///
    /// - Throws: if it is not a whole archive of a backup.
    static func unpack(_ path: String, into folder: String) throws(SocketError) {
        try PrivateFolder.prepare(folder)
        var reader = TarReader(into: folder)
        try readPieces(path) { (piece) throws(SocketError) in try reader.read(piece) }
        try reader.finish()
    }

    static func padding(after size: Int) -> Int {
        (blockBytes - size % blockBytes) % blockBytes
    }

    /// Removes the files of a backup, and their folder if it has no others.
    static func removeCopies(in folder: String) {
        for name in HostFile.names(inFolder: folder) where BackupFiles.accepts(name) {
            HostFile.remove("\(folder)/\(name)")
        }
        HostFile.removeFolder(folder)
    }

    /// Removes a folder with its files.
    static func removeFolder(_ path: String) {
        for name in HostFile.names(inFolder: path) { HostFile.remove("\(path)/\(name)") }
        HostFile.removeFolder(path)
    }

    private static func readPieces(
        _ path: String, _ take: (ArraySlice<UInt8>) throws(SocketError) -> Void
    ) throws(SocketError) {
        do {
            try HostFile.readPieces(of: path, take)
        } catch let error as SocketError {
            throw error
        } catch {
            throw SocketError(.unusable, "\(error)")
        }
    }
}

/// The header of a file in a tar archive.
struct TarHeader {
    let name: String
    let size: Int

    private static let (nameBytes, checksumStart, checksumBytes) = (100, 148, 8)
    private static let (sizeStart, sizeBytes) = (124, 12)
    private static let (magicStart, magic) = (257, Array("ustar\u{0}00".utf8))

    init(name: String, size: Int) {
        self.name = name
        self.size = size
    }

    var bytes: [UInt8] {
        var block = [UInt8](repeating: 0, count: BackupArchive.blockBytes)
        func put(_ text: some Collection<UInt8>, at start: Int) {
            for (index, byte) in text.enumerated() { block[start + index] = byte }
        }
        put(name.utf8, at: 0)
        put("0000600".utf8, at: 100)
        put("0000000".utf8, at: 108)
        put("0000000".utf8, at: 116)
        put(Self.octal(size, digits: 11), at: Self.sizeStart)
        put(Self.octal(Int(LoopClock.monotonic.unixMS / 1_000), digits: 11), at: 136)
        put("0".utf8, at: 156)
        put(Self.magic, at: Self.magicStart)
        put(Self.octal(Self.checksum(of: block), digits: 6), at: Self.checksumStart)
        put([0, UInt8(ascii: " ")], at: Self.checksumStart + 6)
        return block
    }

    /// Reads a header; nil if the block is none of a plain file.
    init?(_ block: ArraySlice<UInt8>) {
        let block = Array(block)
        guard block[Self.magicStart..<Self.magicStart + 5].elementsEqual("ustar".utf8),
            block[156] == UInt8(ascii: "0") || block[156] == 0,
            let checksum = Self.number(block[Self.checksumStart..<Self.checksumStart + 8]),
            checksum == Self.checksum(of: block),
            let size = Self.number(block[Self.sizeStart..<Self.sizeStart + Self.sizeBytes])
        else { return nil }
        name = String(decoding: block[..<Self.nameBytes].prefix { $0 != 0 }, as: UTF8.self)
        self.size = size
    }

    /// The sum of the bytes, with blanks in place of the checksum.
    private static func checksum(of block: [UInt8]) -> Int {
        let field = checksumStart..<checksumStart + checksumBytes
        return block.indices.reduce(0) { $0 + (field.contains($1) ? 32 : Int(block[$1])) }
    }

    private static func octal(_ number: Int, digits: Int) -> [UInt8] {
        let text = String(number, radix: 8)
        return Array((String(repeating: "0", count: max(0, digits - text.count)) + text).utf8)
    }

    private static func number(_ field: ArraySlice<UInt8>) -> Int? {
        let digits = field.drop { $0 == UInt8(ascii: " ") }
            .prefix { $0 != 0 && $0 != UInt8(ascii: " ") }
        return Int(String(decoding: digits, as: UTF8.self), radix: 8)
    }
}

/// A reader of an archive that comes in pieces. Only files of a backup are accepted.
struct TarReader {
    private let folder: String
    private var pending: [UInt8] = []
    private var file: AppendFile?
    /// The bytes of the file, and of the padding behind it, that are still to come.
    private var (rest, padding) = (0, 0)
    private var names: Set<String> = []
    private var hasEnded = false

    init(into folder: String) {
        self.folder = folder
    }

    mutating func read(_ piece: ArraySlice<UInt8>) throws(SocketError) {
        pending += piece
        while !hasEnded, try readNext() {}
        if hasEnded { pending = [] }
    }

    func finish() throws(SocketError) {
        guard hasEnded, !names.isEmpty else {
            throw SocketError(.unusable, Messages.userBackupIncomplete)
        }
    }

    /// Reads a header, or a part of a file; false if more bytes are needed.
    private mutating func readNext() throws(SocketError) -> Bool {
        if rest > 0 || padding > 0 { return try readContent() }
        let blockBytes = BackupArchive.blockBytes
        guard pending.count >= blockBytes else { return false }
        let block = pending[..<blockBytes]
        if block.allSatisfy({ $0 == 0 }) {
            hasEnded = true
            return true
        }
        guard let header = TarHeader(block), BackupFiles.accepts(header.name),
            names.insert(header.name).inserted
        else { throw SocketError(.unusable, Messages.userBackupForeign) }
        pending.removeFirst(blockBytes)
        file = try AppendFile(creating: "\(folder)/\(header.name)")
        (rest, padding) = (header.size, BackupArchive.padding(after: header.size))
        if rest == 0 { try closeFile() }
        return true
    }

    private mutating func readContent() throws(SocketError) -> Bool {
        guard !pending.isEmpty else { return false }
        let count = min(rest, pending.count)
        try file?.append(Array(pending[..<count]), [])
        rest -= count
        if rest == 0 { try closeFile() }
        let skipped = rest == 0 ? min(padding, pending.count - count) : 0
        padding -= skipped
        pending.removeFirst(count + skipped)
        return true
    }

    private mutating func closeFile() throws(SocketError) {
        try file?.sync()
        file = nil
    }
}
