internal import CallModel

/// The files that an app has in its folder, and those that it leaves for the screens of the host.
enum AppFiles {
    /// The formats of sounds, by their extensions, that stand in for one that is not there.
    private static let soundExtensions = ["oga", "ogg", "wav"]
    private static let pngSignature = Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    /// The largest icon, in bytes: CallKit's have 40 points square.
    private static let iconBytesMax = 1 << 20
    /// The longest path on the wire.
    private static let pathBytesMax = 1_024

    /// The folders of the app's resources.
    static var folders: [URL] {
        [Bundle.main.resourceURL, Bundle.main.bundleURL].compactMap { $0 }
    }

    /// Returns the path of a sound in one of the folders; without one the name itself, which may be
    /// that of a sound of the host.
    static func sound(named name: String, in folders: [URL]) -> String? {
        guard !name.isEmpty, !name.utf8.contains(0) else { return nil }
        let base = (name as NSString).deletingPathExtension
        let names = [name] + soundExtensions.map { "\(base).\($0)" }
        let paths = folders.flatMap { folder in
            names.map { folder.appendingPathComponent($0).standardizedFileURL.path }
        }
        let path = name.hasPrefix("/") ? nil : paths.first { isFile($0) }
        return (path ?? name).utf8.count > pathBytesMax ? nil : path ?? name
    }

    private static func isFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && !isFolder.boolValue
    }

    /// The folder of the icons that the apps of this user have left, among the user's caches.
    static var iconFolder: URL {
        let environment = ProcessInfo.processInfo.environment
        let caches = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = URL(fileURLWithPath: environment["HOME"] ?? NSHomeDirectory())
        return (caches.map { URL(fileURLWithPath: $0) } ?? home.appendingPathComponent(".cache"))
            .appendingPathComponent("callbroker/icons")
    }

    /// Stores the icon of an app in a file of its own, in place of an earlier one, and returns the
    /// path; nil if it is no PNG, too large, or cannot be written.
    static func storeIcon(_ data: Data, of identity: String, in folder: URL) -> String? {
        guard data.starts(with: pngSignature), data.count <= iconBytesMax else { return nil }
        // Screens may keep a picture for its name: another picture has another name.
        let file = folder.appendingPathComponent("\(identity)-\(FNV.hex(of: data)).png")
        guard file.path.utf8.count <= pathBytesMax else { return nil }
        let files = FileManager.default
        do {
            try files.createDirectory(at: folder, withIntermediateDirectories: true)
            try data.write(to: file, options: .atomic)
        } catch {
            return nil
        }
        let others = (try? files.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in others where isIcon(name, of: identity) && name != file.lastPathComponent {
            try? files.removeItem(at: folder.appendingPathComponent(name))
        }
        return file.path
    }

    private static func isIcon(_ name: String, of identity: String) -> Bool {
        name.hasPrefix(identity + "-") && name.hasSuffix(".png")
            && name.utf8.count == identity.utf8.count + 21
    }
}

/// The hash FNV-1a, which is the same in every process.
enum FNV {
    /// Returns the hash of bytes as 16 hexadecimal digits.
    static func hex(of bytes: some Sequence<UInt8>) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
