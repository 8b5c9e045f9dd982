/// The catalog of plugins: the manifests of all folders, where one hides others with the same name.
package struct PluginCatalog: Sendable {
    /// A file that may be a manifest.
    package struct File: Sendable {
        package let path: String
        /// The contents; nil if the file cannot be read.
        package let text: [UInt8]?
        /// The reason why it cannot be read.
        private(set) var fault: String?

        package init(_ path: String, _ text: [UInt8]) {
            (self.path, self.text) = (path, text)
        }

        package init(_ path: String, fault: String) {
            (self.path, text) = (path, nil)
            self.fault = fault
        }
    }

    /// A step of reading all manifests, in descending order of precedence.
    package enum Step: Sendable {
        /// A file was read.
        case file(File)
        /// The folders are still being listed.
        case look
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

        package init(identity: String, path: String, content: Content) {
            self.identity = identity
            self.path = path
            self.content = content
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
        }

        /// The folder that relative paths in the manifest refer to.
        package var folder: String {
            path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
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

    /// Returns the folders of the distribution, the administrator and the user, by ascending
    /// precedence.
    package static func standard(environment: [String: String]) -> [String] {
        func list(_ name: String, else fallback: String) -> [String] {
            let text = environment[name].flatMap { $0.isEmpty ? nil : $0 } ?? fallback
            // The first of several has the highest precedence. The XDG specification ignores
            // relative paths.
            return text.split(separator: ":").reversed().map(String.init)
                .filter { $0.hasPrefix("/") }
        }
        let home = environment["HOME"].map { $0 + "/.config" } ?? ""
        let folders =
            list("XDG_DATA_DIRS", else: "/usr/local/share:/usr/share")
            + list("XDG_CONFIG_DIRS", else: "/etc/xdg")
            + list("XDG_CONFIG_HOME", else: home)
        return folders.map { ($0.hasSuffix("/") ? String($0.dropLast()) : $0) + "/" + subfolder }
    }
}
