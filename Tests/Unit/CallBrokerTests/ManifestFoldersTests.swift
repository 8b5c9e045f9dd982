import BrokerSocket
import CallPlugins
import Testing

@testable import CallBroker

final class ManifestFoldersTests {
    private let folder: String
    private var made: [String] = []

    init() throws {
        folder = try HostFile.makeTemporaryFolder(prefix: "manifests", environment: [:])
    }

    deinit {
        for path in made { HostFile.remove(path) }
        for place in HostFile.names(inFolder: folder) {
            HostFile.removeFolder("\(folder)/\(place)")
        }
        HostFile.removeFolder(folder)
    }

    private func write(_ names: [String], in place: String) throws {
        try HostFile.makeFolders(above: "\(folder)/\(place)/x")
        for path in names.map({ "\(folder)/\(place)/\($0)" }) {
            try HostFile.write(path, [])
            made.append(path)
        }
    }

    /// All steps, on short lines.
    private func steps(_ places: String...) -> [String] {
        let folders = ManifestFolders(places.map { "\(folder)/\($0)" }, countMax: 3) {
            PluginCatalog.File($0, Array($0.utf8))
        }
        var steps: [String] = []
        while true {
            switch folders.next() {
            case .file(let file):
                #expect(file.text == Array(file.path.utf8))
                steps.append(String(file.path.dropFirst(folder.utf8.count + 1)))
            case .look: continue
            case .tooMany(let folder, let kept):
                steps.append("too many in \(folder.suffix(1)): \(kept)")
            case .end: return steps
            }
        }
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
        let steps = steps("l", "m")
        #expect(steps.first == "too many in m: 3")
        #expect(steps.count == 5)
        #expect(steps.last == "l/a.plugin.json")
    }
}
