/// How a process is made of what a manifest says.
extension PluginManifest.Program {
    /// What a program needs to find itself at home, and nothing that tells of others.
    private static let usualVariables = [
        "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "TMPDIR", "TZ", "USER",
        "XDG_RUNTIME_DIR",
    ]
    private static let usualPath = "/usr/local/bin:/usr/bin:/bin"

    /// Its own environment; `BROKER_SOCKET` is not yet in it.
    ///
    /// - Parameter ours: that of who starts it.
    package func environment(from ours: [String: String]) -> [String: String] {
        var variables = ["PATH": Self.usualPath]
        for name in Self.usualVariables + passedVariables {
            if let value = ours[name] { variables[name] = value }
        }
        for variable in environment { variables[variable.name] = variable.value }
        return variables
    }

    /// Where its program is: a name without a slash is one beside the manifest, else one of `PATH`.
    package func path(
        besides folder: String, _ environment: [String: String], isProgram: (String) -> Bool
    ) -> String {
        let name = arguments.first ?? ""
        guard !name.contains("/") else { return Self.absolute(name, folder) }
        let search = environment["PATH"] ?? Self.usualPath
        let places = [folder] + search.split(separator: ":").map(String.init)
        return places.map { $0 + "/" + name }.first(where: isProgram) ?? folder + "/" + name
    }

    /// The folder that it is started in.
    package func workingFolder(besides manifest: String) -> String {
        folder.map { Self.absolute($0, manifest) } ?? manifest
    }

    private static func absolute(_ path: String, _ folder: String) -> String {
        if path.hasPrefix("/") { return path }
        return "\(folder)/\(path.hasPrefix("./") ? path.dropFirst(2) : path[...])"
    }
}
