import CallPlugins
import Testing

struct PluginProgramTests {
    private static let folder = "/opt/plugins"

    /// Where a program is, if these are the programs that there are.
    private func path(_ name: String, among programs: String...) -> String {
        PluginManifest.Program([name, "--loud"]).path(
            besides: Self.folder, ["PATH": "/bin:/usr/bin"], isProgram: programs.contains)
    }

    @Test func `a path begins at the manifest`() {
        #expect(path("./bell") == "/opt/plugins/bell")
        #expect(path("bin/bell") == "/opt/plugins/bin/bell")
        #expect(path("/bin/bell") == "/bin/bell")
    }

    @Test func `a name is a program beside the manifest, else the first of the search path`() {
        #expect(path("bell", among: "/opt/plugins/bell", "/bin/bell") == "/opt/plugins/bell")
        #expect(path("bell", among: "/usr/bin/bell", "/bin/bell") == "/bin/bell")
        #expect(path("bell") == "/opt/plugins/bell")
    }

    @Test func `it starts beside the manifest unless that says where`() {
        var program = PluginManifest.Program(["bell"])
        #expect(program.workingFolder(besides: Self.folder) == "/opt/plugins")
        program.folder = "data"
        #expect(program.workingFolder(besides: Self.folder) == "/opt/plugins/data")
        program.folder = "/tmp"
        #expect(program.workingFolder(besides: Self.folder) == "/tmp")
    }

    @Test func `it gets the usual variables, those that it asks for, and its own`() {
        var program = PluginManifest.Program(["bell"])
        program.passedVariables = ["DISPLAY", "NOT_SET"]
        program.environment = [PluginManifest.Variable("HOME", "/nowhere")]
        let ours = ["HOME": "/root", "LANG": "C", "DISPLAY": ":1", "SECRET": "1"]
        #expect(
            program.environment(from: ours) == [
                "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nowhere", "LANG": "C",
                "DISPLAY": ":1",
            ])
    }
}
