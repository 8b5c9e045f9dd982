import Foundation
import Testing

/// Compares `arrows.txt`, which lists the references that are allowed, with the compiler's index of
/// the build that runs the tests, with the imports, and with the picture in the documentation.
struct ArrowTests {
    private static let lines =
        SourceTree.files(under: "Tests", suffix: "arrows.txt").flatMap(\.lines)
    /// The arrows between targets.
    private static let betweenTargets = Set(
        lines.filter { $0.contains(" -> ") && !$0.contains("/") })

    /// Imports of targets of which nothing is used. An entry goes when the import does.
    private static let unused: Set<String> = ["CallKit -> BrokerJSON"]

    /// Fails, rather than being skipped, where there is no index: a build with
    /// `--disable-index-store` has none.
    @Test func `code refers only to what arrows.txt allows`() throws {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let store = program.deletingLastPathComponent().appendingPathComponent("index/store")
        let result = try Self.run(["Scripts/graph", "--check", "--index-store", store.path])
        #expect(result.status == 0, "\(result.text)")
    }

    @Test func `the arrows between targets are the imports of the sources`() {
        #expect(!Self.betweenTargets.isEmpty)
        let others = Set(Self.betweenTargets.compactMap { $0.split(separator: " ").last })
        let targets = Set(SourceTree.sources.map(\.target))
        let imports = SourceTree.sources.flatMap { file in
            file.imports.filter { targets.contains($0) || others.contains($0[...]) }
                .filter { $0 != file.target }.map { "\(file.target) -> \($0)" }
        }
        let used = Set(imports).subtracting(Self.unused)
        #expect(Self.betweenTargets.subtracting(imports) == [], "no import; run `make graph`")
        #expect(
            used.subtracting(Self.betweenTargets) == [],
            "remove imports of which nothing is used; of others, run `make graph`")
        #expect(Self.unused.subtracting(imports) == [], "an exception that nothing needs")
    }

    /// Arrows beside which there is a longer way are left out of it.
    @Test func `the picture in the documentation leads wherever arrows.txt does`() {
        let folder = "Sources/CallBroker/Documentation.docc"
        let picture = SourceTree.files(under: folder, suffix: "targets.svg").flatMap(\.lines)
        let drawn = Set(
            picture.filter { $0.hasPrefix("<title>") && $0.contains("&#45;&gt;") }.map {
                String($0.dropFirst("<title>".count).dropLast("</title>".count))
                    .replacing("&#45;&gt;", with: " -> ")
            })
        #expect(drawn.subtracting(Self.betweenTargets) == [], "run `make graph`")
        let missing = Self.betweenTargets.filter { arrow in
            let ends = arrow.components(separatedBy: " -> ")
            return !Self.reachable(from: ends[0], by: drawn).contains(ends[1])
        }
        #expect(missing == [], "run `make graph`")
    }

    private static func reachable(from start: String, by arrows: Set<String>) -> Set<String> {
        var found: Set<String> = []
        var next = [start]
        while let source = next.popLast() {
            let below = arrows.filter { $0.hasPrefix("\(source) -> ") }
                .map { String($0.dropFirst("\(source) -> ".count)) }
            next += below.filter { found.insert($0).inserted }
        }
        return found
    }

    private static func run(_ arguments: [String]) throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        process.currentDirectoryURL = SourceTree.root
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }
}

extension SourceTree.File {
    /// The modules that the file imports.
    fileprivate var imports: [String] {
        lines.compactMap { line in
            guard line.contains("import ") else { return nil }
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "import"), index <= 1, index + 1 < words.count
            else { return nil }
            return words[index + 1].description
        }
    }
}
