import Foundation
import Testing

/// Each folder of tests is run by one of `make test`, `make test-system` and `make test-all`, and the
/// table in `Tests/README.md` says which.
struct GateTests {
    private static let commands = ["test", "test-system", "test-all"]

    /// A suite as filters name it, and the folder of its target.
    private struct Suite {
        let name: String
        let folder: String
    }

    @Test func `each folder of tests in another language is run by one command`() {
        #expect(Self.scriptFolders.count > 10)
        for folder in Self.scriptFolders {
            let running = Self.commands.filter { command in
                Self.recipe(command).contains { Self.runs($0, folder) }
            }
            // What one of the first two runs, `make test-all` may run for longer.
            #expect(running.first.map { [$0] } == Self.commandsInTable(folder), "\(folder)")
            #expect(!running.starts(with: ["test", "test-system"]), "\(folder)")
        }
    }

    @Test func `each Swift test is run by one command`() throws {
        let test = Self.recipe("test").joined()
        let system = Self.recipe("test-system").joined()
        // What one line leaves out, another one runs.
        #expect(test.contains("$(TESTS) --skip '$(SYSTEM)' --skip '$(DAEMON)' --skip '$(APPS)'"))
        #expect(test.contains("$(TESTS) --filter '$(DAEMON)' --skip '$(SYSTEM)'"))
        #expect(test.contains("$(TESTS) --filter '$(APPS)'"))
        #expect(system.contains("$(TESTS) --filter '$(SYSTEM)' --skip '$(LOAD)'"))
        #expect(system.contains("$(TESTS) --filter '$(LOAD)'"))

        let (isSystem, isLoad, isApp) = try (
            Self.pattern("SYSTEM"), Self.pattern("LOAD"), Self.pattern("APPS")
        )
        for suite in Self.suites.map(\.name) {
            #expect(suite.contains(isSystem) || !suite.contains(isLoad), "\(suite)")
            #expect(!suite.contains(isSystem) || !suite.contains(isApp), "\(suite)")
        }
    }

    @Test func `the table names the command of each target of tests`() throws {
        let system = try Self.pattern("SYSTEM")
        for (folder, suites) in Dictionary(grouping: Self.suites, by: \.folder) {
            let command = suites.allSatisfy { $0.name.contains(system) } ? "test-system" : "test"
            #expect(Self.commandsInTable(folder) == [command], "\(folder)")
        }
    }

    @Test func `each suite that is kept for make test-system is there`() throws {
        for part in Self.variable("SYSTEM").split(separator: "|") {
            let pattern = try Regex(String(part))
            #expect(Self.suites.contains { $0.name.contains(pattern) }, "\(part)")
        }
    }

    /// `make` below `make` sets the descriptors of the job server non-blocking, which are 3 and 4. Were
    /// they the stage's standard output, `make` would fail as soon as a reader is slow.
    @Test func `a stage that runs make leaves the output blocking`() throws {
        let stage = SourceTree.root.appendingPathComponent("Scripts/stage").path
        let makefile = """
            outer: ; @$(MAKE) -f - --jobs=2 --output-sync=target stage <<<"$$TEXT"
            stage: ; @\(stage) inner $(MAKE) -f - inner <<<"$$TEXT"
            inner: ; @echo is made
            SHELL := /bin/bash
            """
        let make = Process()
        make.executableURL = URL(fileURLWithPath: "/bin/bash")
        make.arguments = [
            // A pipe of the shell's: the one that Foundation makes is non-blocking from the beginning.
            "-c", "{ make -f - outer <<<\"$TEXT\"; grep flags /proc/self/fdinfo/1; } | cat",
        ]
        make.environment = ProcessInfo.processInfo.environment.merging(["TEXT": makefile]) { $1 }
        let pipe = Pipe()
        make.standardOutput = pipe
        try make.run()
        let output = String(
            decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        make.waitUntilExit()
        #expect(output.contains("is made"))
        let flags = try #require(output.split(separator: "flags:").last)
        #expect(
            try #require(Int32(flags.trimmingCharacters(in: .whitespacesAndNewlines), radix: 8))
                & O_NONBLOCK == 0, "\(output)")
    }

    // MARK: - The Makefile

    private static let makefile = SourceTree.text("Makefile").replacing("\\\n", with: " ")
        .split(separator: "\n").map(String.init)

    /// The lines of a target, and of those that it makes in turn.
    private static func recipe(_ target: String) -> [String] {
        let lines = makefile.drop { !$0.hasPrefix("\(target):") }.dropFirst()
            .prefix { $0.hasPrefix("\t") }
        return lines.flatMap { line in
            [line] + (line.contains("$(SUITES)") ? suiteCommands : [])
                + line.split(separator: " ").filter {
                    $0.hasPrefix("run-") || $0.hasPrefix("test-")
                }
                .flatMap { recipe(String($0)) }
        }
    }

    /// The commands of the suites that run two at a time.
    private static var suiteCommands: [String] {
        makefile.filter { $0.hasPrefix("$(eval $(call suite,") }.map { String($0.dropLast(2)) }
    }

    /// The words of a line name the folder, what is in it, or the plugin whose tests it has.
    private static func runs(_ line: String, _ folder: String) -> Bool {
        let words = line.split(separator: " ").map(String.init)
        let names = [folder, folder + "/*.test.js"]
        return words.contains { names.contains($0) || $0 + "/tests" == folder }
    }

    /// With the variables in it put in.
    private static func variable(_ name: String) -> String {
        let line = makefile.first { $0.hasPrefix("\(name) := ") } ?? ""
        return String(line.dropFirst("\(name) := ".count))
            .replacing(#/\$\((\w+)\)/#) { variable(String($0.1)) }
    }

    private static func pattern(_ name: String) throws -> Regex<AnyRegexOutput> {
        try Regex(variable(name))
    }

    // MARK: - The folders

    private static let suites: [Suite] = SourceTree.tests.filter { file in
        file.target.hasSuffix("Tests") && file.lines.contains { $0.contains("@Test") }
    }.map { file in
        let parts = file.path.split(separator: "/").map(String.init)
        let name = parts.last?.prefix { $0 != "." && $0 != "+" } ?? ""
        let folder = parts.prefix { $0 != file.target } + [file.target]
        return Suite(name: "\(file.target).\(name)/", folder: folder.joined(separator: "/"))
    }

    /// Folders of tests in Python and JavaScript. Those of the examples are run by other tests.
    private static let scriptFolders: [String] = {
        let paths = ["Tests", "plugins", "packaging", "Benchmarks", "Scripts"].flatMap { folder in
            SourceTree.paths(under: folder).map { "\(folder)/\($0)" }
        }
        let folders = paths.compactMap { path -> String? in
            var parts = path.split(separator: "/")
            let name = parts.removeLast()
            let isTest =
                name.hasPrefix("test_") && name.hasSuffix(".py") || name.hasSuffix(".test.js")
            return isTest ? parts.joined(separator: "/") : nil
        }
        return Set(folders).sorted()
    }()

    // MARK: - The table

    private static let rows = SourceTree.text("Tests/README.md").split(separator: "\n")
        .filter { $0.hasPrefix("| `make test") }

    /// The commands whose rows have the folder.
    private static func commandsInTable(_ folder: String) -> [String] {
        rows.flatMap { row in
            let words = row.matches(of: #/`([^`]+)`/#).map { String($0.1) }
            let matches = words.dropFirst().filter { word in
                word == folder || word.hasSuffix("*") && folder.hasPrefix(word.dropLast())
            }
            return matches.map { _ in String(words[0].dropFirst("make ".count)) }
        }
    }
}
