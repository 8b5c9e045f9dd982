internal import BrokerSocket
internal import CallPlugins

/// A reader of the manifests in several folders, and in the folders in them, in small steps, so
/// that a full folder does not stop the loop.
final class ManifestFolders {
    private static let namesPerStep = 256

    /// A folder to read: one of the given places, or the folder of a plugin in one of them.
    private struct Folder {
        let path: String
        let isPlugin: Bool
        /// True if the folders in it are read, too.
        let hasFolders: Bool
    }

    /// The maximum number of manifests, and of folders, in one folder; others are not read.
    private let countMax: Int
    private let read: (String) -> PluginCatalog.File
    private let watch: (String, FolderWatch.Names) -> Void
    /// The folders to read, the next one last.
    private var folders: [Folder]
    private var folder = Folder(path: "", isPlugin: false, hasFolders: false)
    private var reader: FolderReader?
    private var contents = FolderContents()
    /// The paths of manifests in the current folder, once they are known; the next one last.
    private var manifests: [String] = []
    private var strays: [PluginCatalog.Stray] = []
    /// The paths of the manifests in the current place, by their file names.
    private var taken: [String: String] = [:]
    /// True if the current place itself has manifests.
    private var isOfManifests = false

    /// - Parameters:
    ///   - places: The folders by increasing precedence.
    ///   - countMax: The most manifests that are read.
    ///   - read: Reads a manifest.
    ///   - watch: Called with each folder before it is read, and with the names that matter in it.
    init(
        _ places: [PluginFolders.Place], countMax: Int = 4_096,
        read: @escaping (String) -> PluginCatalog.File = ManifestFolders.file,
        watch: @escaping (String, FolderWatch.Names) -> Void = { _, _ in }
    ) {
        folders = places.map { Folder(path: $0.path, isPlugin: false, hasFolders: $0.hasFolders) }
        self.countMax = countMax
        self.read = read
        self.watch = watch
    }

    func next() -> PluginCatalog.Step {
        if let reader { return look(reader) }
        if let stray = strays.popLast() { return .stray(stray) }
        if let path = manifests.popLast() { return readManifest(path) }
        guard let next = folders.popLast() else { return .end }
        open(next)
        return .look
    }

    private func open(_ next: Folder) {
        folder = next
        if !next.isPlugin { taken = [:] }
        watch(next.path, next.isPlugin ? .ending(PluginManifest.suffix) : .all)
        reader = FolderReader(next.path)
        contents = FolderContents()
    }

    private func look(_ reader: FolderReader) -> PluginCatalog.Step {
        let more = reader.next(atMost: Self.namesPerStep)
        contents.add(more, in: folder.path, withFolders: folder.hasFolders)
        let isTooMany = max(contents.manifests.count, contents.folders.count) > countMax
        guard more.isEmpty || isTooMany else { return .look }
        self.reader = nil
        finish(isReadable: reader.isOpen)
        return isTooMany ? .tooMany(folder: folder.path, kept: countMax) : .look
    }

    private func finish(isReadable: Bool) {
        let path = folder.path
        manifests = contents.manifests.prefix(countMax).sorted(by: >).map { "\(path)/\($0)" }
        strays = contents.brokenLinks.sorted(by: >).map { .brokenLink("\(path)/\($0)") }
        guard !folder.isPlugin else {
            if manifests.isEmpty, let stray = stray(isReadable: isReadable) { strays = [stray] }
            return
        }
        isOfManifests = !manifests.isEmpty
        folders += contents.folders.prefix(countMax).sorted(by: >).map {
            Folder(path: "\(path)/\($0)", isPlugin: true, hasFolders: false)
        }
    }

    /// Returns what is wrong with the current folder, which has no manifest; nil if it need not
    /// have one, because it may belong to a manifest beside it.
    private func stray(isReadable: Bool) -> PluginCatalog.Stray? {
        guard isReadable else { return .unreadable(folder.path) }
        if let name = contents.misnamedManifest {
            return .misnamed(folder.path, name)
        }
        if let name = contents.folderOfManifest(in: folder.path) {
            return .tooDeep(folder.path, name)
        }
        return isOfManifests ? nil : .withoutManifest(folder.path)
    }

    private func readManifest(_ path: String) -> PluginCatalog.Step {
        let name = String(path.dropFirst(folder.path.utf8.count + 1))
        if let other = taken[name] { return .stray(.hidden(path, by: other)) }
        taken[name] = path
        let file = read(path)
        // The manifest may be a link to one elsewhere.
        if file.folder != folder.path { watch(file.folder, .ending(PluginManifest.suffix)) }
        return .file(file)
    }

    /// Reads a file that may be a manifest.
    static func file(_ path: String) -> PluginCatalog.File {
        var file: PluginCatalog.File
        do throws(SocketError) {
            file = PluginCatalog.File(
                path, try HostFile.read(path, bytesMax: PluginCatalog.bytesMax))
        } catch {
            file = PluginCatalog.File(path, fault: error.description)
        }
        file.folder = PluginCatalog.File.folder(of: HostFile.realPath(path) ?? path)
        file.generation = HostFile.inode(file.folder)
        return file
    }
}

/// The names in a folder that may have to do with plugins.
private struct FolderContents {
    /// The maximum number of folders that are searched for a manifest that is too deep.
    private static let searchedMax = 16
    private static let namesSearchedMax = 256

    private(set) var manifests: [String] = []
    private(set) var folders: [String] = []
    private(set) var brokenLinks: [String] = []
    /// Other names, as far as they are worth a look.
    private var others: [String] = []

    mutating func add(_ names: [String], in folder: String, withFolders: Bool) {
        for name in names {
            if name.hasSuffix(PluginManifest.suffix) {
                manifests.append(name)
            } else if !name.hasPrefix(".") {
                withFolders ? sort(name, in: folder) : others.append(name)
            }
        }
        others.removeLast(max(0, others.count - 1_024))
    }

    /// Sorts a name that may be that of a plugin's folder.
    private mutating func sort(_ name: String, in folder: String) {
        let path = "\(folder)/\(name)"
        if HostFile.isFolder(path) {
            folders.append(name)
        } else if HostFile.linkTarget(path) != nil, HostFile.realPath(path) == nil {
            brokenLinks.append(name)
        }
    }

    /// A file that seems to be a manifest, and has another name.
    var misnamedManifest: String? {
        others.filter { name in
            name.hasSuffix(".json") && ["plugin", "manifest"].contains { name.contains($0) }
        }.min()
    }

    func folderOfManifest(in folder: String) -> String? {
        others.sorted().filter { HostFile.isFolder("\(folder)/\($0)") }.prefix(Self.searchedMax)
            .first { name in
                FolderReader("\(folder)/\(name)").next(atMost: Self.namesSearchedMax).contains {
                    $0.hasSuffix(PluginManifest.suffix)
                }
            }
    }
}

extension PluginCatalog.Stray {
    fileprivate static func brokenLink(_ path: String) -> Self {
        Self(
            path, "is a link to something that does not exist",
            hint: "remove it, or restore what it links to")
    }

    fileprivate static func unreadable(_ path: String) -> Self {
        Self(path, "cannot be opened", hint: "let the user of the broker read it")
    }

    fileprivate static func misnamed(_ path: String, _ name: String) -> Self {
        Self(
            path, "has a file \(name), but no manifest",
            hint: "rename it IDENTITY\(PluginManifest.suffix), with the identity in it")
    }

    fileprivate static func tooDeep(_ path: String, _ name: String) -> Self {
        Self(
            path, "has its manifest one folder too deep, in \(name)",
            hint: "callbroker plugin install \(path)/\(name)")
    }

    fileprivate static func withoutManifest(_ path: String) -> Self {
        Self(
            path, "has no manifest, IDENTITY\(PluginManifest.suffix)",
            hint: "write one (callbroker describe manifest), or remove the folder")
    }

    fileprivate static func hidden(_ path: String, by other: String) -> Self {
        Self(
            path, "is ignored: \(other) has the same name",
            hint: "remove one of them, or change its identity")
    }
}
