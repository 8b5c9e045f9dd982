import BrokerSocket
import CallPlugins
import Testing

@testable import CallBroker

final class ManifestFoldersTests {
    private let folder: String
    private var watched: [String] = []

    init() throws {
        folder = try HostFile.makeTemporaryFolder(prefix: "manifests", environment: [:])
    }

    deinit {
        try? FolderTree.remove(folder)
    }

    private func write(_ names: [String], in place: String) throws {
        try HostFile.makeFolders(above: "\(folder)/\(place)/x")
        for path in names.map({ "\(folder)/\(place)/\($0)" }) {
            try HostFile.write(path, [])
        }
    }

    /// All steps, on short lines.
    private func steps(_ places: String..., hasFolders: Bool = true, countMax: Int = 8) -> [String]
    {
        let folders = ManifestFolders(
            places.map { PluginFolders.Place("\(folder)/\($0)", hasFolders: hasFolders) },
            countMax: countMax, read: { PluginCatalog.File($0, Array($0.utf8)) },
            watch: { path, _ in self.watched.append(self.short(path)) })
        var steps: [String] = []
        while true {
            switch folders.next() {
            case .file(let file):
                #expect(file.text == Array(file.path.utf8))
                steps.append(short(file.path))
            case .look: continue
            case .stray(let stray): steps.append("\(short(stray.path)) \(stray.reason)")
            case .tooMany(let folder, let kept):
                steps.append("too many in \(folder.suffix(1)): \(kept)")
            case .end: return steps
            }
        }
    }

    private func short(_ path: String) -> String {
        path.replacing(folder + "/", with: "")
    }

    @Test func `manifests come by falling precedence of their folders, then by name`() throws {
        try write(["b.plugin.json", "a.plugin.json", "README.md"], in: "low")
        try write(["c.plugin.json"], in: "high")
        #expect(
            steps("low", "nowhere", "high")
                == ["high/c.plugin.json", "low/a.plugin.json", "low/b.plugin.json"])
    }

    @Test func `of very many in one folder only so many are read, and it is said`() throws {
        try write((1...4).map { "n\($0).plugin.json" }, in: "m")
        try write(["a.plugin.json"], in: "l")
        let steps = steps("l", "m", countMax: 3)
        #expect(steps.first == "too many in m: 3")
        #expect(steps.count == 5)
        #expect(steps.last == "l/a.plugin.json")
    }

    @Test func `folders in a folder are looked into, and no deeper`() throws {
        try write(["z.plugin.json"], in: "p")
        try write(["a.plugin.json", "run.sh"], in: "p/bell")
        try write(["b.plugin.json"], in: "p/.new")
        try write(["c.plugin.json"], in: "p/deep/inner")
        #expect(
            steps("p") == [
                "p/z.plugin.json", "p/bell/a.plugin.json",
                "p/deep has its manifest one folder too deep, in inner",
            ])
        #expect(watched == ["p", "p/bell", "p/deep"])
    }

    @Test func `folders of the distribution are not looked into`() throws {
        try write(["a.plugin.json"], in: "p/bell")
        #expect(steps("p", hasFolders: false) == [])
    }

    @Test func `what looks like a plugin is named with the reason why it is none`() throws {
        try write(["plugin.json"], in: "p/named")
        try write(["run.sh"], in: "p/bare")
        try write(["a.plugin.json"], in: "p/one")
        try write(["a.plugin.json"], in: "p/two")
        try FolderTree.makeLink(to: "/nowhere", at: "\(folder)/p/lost")
        #expect(
            steps("p")
                == [
                    "p/lost is a link to something that does not exist",
                    "p/bare has no manifest, IDENTITY.plugin.json",
                    "p/named has a file plugin.json, but no manifest", "p/one/a.plugin.json",
                    "p/two/a.plugin.json is ignored: p/one/a.plugin.json has the same name",
                ].map { $0.replacing("d: p/", with: "d: \(folder)/p/") })
    }

    @Test func `a folder beside a manifest may belong to it`() throws {
        try write(["a.plugin.json"], in: "p")
        try write(["data"], in: "p/sounds")
        #expect(steps("p") == ["p/a.plugin.json"])
    }

    @Test func `paths in a linked manifest refer to the folder of the file itself`() throws {
        try write(["a.plugin.json"], in: "source")
        try write([], in: "p/x")
        let source = "\(folder)/source"
        try FolderTree.makeLink(
            to: "\(source)/a.plugin.json", at: "\(folder)/p/a.plugin.json")
        try FolderTree.makeLink(to: source, at: "\(folder)/p/linked")
        #expect(ManifestFolders.file("\(folder)/p/a.plugin.json").folder == source)
        #expect(ManifestFolders.file("\(folder)/p/linked/a.plugin.json").folder == source)
        #expect(ManifestFolders.file("\(folder)/p/linked/a.plugin.json").generation != 0)
    }
}
