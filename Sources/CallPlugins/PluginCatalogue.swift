/// The plugins that there are: the manifests of all folders, where one hides another of the same name.
package struct PluginCatalogue: Equatable, Sendable {
    /// A file that may be a manifest.
    package struct File: Sendable {
        package let path: String
        /// Nil if it cannot be read.
        package let text: [UInt8]?
        /// Why it cannot.
        private(set) var fault: String?

        package init(_ path: String, _ text: [UInt8]) {
            (self.path, self.text) = (path, text)
        }

        package init(_ path: String, fault: String) {
            (self.path, text) = (path, nil)
            self.fault = fault
        }
    }

    package enum Content: Equatable, Sendable {
        case usable(PluginManifest)
        /// An empty object: it is as if there were no such plugin.
        case masked
        case broken(ManifestFault)
    }

    package struct Entry: Equatable, Sendable {
        /// As the file's name says.
        package let identity: String
        package let path: String
        package let content: Content

        package init(identity: String, path: String, content: Content) {
            self.identity = identity
            self.path = path
            self.content = content
        }

        /// What relative paths in it are relative to.
        package var folder: String {
            path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        }
    }

    /// In the order of their names.
    package let entries: [Entry]

    /// A manifest larger than this is none.
    package static let bytesMax = 65_536

    /// - Parameter files: by rising precedence.
    package init(_ files: [File] = []) {
        var entries: [Entry] = []
        for file in files {
            let name = file.path.split(separator: "/").last.map(String.init) ?? ""
            guard name.hasSuffix(PluginManifest.suffix) else { continue }
            let identity = String(name.dropLast(PluginManifest.suffix.count))
            entries.removeAll { $0.identity == identity }
            entries.append(
                Entry(identity: identity, path: file.path, content: Self.content(of: file)))
        }
        self.entries = entries.sorted { $0.identity < $1.identity }
    }

    private static func content(of file: File) -> Content {
        guard let text = file.text, text.count <= bytesMax else {
            let why = file.fault ?? "it has more than \(bytesMax) bytes"
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

/// Where manifests are looked for.
package enum PluginFolders {
    private static let place = "callbroker/plugins"

    /// By rising precedence: of the distribution, of the administrator, of the user.
    package static func standard(environment: [String: String]) -> [String] {
        func list(_ name: String, else fallback: String) -> [String] {
            let text = environment[name].flatMap { $0.isEmpty ? nil : $0 } ?? fallback
            // Of several the first counts most. A path that is not absolute is to be ignored.
            return text.split(separator: ":").reversed().map(String.init)
                .filter { $0.hasPrefix("/") }
        }
        let home = environment["HOME"].map { $0 + "/.config" } ?? ""
        let folders =
            list("XDG_DATA_DIRS", else: "/usr/local/share:/usr/share")
            + list("XDG_CONFIG_DIRS", else: "/etc/xdg")
            + list("XDG_CONFIG_HOME", else: home)
        return folders.map { ($0.hasSuffix("/") ? String($0.dropLast()) : $0) + "/" + place }
    }
}
