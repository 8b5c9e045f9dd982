/// The process that a manifest describes.
extension PluginManifest.Program {
    /// The variables that every program inherits: those that it needs to run, and none about other
    /// programs.
    private static let inheritedVariables = [
        "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "PYTHONPATH", "TMPDIR", "TZ",
        "USER",
        "XDG_RUNTIME_DIR",
    ]
    private static let defaultPath = "/usr/local/bin:/usr/bin:/bin"

    /// Returns the environment of the process, except `BROKER_SOCKET`.
    ///
    /// - Parameter inherited: The environment of the process that starts it.
    package func environment(from inherited: [String: String]) -> [String: String] {
        var variables = ["PATH": Self.defaultPath]
        for name in Self.inheritedVariables + passedVariables {
            if let value = inherited[name] { variables[name] = value }
        }
        for variable in environment { variables[variable.name] = variable.value }
        return variables
    }

    /// Returns the path of the program. A name without a slash is searched for beside the manifest,
    /// then in `PATH`.
    package func path(
        besides folder: String, _ environment: [String: String], isProgram: (String) -> Bool
    ) -> String {
        let name = arguments.first ?? ""
        guard !name.contains("/") else { return Self.absolute(name, folder) }
        let search = environment["PATH"] ?? Self.defaultPath
        let places = [folder] + search.split(separator: ":").map(String.init)
        return places.map { $0 + "/" + name }.first(where: isProgram) ?? folder + "/" + name
    }

    /// Returns the working directory.
    package func workingFolder(besides manifest: String) -> String {
        folder.map { Self.absolute($0, manifest) } ?? manifest
    }

    private static func absolute(_ path: String, _ folder: String) -> String {
        if path.hasPrefix("/") { return path }
        return "\(folder)/\(path.hasPrefix("./") ? path.dropFirst(2) : path[...])"
    }
}
