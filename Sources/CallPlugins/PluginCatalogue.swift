/// The plugins that there are: the manifests of all folders, where one hides another of the same name.
package struct PluginCatalogue: Sendable {
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

    /// What one step of reading all manifests brings, the ones of the highest precedence first.
    package enum Step: Sendable {
        case file(File)
        /// It is still being looked which there are.
        case look
        /// Of a folder only so many are read.
        case tooMany(folder: String, kept: Int)
        case end
    }

    package enum Content: Equatable, Sendable {
        case usable(PluginManifest)
        /// An empty object: it is as if there were no such plugin.
        case masked
        case broken(ManifestFault)
        /// There is no file any more.
        case missing
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

        /// The same once its file is gone.
        package var gone: Entry {
            Entry(identity: identity, path: path, content: .missing)
        }

        /// Nil if the name of the file is not that of a manifest.
        init?(_ file: File) {
            let name = file.path.split(separator: "/").last.map(String.init) ?? ""
            guard name.hasSuffix(PluginManifest.suffix) else { return nil }
            self.init(
                identity: String(name.dropLast(PluginManifest.suffix.count)), path: file.path,
                content: PluginCatalogue.content(of: file))
        }

        /// What relative paths in it are relative to.
        package var folder: String {
            path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        }
    }

    /// A manifest larger than this is none.
    package static let bytesMax = 65_536

    private var identities: Set<String> = []

    package init() {}

    /// - Parameter file: of no higher precedence than those that were taken before.
    /// - Returns: what it says; nil if it is no manifest, or hidden by one of the same name.
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
