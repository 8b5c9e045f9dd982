internal import BrokerJSON
internal import BrokerSocket
internal import CallBroker
internal import CallPlugins
internal import CallProtocol

/// The plugins that come with the program. Each is enabled by a link in the user's plugin folder,
/// and used where it is.
enum BundledPlugins {
    /// All of them, sorted by the names of their folders.
    static var all: [PluginSource] {
        BundledFiles.pluginFolders.compactMap { try? PluginSource($0) }
            .sorted { $0.name < $1.name }
    }

    /// Returns the bundled plugin that the user means by its identity, its folder, or a part of
    /// them; nil if it is another plugin, or enabled already.
    static func toEnable(
        _ words: String, in installed: InstalledPlugins
    ) throws(ToolFailure) -> PluginSource? {
        let present = present(installed)
        let bundled = all
        let named = bundled.first { $0.name == words }?.identity
        let identities = present.union(bundled.map(\.identity)).sorted()
        let identity =
            named == nil
            ? try NameChoice(words, among: identities, Messages.choicePlugins).name : named
        return bundled.first { $0.identity == identity && !present.contains($0.identity) }
    }

    /// Returns the identities in the folders that a broker of this user reads.
    static func present(_ installed: InstalledPlugins) -> Set<String> {
        let places = PluginFolders.standard(environment: Environment.current)
        let standard = places.flatMap { place in
            InstalledPlugins(folder: place.path).entries.filter {
                place.hasFolders || $0.path.hasSuffix(PluginManifest.suffix)
            }
        }
        return Set((standard + installed.entries).map(\.identity))
    }

    /// Writes the list, as an array.
    static func list(_ installed: InstalledPlugins) -> [UInt8] {
        let present = present(installed)
        var writer = JSONWriter()
        writer.array { writer in
            for plugin in all {
                writer.object { writer in
                    writer.member("plugin", plugin.identity)
                    writer.member("name", plugin.name)
                    writer.member("version", ifSet: plugin.manifest.version)
                    writer.member("installed", present.contains(plugin.identity))
                    writer.member("path", plugin.path)
                    writer.member("description", ifSet: plugin.manifest.summary)
                }
            }
        }
        return writer.bytes
    }

    /// Returns the list for people.
    static func table(_ plugins: [JSONValue]) -> String {
        guard !plugins.isEmpty else { return Messages.pluginNoneBundled }
        return TextTable(
            [
                .plain(Messages.headingName), .plain(Messages.headingInstalled),
                .plain(Messages.headingDescription),
            ],
            plugins.map { plugin in
                [
                    plugin["name"]?.string ?? "",
                    plugin["installed"]?.boolean == true ? Messages.listYes : Messages.listNo,
                    plugin["description"]?.string ?? "",
                ]
            }
        ).description
    }
}
