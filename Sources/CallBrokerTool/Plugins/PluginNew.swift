internal import ArgumentParser
internal import BrokerSocket
internal import CallBroker

/// `callbroker plugin new`: a plugin from a template.
struct PluginNew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Create a plugin from a template.",
        discussion: """
            Creates the folder NAME with a working plugin in that language: program, manifest, \
            README and a test. `callbroker plugin check NAME` passes.

            A provider has calls, a screener decides whether a call may ring, a directory names \
            callers, and a screen shows calls.
            """)

    @Argument(help: "python, c, csharp, shell, swift, node, go or rust.")
    var language: Language

    @Argument(help: "The name of the folder and the program: lowercase letters, digits and dashes.")
    var name: String

    @Option(help: "provider, screener, directory or screen.")
    var kind = Kind.provider

    @Option(help: "A stable name such as com.example.doorbell. Default: org.example.NAME.")
    var identity: String?

    @Option(help: "The folder of the templates. Default: beside the tool.", completion: .directory)
    var templates: String?

    @Option(
        help: "The sources of CallBroker, for a provider in Swift. Default: those of the tool.",
        completion: .directory)
    var package: String?

    enum Kind: String, CaseIterable, ExpressibleByArgument {
        case provider, screener, directory, screen

        /// A command to try the plugin with, and its comment.
        fileprivate var trial: (command: String, comment: String) {
            switch self {
            case .provider:
                (#"echo 'Front door' >"$XDG_RUNTIME_DIR/@NAME@.fifo""#, "somebody is at the door")
            case .screener: ("callbroker history", "the calls that it has blocked")
            case .directory: ("callbroker watch 'call.*'", "the names of callers")
            case .screen: ("callbroker plugin logs -f @IDENTITY@", "the calls that it shows")
            }
        }
    }

    enum Language: String, CaseIterable, ExpressibleByArgument {
        case python, c, csharp, shell, swift, node, go, rust

        /// The SDK files that the template uses, and their destinations.
        var libraries: [(from: String, to: String)] {
            switch self {
            case .python: [("python/callbroker.py", "callbroker.py")]
            case .node:
                ["callbroker.js", "callbroker.d.ts"].map { ("node/\($0)", $0) }
            case .c:
                [
                    "callbroker.h", "internal.h", "client.c", "grants.c", "provider.c", "pushes.c",
                    "wire.c",
                ].map { ("c/\($0)", "callbroker/\($0)") }
            case .go:
                [
                    "callbroker", "calls", "client", "connection", "errors", "observer", "provider",
                    "pushes", "queue", "reports", "requests", "screen",
                ].map { ("go/\($0).go", "callbroker/\($0).go") }
            case .rust:
                [("rust/Cargo.toml", "callbroker/Cargo.toml")]
                    + [
                        "calls", "client", "connection", "errors", "lib", "observer", "provider",
                        "pushes", "queue", "reports", "requests", "screen", "sessions",
                    ].map { ("rust/src/\($0).rs", "callbroker/src/\($0).rs") }
            case .csharp:
                [
                    "Client", "Client.Frames", "Connection", "Errors", "Members", "Observer",
                    "Provider", "ProviderAction", "Requests", "Roles", "Turns", "UnixEndPoint",
                ].map { ("csharp/CallBroker/\($0).cs", "CallBroker/\($0).cs") }
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
            let template = "\(root)/templates/\(language.rawValue)"
            let package = try needsPackage ? sources(root) : ""
            for part in ["common", kind.rawValue] {
                try copy("\(template)/\(part)", to: name, package)
            }
            let libraries = PluginTemplates.libraries(root)
            for (from, to) in language.libraries {
                try HostFile.makeFolders(above: "\(name)/\(to)")
                try HostFile.write("\(name)/\(to)", try HostFile.read("\(libraries)/\(from)"))
            }
        } catch {
            throw ToolFailure(.errorReply, "\(error)")
        }
        StandardOutput.line("created \(name); test it with: callbroker plugin check \(name)")
    }

    private var needsPackage: Bool {
        language == .swift && kind == .provider
    }

    /// Returns the folder of the Swift package with `CallClient`.
    private func sources(_ root: String) throws(SocketError) -> String {
        let folder = package ?? "\(root)/.."
        guard HostFile.isFolder("\(folder)/Sources/CallClient"),
            let path = HostFile.realPath(folder)
        else {
            throw SocketError(
                .unusable,
                "a provider in Swift needs the sources of CallBroker, which are not in \(folder): "
                    + "use --package FOLDER")
        }
        return path
    }

    private func copy(
        _ source: String, to target: String, _ package: String
    ) throws(SocketError) {
        for file in HostFile.names(inFolder: source) {
            let from = "\(source)/\(file)"
            let to = "\(target)/\(filled(file))"
            guard !HostFile.isFolder(from) else {
                try copy(from, to: to, package)
                continue
            }
            try HostFile.makeFolders(above: to)
            let text = String(decoding: try HostFile.read(from), as: UTF8.self)
                .replacing("@PACKAGE@", with: package)
            let mode: UInt32 = HostFile.isExecutable(from) ? 0o755 : 0o644
            try HostFile.write(to, Array(filled(text).utf8), mode: mode)
        }
    }

    private func filled(_ text: String) -> String {
        let words = name.split(separator: "-").joined(separator: " ")
        let title = words.prefix(1).uppercased() + words.dropFirst()
        let command = kind.trial.command.padded(to: 61)
        return text.replacing("@TRY@", with: "\(command) # \(kind.trial.comment)")
            .replacing("@KIND@", with: kind.rawValue).replacing("@TITLE@", with: title)
            .replacing("@NAME@", with: name)
            .replacing("@IDENTITY@", with: identity ?? "org.example.\(name)")
    }
}

/// The folder of the templates: installed beside the tool, or in the sources that the tool was
/// built from.
enum PluginTemplates {
    static func root(_ chosen: String?) throws(SocketError) -> String {
        let places = chosen.map { [$0] } ?? BundledFiles.places
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
}
