import Foundation
import PackagePlugin

/// Compiles an app's sources as they are. They lie in the folder `App` of the target, which the
/// manifest excludes; what is compiled are copies, in which `app-sources` has replaced what Linux
/// cannot compile.
@main struct AppSources: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = target.directoryURL.appending(path: "App")
            .resolvingSymlinksInPath()
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let sources = files?.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" } ?? []
        let program = try context.tool(named: "app-sources").url
        return sources.sorted { $0.path < $1.path }.map { source in
            let copy = context.pluginWorkDirectoryURL.appending(path: source.lastPathComponent)
            return .buildCommand(
                displayName: "Preparing \(source.lastPathComponent) for Linux", executable: program,
                arguments: [source.path, copy.path], inputFiles: [source], outputFiles: [copy])
        }
    }
}
