internal import BrokerSocket
internal import CallPlugins

/// The plugins in one plugin folder. Each change is one rename: a crash leaves the state before it
/// or after it.
struct InstalledPlugins {
    /// A manifest in the folder, or in a folder in it; or a link to something that has gone.
    struct Entry {
        /// The identity; the name of a link that leads nowhere.
        let identity: String
        /// The folder of the plugin, or its manifest if that is not in a folder of its own.
        let path: String
        /// The target, if the path is a link.
        let link: String?

        var name: String {
            path.split(separator: "/").last.map(String.init) ?? path
        }
    }

    private static let newEnd = ".new"
    private static let oldEnd = ".old"
    /// The file in an installed folder that has the path of the folder it was copied from.
    private static let originName = ".origin"

    let folder: String

    /// The plugins, sorted by the names of their folders.
    var entries: [Entry] {
        HostFile.names(inFolder: folder).filter { !$0.hasPrefix(".") }.flatMap { name in
            let path = "\(folder)/\(name)"
            let link = HostFile.linkTarget(path)
            return identities(in: name).map { Entry(identity: $0, path: path, link: link) }
        }
    }

    private func identities(in name: String) -> [String] {
        let path = "\(folder)/\(name)"
        let files = HostFile.isFolder(path) ? HostFile.names(inFolder: path) : [name]
        let manifests = files.filter { $0.hasSuffix(PluginManifest.suffix) }
        if manifests.isEmpty, HostFile.linkTarget(path) != nil, HostFile.realPath(path) == nil {
            return [name]
        }
        return manifests.map { String($0.dropLast(PluginManifest.suffix.count)) }
    }

    func entry(_ identity: String) -> Entry? {
        entries.first { $0.identity == identity }
    }

    // MARK: - Changes

    /// Adds a plugin, as a copy or as a link to its folder.
    ///
    /// - Returns: The path of the new entry.
    func install(_ source: PluginSource, asLink: Bool) throws(SocketError) -> String {
        try locked { () throws(SocketError) in
            try checkIsNew(source)
            let path = "\(folder)/\(source.name)"
            if asLink {
                try FolderTree.makeLink(to: source.path, at: path)
            } else {
                try FolderTree.rename(try copy(source, as: source.name), toNew: path)
            }
            try HostFile.syncFolder(folder)
            return path
        }
    }

    /// Checks that no plugin has the identity or the name of the folder.
    private func checkIsNew(_ source: PluginSource) throws(SocketError) {
        if let other = entry(source.identity) {
            throw SocketError(
                .unusable,
                other.link == nil
                    ? Messages.pluginInstalledAlready(
                        plugin: source.identity, path: other.path, source: source.path)
                    : Messages.pluginLinkedAlready(plugin: source.identity, path: other.path))
        }
        let path = "\(folder)/\(source.name)"
        guard try HostFile.exists(path) else { return }
        let owner = entries.first { $0.path == path }
        throw SocketError(
            .unusable,
            owner.map {
                Messages.pluginPathTakenBy(path: path, plugin: $0.identity, source: source.path)
            } ?? Messages.pluginPathTaken(path: path, source: source.path))
    }

    /// Replaces a plugin by a new copy of its source.
    func update(_ entry: Entry, from source: PluginSource) throws(SocketError) {
        try locked { () throws(SocketError) in
            let new = try copy(source, as: entry.name)
            try FolderTree.exchange(new, entry.path)
            try HostFile.syncFolder(folder)
            try FolderTree.remove(new)
        }
    }

    func remove(_ entry: Entry) throws(SocketError) {
        try locked { () throws(SocketError) in
            let old = "\(folder)/.\(entry.name)\(Self.oldEnd)"
            try FolderTree.rename(entry.path, toNew: old)
            try HostFile.syncFolder(folder)
            try FolderTree.remove(old)
        }
    }

    /// Returns the folder that a plugin was copied from; nil if it was not installed by a copy.
    func origin(of entry: Entry) -> String? {
        let path = try? HostFile.line("\(entry.path)/\(Self.originName)")
        return path.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Copies a plugin beside the others, where the broker does not look.
    private func copy(_ source: PluginSource, as name: String) throws(SocketError) -> String {
        let real = HostFile.realPath(folder) ?? folder
        guard !"\(real)/".hasPrefix("\(source.path)/") else {
            throw SocketError(.unusable, Messages.pluginHoldsFolder(path: source.path))
        }
        let copy = "\(folder)/.\(name)\(Self.newEnd)"
        try FolderTree.copy(source.path, to: copy) { $0 == ".git" || $0 == Self.originName }
        try HostFile.write("\(copy)/\(Self.originName)", Array("\(source.path)\n".utf8))
        return copy
    }

    /// Runs `body` while no other process changes the folder, after removing what a crash has left.
    private func locked<Result>(
        _ body: () throws(SocketError) -> Result
    ) throws(SocketError) -> Result {
        try HostFile.makeFolders(above: "\(folder)/x")
        let lock = try FileLock("\(folder)/.lock") { holder in
            holder.map { Messages.pluginFolderLockedBy(process: $0) } ?? Messages.pluginFolderLocked
        }
        defer { lock.release() }
        for name in HostFile.names(inFolder: folder)
        where name.hasPrefix(".") && (name.hasSuffix(Self.newEnd) || name.hasSuffix(Self.oldEnd)) {
            try FolderTree.remove("\(folder)/\(name)")
        }
        return try body()
    }
}
