internal import BrokerSocket
internal import CallPlugins

/// A reader of the manifests in several folders, in small steps, so that a full folder does not
/// stop the loop.
final class ManifestFolders {
    private static let namesPerStep = 256

    /// The maximum number of manifests in one folder; others are not read.
    private let countMax: Int
    private let read: (String) -> PluginCatalog.File
    /// The folders to read, the next one last.
    private var folders: [String]
    private var folder = ""
    private var reader: FolderReader?
    /// The file names in the current folder, once they are known; the next one last.
    private var names: [String] = []

    /// - Parameter folders: the folders by increasing precedence.
    init(
        _ folders: [String], countMax: Int = 4_096, read: @escaping (String) -> PluginCatalog.File
    ) {
        self.folders = folders
        self.countMax = countMax
        self.read = read
    }

    func next() -> PluginCatalog.Step {
        if let reader { return look(reader) }
        if let name = names.popLast() {
            return .file(read(folder + "/" + name))
        }
        guard let next = folders.popLast() else { return .end }
        folder = next
        reader = FolderReader(next)
        return .look
    }

    private func look(_ reader: FolderReader) -> PluginCatalog.Step {
        let more = reader.next(atMost: Self.namesPerStep)
        names += more.filter { $0.hasSuffix(PluginManifest.suffix) }
        let isTooMany = names.count > countMax
        guard more.isEmpty || isTooMany else { return .look }
        self.reader = nil
        names = names.prefix(countMax).sorted(by: >)
        return isTooMany ? .tooMany(folder: folder, kept: countMax) : .look
    }
}
