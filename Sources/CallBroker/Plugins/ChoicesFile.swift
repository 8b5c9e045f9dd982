internal import BrokerSocket
internal import CallProtocol

/// The file `plugins.json` in the state folder: the disabled plugins, and the options that were
/// set. These may be secrets, so only the owner can read the file.
struct ChoicesFile {
    static let bytesMax = 1 << 20
    private static let name = "/plugins.json"

    /// The state folder; nil if nothing is saved.
    private let folder: String?
    private let isChosen: Bool

    init(_ options: ServeOptions) {
        isChosen = options.stateFolder != nil
        let isKept = !options.isTestMode || isChosen
        folder =
            isKept
            ? StateFolder(
                option: options.stateFolder, environment: options.environment,
                uid: HostProcess.userID
            ).path : nil
    }

    /// Returns the bytes of the file; empty if there is none yet.
    func read() throws(SocketError) -> [UInt8] {
        guard let path = folder.map({ $0 + Self.name }), try HostFile.exists(path) else {
            return []
        }
        return try HostFile.read(path, bytesMax: Self.bytesMax)
    }

    /// Renames a file that cannot be read, and returns its new path.
    func quarantine() throws(SocketError) -> String {
        guard let path = folder.map({ $0 + Self.name }) else {
            throw SocketError(.unusable, "there is no state folder")
        }
        var number = 1
        while try HostFile.exists("\(path).kept-\(number)") { number += 1 }
        let aside = "\(path).kept-\(number)"
        try HostFile.rename(path, to: aside)
        return aside
    }

    /// Replaces the file. The earlier content stays until the new one is on the disk.
    func write(_ bytes: [UInt8]) throws(SocketError) {
        guard let folder else { return }
        try PrivateFolder.prepare(folder, isChosen: isChosen, followsLink: true)
        let file = try AppendFile(writing: bytes, to: folder + Self.name + ".new")
        try file.rename(to: folder + Self.name)
        try HostFile.syncFolder(folder)
    }
}
