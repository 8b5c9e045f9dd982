internal import BrokerSocket
internal import CallProtocol

/// The file `plugins.json` of the state folder: which plugins are out of use, and the options that were
/// set. There may be secrets among them, so only its owner can read it.
struct ChoicesFile {
    private static let bytesMax = 1 << 20
    private static let name = "/plugins.json"

    /// Nil if nothing is to be kept.
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

    /// Nothing if there is no file yet.
    func read() throws(SocketError) -> [UInt8] {
        guard let path = folder.map({ $0 + Self.name }), try HostFile.exists(path) else {
            return []
        }
        return try HostFile.read(path, bytesMax: Self.bytesMax)
    }

    /// Moves what cannot be read out of the way. Where it is now.
    func keepAside() throws(SocketError) -> String {
        guard let path = folder.map({ $0 + Self.name }) else {
            throw SocketError(.unusable, "there is no state folder")
        }
        var number = 1
        while try HostFile.exists("\(path).kept-\(number)") { number += 1 }
        let aside = "\(path).kept-\(number)"
        try HostFile.rename(path, to: aside)
        return aside
    }

    /// What was there before is there until the new is on the disk.
    func write(_ bytes: [UInt8]) throws(SocketError) {
        guard let folder else { return }
        try PrivateFolder.prepare(folder, isChosen: isChosen, followsLink: true)
        let file = try AppendFile(writing: bytes, to: folder + Self.name + ".new")
        try file.rename(to: folder + Self.name)
        try HostFile.syncFolder(folder)
    }
}
