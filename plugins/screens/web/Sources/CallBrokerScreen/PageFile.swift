import FoundationEssentials

/// A file that browsers get, as it is on the disk.
struct PageFile {
    /// The largest file, of which the page has none.
    private static let limit = 1_048_576

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
        "json": "application/json", "webmanifest": "application/manifest+json",
    ]

    let bytes: [UInt8]
    let type: String

    /// Reads the file of a path such as `/page/calls.js`. Returns nil if the folder has none.
    init?(path: String, folders: PageFolders) {
        let names = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard let name = names.last, names.count <= 2, names.allSatisfy(Self.isPlain) else {
            return nil
        }
        let ending = name.split(separator: ".").last.map(String.init) ?? ""
        guard let type = Self.types[ending] else { return nil }
        let folder = names.count == 2 ? folders.named(String(names.first ?? "")) : folders.page
        guard let folder else { return nil }
        guard let data = try? Data(contentsOf: URL(filePath: folder + "/" + name)) else {
            return nil
        }
        guard data.count <= Self.limit else { return nil }
        bytes = Array(data)
        self.type = type
    }

    /// What tells one version of the file from another: FNV-1a of its bytes.
    var tag: String {
        let hash = bytes.reduce(14_695_981_039_346_656_037 as UInt64) {
            ($0 ^ UInt64($1)) &* 1_099_511_628_211
        }
        return "\"\(String(hash, radix: 16))\""
    }

    /// True for a name of letters, digits, dashes, underscores and dots that does not begin with one.
    private static func isPlain(_ name: Substring) -> Bool {
        guard let first = name.utf8.first, first != 0x2E else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
            default: false
            }
        }
    }
}

/// Where the page and the texts are: beside the program when it is installed, else in the sources.
struct PageFolders {
    let page: String
    let messages: String

    /// Returns nil if there is no page in any of the places.
    init?(program: String) {
        let folder = Self.parent(program)
        let prefix = Self.parent(folder)
        let share = [prefix, Self.parent(prefix)].map { $0 + "/share/callbroker" }
        // A build is at `.build/release/callbroker-screen`, or one folder deeper, of the package.
        let above = (1...5).map { depth in (0..<depth).reduce(folder) { at, _ in Self.parent(at) } }
        let pages = share.map { $0 + "/screen" } + above.map { $0 + "/page" }
        let catalogs = share.map { $0 + "/messages" } + above.map { $0 + "/../../../messages" }
        guard let page = pages.first(where: { Self.exists($0 + "/index.html") }) else { return nil }
        guard let messages = catalogs.first(where: { Self.exists($0 + "/en.json") }) else {
            return nil
        }
        self.page = page
        self.messages = messages
    }

    /// The folder of a name in the address.
    func named(_ name: String) -> String? {
        switch name {
        case "messages": messages
        case "app-icons": Self.icons
        default: nil
        }
    }

    /// The folder in which apps leave their icons, among the user's caches.
    private static var icons: String? {
        let environment = ProcessInfo.processInfo.environment
        let caches = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let folder = caches ?? environment["HOME"].map { $0 + "/.cache" }
        return folder.map { $0 + "/callbroker/icons" }
    }

    private static func parent(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? path
    }

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path)
    }
}
