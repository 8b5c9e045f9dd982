internal import ArgumentParser
internal import BrokerSocket

/// `callbroker plugin new`: a provider from a template.
struct PluginNew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Create a provider from a template.",
        discussion: """
            Creates the folder NAME with a working doorbell in that language: program, manifest, \
            README and a test. `callbroker plugin check NAME` passes.
            """)

    @Argument(help: "python, c, shell, swift or node.")
    var language: Language

    @Argument(help: "The name of the folder and the program: lowercase letters, digits and dashes.")
    var name: String

    @Option(help: "A stable name such as com.example.doorbell. Default: org.example.NAME.")
    var identity: String?

    @Option(help: "The folder of the templates. Default: beside the tool.", completion: .directory)
    var templates: String?

    enum Language: String, CaseIterable, ExpressibleByArgument {
        case python, c, shell, swift, node

        /// The SDK files that the template uses, and their destinations.
        var libraries: [(from: String, to: String)] {
            switch self {
            case .python: [("python/callbroker.py", "callbroker.py")]
            case .node:
                ["callbroker.js", "callbroker.d.ts"].map { ("node/\($0)", $0) }
            case .c:
                ["callbroker.h", "internal.h", "client.c", "provider.c", "wire.c"]
                    .map { ("c/\($0)", "callbroker/\($0)") }
            case .shell, .swift: []
            }
        }
    }

    func validate() throws {
        let isName = name.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z0-9]+)*/) != nil
        guard isName, name.utf8.count <= 40 else {
            throw ValidationError(
                "NAME consists of lowercase letters, digits and single dashes, begins with a letter, and has "
                    + "at most 40 characters, such as door-bell")
        }
        let word = /[A-Za-z][A-Za-z0-9_-]*(\.[A-Za-z0-9][A-Za-z0-9_-]*)+/
        if let identity, identity.wholeMatch(of: word) == nil {
            throw ValidationError("--identity takes a name with dots, such as com.example.\(name)")
        }
    }

    func run() throws {
        do throws(SocketError) {
            let root = try PluginTemplates.root(templates)
            if try HostFile.exists(name) {
                throw SocketError(
                    .unusable, "\(name) already exists: choose another name, or move it away")
            }
            try copy("\(root)/templates/\(language.rawValue)", to: name)
            let libraries = PluginTemplates.libraries(root)
            for (from, to) in language.libraries {
                try HostFile.makeFolders(above: "\(name)/\(to)")
                try HostFile.write("\(name)/\(to)", try HostFile.read("\(libraries)/\(from)"))
            }
        } catch {
            throw ToolFailure(code: .errorReply, message: "callbroker: \(error)")
        }
        StandardOutput.line("created \(name); test it with: callbroker plugin check \(name)")
    }

    private func copy(_ source: String, to target: String) throws(SocketError) {
        for file in HostFile.names(inFolder: source) {
            let from = "\(source)/\(file)"
            let to = "\(target)/\(filled(file))"
            guard !HostFile.isFolder(from) else {
                try copy(from, to: to)
                continue
            }
            try HostFile.makeFolders(above: to)
            let text = String(decoding: try HostFile.read(from), as: UTF8.self)
            let mode: UInt32 = HostFile.isExecutable(from) ? 0o755 : 0o644
            try HostFile.write(to, Array(filled(text).utf8), mode: mode)
        }
    }

    private func filled(_ text: String) -> String {
        let words = name.split(separator: "-").joined(separator: " ")
        let title = words.prefix(1).uppercased() + words.dropFirst()
        return text.replacing("@NAME@", with: name).replacing("@TITLE@", with: title)
            .replacing("@IDENTITY@", with: identity ?? "org.example.\(name)")
    }
}

/// The folder of the templates: installed beside the tool, or in the sources that the tool was
/// built from.
enum PluginTemplates {
    static func root(_ chosen: String?) throws(SocketError) -> String {
        let places = chosen.map { [$0] } ?? places
        for place in places where HostFile.isFolder("\(place)/templates") { return place }
        throw SocketError(
            .unusable,
            "no templates found in \(places.joined(separator: ", ")): install callbroker "
                + "with its templates, or use --templates FOLDER")
    }

    /// The folder of the SDKs: `sdk` in the sources, the same as that of the templates where they
    /// are installed.
    static func libraries(_ root: String) -> String {
        HostFile.isFolder("\(root)/sdk") ? "\(root)/sdk" : root
    }

    private static var places: [String] {
        var folders = HostProcess.program.split(separator: "/").dropLast()
        var places: [String] = []
        if !folders.isEmpty {
            places = ["/" + folders.dropLast().joined(separator: "/") + "/share/callbroker/plugins"]
        }
        while !folders.isEmpty {
            places.append("/" + folders.joined(separator: "/") + "/plugins")
            folders.removeLast()
        }
        return places
    }
}
