/// The catalog of plugins: the manifests of all folders, where one hides others with the same name.
package struct PluginCatalog: Sendable {
    /// A file that may be a manifest.
    package struct File: Sendable {
        package let path: String
        /// The contents; nil if the file cannot be read.
        package let text: [UInt8]?
        /// The reason why it cannot be read.
        private(set) var fault: String?
        /// The folder that relative paths in the manifest refer to: that of the file itself where
        /// the path is a link.
        package var folder: String
        /// A number of that folder. It differs after the folder was replaced.
        package var generation: UInt64 = 0

        package init(_ path: String, _ text: [UInt8]) {
            (self.path, self.text) = (path, text)
            folder = Self.folder(of: path)
        }

        package init(_ path: String, fault: String) {
            (self.path, text) = (path, nil)
            self.fault = fault
            folder = Self.folder(of: path)
        }

        package static func folder(of path: String) -> String {
            path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        }
    }

    /// An entry of a plugin folder that looks like a plugin, and is ignored.
    package struct Stray: Equatable, Sendable {
        package let path: String
        package let reason: String
        package let hint: String

        package init(_ path: String, _ reason: String, hint: String) {
            (self.path, self.reason, self.hint) = (path, reason, hint)
        }
    }

    /// A step of reading all manifests, in descending order of precedence.
    package enum Step: Sendable {
        /// A file was read.
        case file(File)
        /// The folders are still being listed.
        case look
        /// Something looks like a plugin, and is none.
        case stray(Stray)
        /// A folder has more files than are read.
        case tooMany(folder: String, kept: Int)
        /// The end of the manifests.
        case end
    }

    /// The meaning of a manifest file.
    package enum Content: Equatable, Sendable {
        case usable(PluginManifest)
        /// An empty object, which hides the plugin.
        case masked
        case broken(ManifestFault)
        /// The file was deleted.
        case missing
    }

    /// A manifest file in the catalog.
    package struct Entry: Equatable, Sendable {
        /// The identity according to the name of the file.
        package let identity: String
        package let path: String
        package let content: Content
        /// The folder that relative paths in the manifest refer to.
        package private(set) var folder: String
        private var generation: UInt64 = 0

        package init(identity: String, path: String, content: Content) {
            self.identity = identity
            self.path = path
            self.content = content
            folder = File.folder(of: path)
        }

        /// The entry after its file was deleted.
        package var gone: Entry {
            Entry(identity: identity, path: path, content: .missing)
        }

        /// Creates an entry; nil if the name of the file is not that of a manifest.
        init?(_ file: File) {
            let name = file.path.split(separator: "/").last.map(String.init) ?? ""
            guard name.hasSuffix(PluginManifest.suffix) else { return nil }
            self.init(
                identity: String(name.dropLast(PluginManifest.suffix.count)), path: file.path,
                content: PluginCatalog.content(of: file))
            (folder, generation) = (file.folder, file.generation)
        }
    }

    /// The maximum size of a manifest, in bytes.
    package static let bytesMax = 65_536

    private var identities: Set<String> = []

    package init() {}

    /// Adds a file.
    ///
    /// - Parameter file: Must not have a higher precedence than those added before.
    /// - Returns: The entry; nil if the file is not a manifest, or is hidden by one with the same
    ///   name.
    package mutating func take(_ file: File) -> Entry? {
        guard let entry = Entry(file), identities.insert(entry.identity).inserted else {
            return nil
        }
        return entry
    }

    package func contains(_ identity: String) -> Bool {
        identities.contains(identity)
    }

    private static func content(of file: File) -> Content {
        guard let text = file.text, text.count <= bytesMax else {
            let why = file.fault ?? "larger than \(bytesMax) bytes"
            return .broken(
                ManifestFault(file.path, line: 1, "the manifest cannot be read: \(why)"))
        }
        do throws(ManifestFault) {
            return try PluginManifest.read(text, file: file.path).map { .usable($0) } ?? .masked
        } catch {
            return .broken(error)
        }
    }
}

/// The folders that are searched for manifests.
package enum PluginFolders {
    private static let subfolder = "callbroker/plugins"

    /// A folder of manifests.
    package struct Place: Equatable, Sendable {
        package let path: String
        /// True if the folders in it are searched, too. Those of the distribution are not: they are
        /// plugins that a user may enable.
        package let hasFolders: Bool

        package init(_ path: String, hasFolders: Bool = true) {
            (self.path, self.hasFolders) = (path, hasFolders)
        }
    }

    /// Returns the folders of the distribution, the administrator and the user, by ascending
    /// precedence.
    package static func standard(environment: [String: String]) -> [Place] {
        let distribution = list(environment["XDG_DATA_DIRS"], else: "/usr/local/share:/usr/share")
        let administrator = list(environment["XDG_CONFIG_DIRS"], else: "/etc/xdg")
        return distribution.map { Place($0, hasFolders: false) }
            + administrator.map { Place($0) }
            + [user(environment: environment)].compactMap { $0 }.map { Place($0) }
    }

    /// Returns the folder of the user; nil without a home.
    package static func user(environment: [String: String]) -> String? {
        list(
            environment["XDG_CONFIG_HOME"], else: environment["HOME"].map { $0 + "/.config" } ?? ""
        )
        .last
    }

    private static func list(_ value: String?, else fallback: String) -> [String] {
        let text = value.flatMap { $0.isEmpty ? nil : $0 } ?? fallback
        // The first of several has the highest precedence. The XDG specification ignores relative
        // paths.
        return text.split(separator: ":").reversed().map(String.init).filter { $0.hasPrefix("/") }
            .map { ($0.hasSuffix("/") ? String($0.dropLast()) : $0) + "/" + subfolder }
    }
}
