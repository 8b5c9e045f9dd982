internal import BrokerJSON
internal import CallPlugins
internal import CallProtocol

/// A plugin's manifest, in a file that is named as it says: a fault names a line of it and can be
/// printed, and from what is accepted a process can be made.
enum ManifestInput {
    static func check(_ bytes: [UInt8]) throws(Finding) {
        let manifest: PluginManifest?
        do throws(ManifestFault) {
            manifest = try PluginManifest.read(bytes, file: file(of: bytes))
        } catch {
            return try check(error, bytes)
        }
        if let manifest { try check(manifest) }
    }

    private static func file(of bytes: [UInt8]) -> String {
        let name = "/plugins/" + PluginManifest.suffix
        guard let document = try? JSONDocument(parsing: bytes) else { return name }
        return "/plugins/" + (document.root["identity"]?.string ?? "") + PluginManifest.suffix
    }

    private static func check(_ fault: ManifestFault, _ bytes: [UInt8]) throws(Finding) {
        let lines = 1 + bytes.count { $0 == 0x0A }
        try require((1...lines).contains(fault.line), "line \(fault.line) of \(lines)")
        try require(fault.reason.printable == fault.reason, "it cannot be printed: \(fault.reason)")
    }

    private static func check(_ manifest: PluginManifest) throws(Finding) {
        let options = manifest.environmentOptions { $0.fallback }
        let isJSON = options.map { (try? JSONDocument(parsing: Array($0.utf8))) != nil } ?? true
        try require(isJSON, "the options are no JSON: \(options ?? "")")
        guard let program = manifest.program else { return }
        let environment = program.environment(from: ["HOME": "/home/somebody", "SECRET": "1"])
        let isPassed = program.passedVariables.contains("SECRET")
        let isSet = program.environment.contains { $0.name == "SECRET" }
        try require(environment["SECRET"] == nil || isPassed || isSet, "a variable was passed")
        let path = program.path(besides: "/plugins", environment) { _ in false }
        let folder = program.workingFolder(besides: "/plugins")
        let variables = environment.map { "\($0.key)=\($0.value)" }
        for text in variables + program.arguments + [path, folder] {
            try require(!text.utf8.contains(0), "the kernel would cut off what is behind a NUL")
        }
    }
}
