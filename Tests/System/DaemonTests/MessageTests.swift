import Foundation
import Glibc
import Testing

/// The catalog of messages: what is made of it, who uses it, and other languages than English.
struct MessageTests {
    private static func english() throws -> JSON {
        try JSON(contents(of: repositoryPath + "/messages/en.json"))
    }

    /// The sources of a language below a folder, as one text.
    private static func sources(_ folder: String, _ suffix: String) -> String {
        let files = FileManager.default.enumerator(atPath: "\(repositoryPath)/\(folder)")
        let names = files?.compactMap { $0 as? String } ?? []
        return names.filter {
            $0.hasSuffix(suffix) && !$0.contains("tests/") && !$0.contains(".build")
        }
        .filter { !$0.hasSuffix("Messages+English.swift") }
        .compactMap { try? contents(of: "\(repositoryPath)/\(folder)/\($0)") }
        .joined(separator: "\n")
    }

    /// Every program that shows texts of the catalog, but the tool.
    private static var screens: String {
        sources("plugins", ".py") + sources("plugins/screens", ".swift")
            + sources("plugins/screens", ".js")
    }

    /// The name of the function of a key.
    private static func function(_ key: String) -> String {
        let words = key.split { $0 == "." || $0 == "_" }.map(String.init)
        return words.dropFirst().reduce(words[0]) {
            $0 + $1.prefix(1).uppercased() + $1.dropFirst()
        }
    }

    // MARK: - Sources

    @Test func `the functions of the tool are what the catalog says`() throws {
        let script = repositoryPath + "/Scripts/messages"
        let made = try Tool(finishing: ChildProcess(["python3", script, "--print"]))
        #expect(made.end == .exited(0), "\(made.errors)")
        let path = "/Sources/CallBrokerTool/Messages/Messages+English.swift"
        #expect(try contents(of: repositoryPath + path) == made.output, "run make messages")
    }

    @Test func `each key is used`() throws {
        let tool = Self.sources("Sources/CallBrokerTool", ".swift")
        let screens = Self.screens
        let keys = try Self.english().names
        #expect(keys.count > 200)
        for key in keys where key.hasPrefix("screen.") {
            let family = key.split(separator: ".").dropLast().joined(separator: ".") + "."
            #expect(screens.contains("\"\(key)\"") || screens.contains("\"\(family)\" +"), "\(key)")
        }
        let used = Set(tool.matches(of: /Messages\.([a-zA-Z0-9]+)/).map { String($0.output.1) })
        let unused = keys.filter { !$0.hasPrefix("screen.") && !used.contains(Self.function($0)) }
        #expect(unused == [])
    }

    @Test func `each key that a screen uses exists`() throws {
        let keys = try Self.english().names
        let reads = /\b(?:text|textIfKnown|translated)\((?:[^()"]*? if [^()"]*? else )?"([a-z_.]+)"/
        let used = Self.screens.matches(of: reads).map { String($0.output.1) }
        #expect(used.count > 10)
        for key in used {
            let isFamily = key.hasSuffix(".") && keys.contains { $0.hasPrefix(key) }
            #expect(isFamily || keys.contains(key), "\(key)")
        }
    }

    // MARK: - Another language

    /// A tool whose installation has a language `xx`.
    private func world(_ text: String) throws -> SetupWorld {
        let world = try SetupWorld()
        mkdir(world.folder.file("share/callbroker/messages"), 0o755)
        try world.folder.write("{}", to: "share/callbroker/messages/en.json")
        try world.folder.write(text, to: "share/callbroker/messages/xx.json")
        world.use("LC_ALL", "xx_YY.UTF-8")
        return world
    }

    private func run(_ world: SetupWorld, _ arguments: String...) throws -> String {
        try tool(world, arguments).output
    }

    /// The standard error of a run.
    private func failure(_ world: SetupWorld, _ arguments: String...) throws -> String {
        try tool(world, arguments).errors
    }

    private func tool(_ world: SetupWorld, _ arguments: [String]) throws -> Tool {
        try Tool(
            finishing: ChildProcess([world.program] + arguments, environment: world.variables))
    }

    @Test func `a language is read from the installation, and English is behind it`() throws {
        let world = try world(
            #"{"call.none":"keine Anrufe","setup.screens":"Bildschirme","status.apps":"{none}"}"#)
        let daemon = try world.daemon()
        let status = try run(world, "status")
        #expect(status.hasPrefix("keine Anrufe\nno new missed calls\n"), "\(status)")
        #expect(try run(world, "calls") == "keine Anrufe\n")
        world.use("LC_ALL", "C")
        #expect(try run(world, "calls") == "no calls\n")
        withExtendedLifetime(daemon) {}
    }

    @Test func `output for programs is in English`() throws {
        let world = try world(#"{"doctor.screen":"Bildschirm","setup.test_app":"Probe"}"#)
        let daemon = try world.daemon()
        let english = try run(world, "doctor", "--json")
        #expect(english.contains("\"subject\":\"screen\""))
        #expect(try run(world, "doctor").contains("Bildschirm: "))
        withExtendedLifetime(daemon) {}
    }

    @Test func `a failed connection is told in the language, but not to programs`() throws {
        let world = try world(
            #"""
            {"connection.no_listener":"an {path} lauscht niemand ({reason})",
            "connection.start_one":"{failure}; dagegen hilft: {command}",
            "connection.no_path":"der Pfad ist leer"}
            """#)
        let path = world.folder.file("none.sock")
        let words = "an \(path) lauscht niemand (No such file or directory)"
        #expect(
            try failure(world, "calls", "--socket", path)
                == "callbroker: \(words); dagegen hilft: callbroker serve --socket \(path)\n")
        #expect(try run(world, "doctor", "--socket", path).contains(words))
        #expect(try failure(world, "calls", "--socket", "").contains("der Pfad ist leer"))
        let english = try failure(world, "calls", "--json", "--socket", path)
        #expect(english.contains("no broker is listening on \(path)"))
    }

    @Test func `the mistake of an import is told in the language`() throws {
        let world = try world(
            #"""
            {"import.file_not_imported":"{file}: {problem}; nichts importiert",
            "import.line":"Zeile {line}: {problem}","import.no_begin":"BEGIN:VCARD fehlt",
            "import.line_not_imported":"Zeile {line}: {problem}",
            "import.no_column":"die Spalte {column} fehlt"}
            """#)
        let cards = try world.folder.write("FN:a\n", to: "cards.vcf")
        #expect(
            try failure(world, "contact", "import", cards)
                == "callbroker: \(cards): Zeile 1: BEGIN:VCARD fehlt; nichts importiert\n")
        let blocks = try world.folder.write("number\n1\n", to: "blocks.csv")
        #expect(
            try failure(world, "block", "import", blocks)
                == "callbroker: Zeile 1: die Spalte address fehlt\n")
    }

    @Test func `what the tool finds by itself is told in the language`() throws {
        let world = try world(
            #"""
            {"user.backup_foreign":"die Datei ist keine Sicherung",
            "plugin.not_a_folder":"{path} ist kein Ordner",
            "explain.no_rule":"die Regel {number} gibt es nicht",
            "error.unknown_command_near":"\"{command}\" ist unbekannt, \"{name}\" nicht"}
            """#)
        let file = try world.folder.write(String(repeating: "x", count: 2_000), to: "file")
        #expect(
            try failure(world, "restore", file, "--state-dir", world.folder.file("state"))
                == "callbroker: die Datei ist keine Sicherung\n")
        #expect(
            try failure(world, "plugin", "install", file) == "callbroker: \(file) ist kein Ordner\n"
        )
        #expect(
            try failure(world, "rules", "99x") == "callbroker: die Regel 99x gibt es nicht\n")
        #expect(
            try failure(world, "cals")
                == "callbroker: \"callbroker cals\" ist unbekannt, \"callbroker calls\" nicht\n")
    }

    /// The list of plugins, once it is as it should be.
    private func listed(
        _ world: SetupWorld, until isReached: (String) -> Bool
    ) throws -> String {
        let deadline = ContinuousClock.now + ceiling
        while true {
            let list = try run(world, "plugin", "list")
            if isReached(list) { return list }
            guard ContinuousClock.now < deadline else {
                throw CeilingReached(waitedFor: "the list of plugins, which is \(list)")
            }
        }
    }

    @Test func `the states of plugins are told in the language, and findings are the broker's`()
        throws
    {
        let world = try world(
            #"""
            {"plugin.state_disabled":"ausgeschaltet","plugin.warning":"Warnung",
            "heading.state":"ZUSTAND","plugin.none":"keine Plugins"}
            """#)
        try world.bundle("bell")
        let daemon = try world.daemon()
        #expect(try run(world, "plugin", "list") == "keine Plugins\n")
        let enabled = try tool(world, ["plugin", "enable", "bell", "--timeout", "100"])
        #expect(enabled.end == .exited(0), "\(enabled.errors)")
        let disabled = try tool(world, ["plugin", "disable", "bell", "--timeout", "100"])
        // Its process may take a moment to end.
        let isOff = disabled.output == "org.example.bell: ausgeschaltet\n"
        #expect(isOff || disabled.output.hasSuffix(", stopping\n"), "\(disabled)")
        let list = try listed(world) { $0.contains("ausgeschaltet") }
        #expect(list.contains("ZUSTAND"), "\(list)")
        #expect(try run(world, "plugin", "list", "--json").contains("disabled"))
        let stray = world.folder.file("config/callbroker/plugins/stray")
        mkdir(stray, 0o755)
        _ = try run(world, "plugin", "rescan")
        let findings = try run(world, "plugin", "doctor")
        #expect(findings.contains("Warnung \(stray) has no manifest"), "\(findings)")
        withExtendedLifetime(daemon) {}
    }

    @Test(arguments: ["", "{", "[]", #"{"call.none":7}"#, "\u{0}"])
    func `a broken file breaks nothing`(_ text: String) throws {
        let world = try world(text)
        let daemon = try world.daemon()
        #expect(try run(world, "calls") == "no calls\n")
        withExtendedLifetime(daemon) {}
    }
}
