import CallPlugins
import Testing

struct PluginOptionsTests {
    private func text(_ options: [PluginOption], _ values: [String: PluginValue] = [:]) -> String? {
        var manifest = PluginManifest(identity: "org.bell", name: "Bell", roles: [])
        manifest.options = options
        return manifest.environmentOptions { values[$0.name] ?? $0.fallback }
    }

    @Test func `options that are set are an object, in the order of the manifest`() {
        let options = [
            PluginOption("volume", .int, fallback: .int(3)), PluginOption("door", .string),
            PluginOption("loud", .bool, fallback: .bool(true)), PluginOption("rooms", .list),
        ]
        #expect(
            text(options, ["rooms": .list(["hall"]), "volume": .int(5)])
                == #"{"volume":5,"loud":true,"rooms":["hall"]}"#)
    }

    @Test func `a secret is never among them`() {
        #expect(text([PluginOption("token", .secret, fallback: .string("hunter2"))]) == nil)
    }

    @Test func `nothing is said where nothing is set, or too much`() {
        #expect(text([]) == nil)
        #expect(text([PluginOption("door", .string)]) == nil)
        let long = PluginValue.string(String(repeating: "x", count: 4_000))
        let names = (1...17).map { PluginOption("door-\($0)", .string, fallback: long) }
        #expect(text(names) == nil)
        #expect(text(Array(names.prefix(16))) != nil)
    }
}
