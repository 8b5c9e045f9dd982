import CallPlugins
import Foundation
import Testing

/// The manifests of this repository, as the broker reads them.
struct ShippedManifestTests {
    private static let plugins = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("plugins")

    /// Of the plugins, and of what `callbroker plugin new` makes of a template.
    static let all: [String] =
        (FileManager.default.enumerator(atPath: plugins.path)?.compactMap { $0 as? String } ?? [])
        .filter { $0.hasSuffix(PluginManifest.suffix) }.sorted()

    private static func filled(_ text: String) -> String {
        text.replacingOccurrences(of: "@IDENTITY@", with: "org.example.bell")
            .replacingOccurrences(of: "@NAME@", with: "bell")
            .replacingOccurrences(of: "@TITLE@", with: "Bell")
    }

    @Test func `there are some of both kinds`() {
        #expect(Self.all.contains("adapters/baresip/org.callbroker.baresip.plugin.json"))
        #expect(Self.all.contains("adapters/liblinphone/org.callbroker.liblinphone.plugin.json"))
        #expect(Self.all.contains("adapters/linphone/org.callbroker.linphone.plugin.json"))
        #expect(Self.all.contains("adapters/ofono/org.callbroker.ofono.plugin.json"))
        #expect(Self.all.filter { $0.hasPrefix("templates/") }.count == 32)
    }

    @Test(arguments: all)
    func `the broker reads it, and can start what it describes`(_ path: String) throws {
        let text = try String(
            contentsOf: Self.plugins.appendingPathComponent(path), encoding: .utf8)
        let manifest = try PluginManifest.read(
            Array(Self.filled(text).utf8), file: Self.filled(path))
        let program = try #require(manifest?.program)
        // A program of mono is the argument of its runtime.
        let isOwn = program.arguments[0].hasPrefix("./") || program.arguments[0] == "mono"
        #expect(isOwn)
        #expect(manifest?.start == .boot)
    }
}
