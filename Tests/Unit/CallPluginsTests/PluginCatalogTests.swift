import CallPlugins
import Testing

struct PluginCatalogTests {
    private func file(
        _ folder: String, _ identity: String, _ text: String? = nil
    ) -> PluginCatalog.File {
        let usual = #"{"manifest":1,"identity":"\#(identity)","roles":["provider"]}"#
        return PluginCatalog.File(
            "\(folder)/\(identity).plugin.json", Array((text ?? usual).utf8))
    }

    /// What becomes of files, those of the highest precedence first.
    private func summary(_ files: PluginCatalog.File...) -> [String] {
        var catalog = PluginCatalog()
        return files.compactMap { catalog.take($0) }.map { entry in
            switch entry.content {
            case .usable: "\(entry.folder) \(entry.identity)"
            case .masked: "\(entry.folder) \(entry.identity) masked"
            case .missing: "\(entry.folder) \(entry.identity) missing"
            case .broken(let fault): "\(fault)"
            }
        }
    }

    @Test func `plugins are taken as they come, wherever they are`() {
        #expect(summary(file("/b", "org.b"), file("/a", "org.a")) == ["/b org.b", "/a org.a"])
    }

    @Test func `a folder of higher precedence hides what has the same name`() {
        #expect(summary(file("/home", "org.a"), file("/usr", "org.a")) == ["/home org.a"])
    }

    @Test func `what was taken is known, and nothing else`() {
        var catalog = PluginCatalog()
        _ = catalog.take(file("/a", "org.a"))
        #expect(catalog.contains("org.a"))
        #expect(!catalog.contains("org.b"))
    }

    @Test func `a plugin whose folder was replaced is another entry`() {
        var (old, new) = (file("/a", "org.a"), file("/a", "org.a"))
        (old.generation, new.generation) = (1, 2)
        var (before, same, after) = (PluginCatalog(), PluginCatalog(), PluginCatalog())
        #expect(before.take(old) == same.take(old))
        #expect(before.take(old) != after.take(new))
    }

    @Test func `an empty object hides it`() {
        #expect(
            summary(file("/etc", "org.a", "{}"), file("/usr", "org.a")) == ["/etc org.a masked"])
    }

    @Test func `a broken one is listed, and harms no other`() {
        #expect(
            summary(file("/a", "org.a", "{\n}\n}"), file("/a", "org.b"))
                == [
                    "/a/org.a.plugin.json:3: expected the end of the text, found something else",
                    "/a org.b",
                ])
    }

    @Test func `one that cannot be read is broken, too`() {
        #expect(
            summary(PluginCatalog.File("/a/org.a.plugin.json", fault: "it is a folder")) == [
                "/a/org.a.plugin.json:1: the manifest cannot be read: it is a folder"
            ])
    }

    @Test func `other files are none of our business`() {
        #expect(summary(PluginCatalog.File("/a/README.md", [])) == [])
    }

    @Test func `folders come from the distribution, then the administrator, then the user`() {
        let environment = [
            "HOME": "/home/ada", "XDG_DATA_DIRS": "/opt/share:/usr/share/", "XDG_CONFIG_DIRS": "",
        ]
        #expect(
            PluginFolders.standard(environment: environment) == [
                PluginFolders.Place("/usr/share/callbroker/plugins", hasFolders: false),
                PluginFolders.Place("/opt/share/callbroker/plugins", hasFolders: false),
                PluginFolders.Place("/etc/xdg/callbroker/plugins"),
                PluginFolders.Place("/home/ada/.config/callbroker/plugins"),
            ])
        #expect(
            PluginFolders.user(environment: environment) == "/home/ada/.config/callbroker/plugins")
        #expect(PluginFolders.user(environment: [:]) == nil)
    }
}
