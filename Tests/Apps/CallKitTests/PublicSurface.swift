import Foundation
import Synchronization
import Testing

/// The public symbols of a module, one line each, as its built interface has them.
///
/// A line is `Type | declaration`, the declaration without the inner names of parameters, with `open`
/// where it is; a type's own line says what it inherits and conforms to.
struct PublicSurface {
    private(set) var rows: Set<String> = []
    /// What types are, by their names.
    private(set) var ancestry: [String: Set<String>] = [:]

    private static let known = Mutex<[String: PublicSurface]>([:])

    /// Reads what the compiler built next to the tests, once.
    static func of(_ module: String) throws -> PublicSurface {
        try known.withLock { known in
            let surface = try known[module] ?? PublicSurface(reading: module)
            known[module] = surface
            return surface
        }
    }

    private init(reading module: String) throws {
        let folder = try TemporaryFolder()
        let built = URL(fileURLWithPath: executablePath).deletingLastPathComponent()
        let sources = SourceFolder.root.appendingPathComponent("Sources")
        var arguments = [
            try Self.extractor(), "-module-name", module, "-I", built.path + "/Modules",
            "-target", "\(Self.architecture)-unknown-linux-gnu", "-output-dir", folder.path,
            "-minimum-access-level", "public", "-skip-synthesized-members",
            "-module-cache-path", built.path + "/ModuleCache",
        ]
        for map in ["CDBus", "CJansson", "CLinux"] {
            arguments += ["-Xcc", "-fmodule-map-file=\(sources.path)/\(map)/module.modulemap"]
        }
        let libraries = "/usr/lib/\(Self.architecture)-linux-gnu"
        for headers in ["/usr/include/dbus-1.0", "\(libraries)/dbus-1.0/include"] {
            arguments += ["-Xcc", "-I\(headers)"]
        }
        let process = try ChildProcess(arguments)
        let end = try Self.end(of: process)
        try process.errors.readToEnd()
        try #require(end == .exited(0), "\(process.errors.text)")
        let text = try Data(contentsOf: URL(fileURLWithPath: folder.file("\(module).symbols.json")))
        self.init(try JSONDecoder().decode(Graph.self, from: text))
    }

    /// On a busy machine the tool says nothing for longer than anything else may.
    private static func end(of process: ChildProcess) throws -> ProcessEnd {
        for _ in 0..<5 {
            if let end = try? process.waitForEnd() { return end }
        }
        return try process.waitForEnd()
    }

    private static var architecture: String {
        #if arch(arm64)
            "aarch64"
        #else
            "x86_64"
        #endif
    }

    /// That of the toolchain whose library runs these tests.
    private static func extractor() throws -> String {
        let maps = try contents(of: "/proc/self/maps")
        let library = maps.firstMatch(of: /(\/\S*)\/lib\/swift\/linux\/lib/)
        guard let library else { throw CeilingReached(waitedFor: "the toolchain's libraries") }
        return "\(library.1)/bin/swift-symbolgraph-extract"
    }

    // MARK: - The graph

    private struct Graph: Decodable {
        struct Symbol: Decodable {
            struct Kind: Decodable { let identifier: String }
            struct Identifier: Decodable { let precise: String }
            struct Fragment: Decodable { let spelling: String }
            let kind: Kind
            let identifier: Identifier
            let pathComponents: [String]
            let declarationFragments: [Fragment]
            let accessLevel: String

            var parent: String { pathComponents.dropLast().joined(separator: ".") }
            var path: String { pathComponents.joined(separator: ".") }
        }

        struct Relationship: Decodable {
            let kind: String
            let source: String
            let target: String
            let targetFallback: String?
        }

        let symbols: [Symbol]
        let relationships: [Relationship]
    }

    /// Not CallKit's own: what Foundation's and Swift's protocols bring along.
    private static let brought: Set<String> = [
        "copy(with:)", "encode(with:)", "supportsSecureCoding", "init(coder:)", "init(rawValue:)",
        "encode(to:)", "init(from:)",
        "==(_:_:)", "~=(_:_:)", "hash", "isEqual(_:)", "errorCode", "errorUserInfo", "rawValue",
    ]
    private static let types: Set<String> = [
        "swift.class", "swift.struct", "swift.enum", "swift.protocol",
    ]

    private init(_ graph: Graph) {
        let names = Dictionary(
            graph.symbols.map { ($0.identifier.precise, $0.path) }, uniquingKeysWith: { $1 })
        var defaults: Set<String> = []
        var implementations: Set<String> = []
        for edge in graph.relationships {
            switch edge.kind {
            case "conformsTo", "inheritsFrom":
                guard let type = names[edge.source] else { continue }
                let ancestor = edge.targetFallback ?? names[edge.target] ?? edge.target
                let name = ancestor.split(separator: ".").last.map(String.init) ?? ancestor
                ancestry[type, default: []].insert(name)
            case "defaultImplementationOf":
                defaults.insert(edge.target)
                if names[edge.target] != nil { implementations.insert(edge.source) }
            default: break
            }
        }
        for symbol in graph.symbols where !implementations.contains(symbol.identifier.precise) {
            let isOptional = defaults.contains(symbol.identifier.precise)
            if let row = Self.row(symbol, isOptional: isOptional) { rows.insert(row) }
        }
    }

    private static func row(_ symbol: Graph.Symbol, isOptional: Bool) -> String? {
        let isType = types.contains(symbol.kind.identifier)
        if !isType, let name = symbol.pathComponents.last, brought.contains(name) { return nil }
        let declaration = symbol.declarationFragments.map(\.spelling).joined()
        // An override says nothing new, other than an initializer that a class has after all.
        if declaration.contains("override "), !declaration.contains("init(") { return nil }
        let access = symbol.accessLevel == "open" ? "open " : isOptional ? "optional " : ""
        if isType {
            let kind = symbol.kind.identifier.dropFirst("swift.".count)
            return "\(access)\(kind) \(symbol.path)"
        }
        let isTopLevel = symbol.parent.isEmpty
        return (isTopLevel ? "" : "\(symbol.parent) | ")
            + access + normalized(declaration, isTopLevel: isTopLevel)
    }

    private static func normalized(_ declaration: String, isTopLevel: Bool) -> String {
        var text = declaration.replacing("`", with: "").replacing(" : ", with: ": ")
        for word in [
            "@NSCopying ", "nonisolated(nonsending) ", "override ", "required ", "weak ",
        ] {
            text = text.replacing(word, with: "")
        }
        if text.contains("("), !text.hasPrefix("var "), !text.hasPrefix("class var ") {
            return text.replacing(#/\b(?!where )(\w+) \w+: /#) { "\($0.1): " }
        }
        guard !isTopLevel, text.contains(#/\b(var|let) /#) else { return text }
        if text.contains("let ") { return text.replacing("let ", with: "var ") + " { get }" }
        return text.contains("{") ? text : text + " { get set }"
    }
}

/// Where the tests' own files are.
enum SourceFolder {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }
}
