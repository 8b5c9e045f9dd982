internal import BrokerSocket
internal import CallPlugins
internal import CallTesting

/// The folder of a plugin, with its one manifest.
struct PluginSource {
    /// The absolute path.
    let path: String
    /// The name of the folder.
    let name: String
    let manifest: PluginManifest

    var identity: String {
        manifest.identity
    }

    /// - Throws: if the broker would not take the plugin.
    init(_ path: String) throws(SocketError) {
        guard HostFile.isFolder(path), let real = HostFile.realPath(path) else {
            throw SocketError(.unusable, Messages.pluginNotAFolder(path: path))
        }
        self.path = real
        let given = path.split(separator: "/").last.map(String.init) ?? "."
        let own = real.split(separator: "/").last.map(String.init) ?? ""
        name = given.hasPrefix(".") ? own : given
        guard !name.isEmpty, !name.hasPrefix(".") else {
            throw SocketError(.unusable, Messages.pluginHiddenFolder(path: real))
        }
        let file = try Self.manifest(in: real)
        do throws(ManifestFault) {
            let text = try Self.read(file)
            guard let manifest = try PluginManifest.read(text, file: file) else {
                throw ManifestFault(file, line: 1, "the manifest is empty: it only hides another")
            }
            self.manifest = manifest
        } catch {
            throw SocketError(.unusable, "\(error)")
        }
    }

    private static func read(_ file: String) throws(ManifestFault) -> [UInt8] {
        do throws(SocketError) {
            return try HostFile.read(file, bytesMax: PluginCatalog.bytesMax)
        } catch {
            throw ManifestFault(file, line: 1, "the manifest cannot be read: \(error)")
        }
    }

    /// Returns the path of the one manifest in a folder.
    static func manifest(in folder: String) throws(SocketError) -> String {
        let names = HostFile.names(inFolder: folder).filter { $0.hasSuffix(PluginManifest.suffix) }
        guard names.count == 1, let name = names.first else {
            throw SocketError(
                .unusable,
                names.isEmpty
                    ? Messages.pluginNoManifest(folder: folder)
                    : Messages.pluginSeveralManifests(folder: folder, number: "\(names.count)"))
        }
        return "\(folder)/\(name)"
    }

    /// Checks that the program exists.
    func checkProgram() throws(SocketError) {
        guard let program = manifest.program else { return }
        let environment = program.environment(from: Environment.current)
        let file = program.path(besides: path, environment, isProgram: HostFile.isProgram)
        guard !HostFile.isProgram(file) else { return }
        let described = try? ProviderProgram(
            manifest: "\(path)/\(identity)\(PluginManifest.suffix)", [], environment: [:])
        throw SocketError(
            .unusable,
            described?.build.map {
                Messages.pluginNotBuilt(file: file, path: path, command: $0)
            } ?? Messages.pluginNotExecutable(file: file))
    }
}
