import Foundation
import Testing

/// What the pages say in numbers and names, and the tree knows.
struct ReadmeTests {
    private static let pages = [
        "README.md", "CONTRIBUTING.md", "Tests/README.md", "Benchmarks/README.md",
    ]

    @Test func `the pages name targets that the Makefile has`() {
        let targets = Set(Self.captures(/^([a-z-]+):/, in: SourceTree.text("Makefile")))
        #expect(targets.contains("test-system"))
        for page in Self.pages {
            let text = SourceTree.text(page)
            let named =
                Self.captures(/`make ([a-z-]+)/, in: text)
                + Self.captures(/^make ([a-z-]+)/, in: text)
            #expect(!named.isEmpty, "\(page)")
            for target in named { #expect(targets.contains(target), "\(page): make \(target)") }
        }
    }

    @Test func `the first page has the release, the compiler and the packages of this tree`() {
        let page = SourceTree.text("README.md")
        let release = Self.captures(
            /version = "([0-9.]+)"/, in: SourceTree.text("Sources/CallProtocol/Release.swift"))
        #expect(Self.captures(/broker runs, release ([0-9.]*[0-9])/, in: page) == release)

        let compiler = Self.captures(
            /swift-tools-version:([0-9.]+)/, in: SourceTree.text("Package.swift"))
        #expect(Self.captures(/Swift toolchain \(([0-9.]+) or later\)/, in: page) == compiler)

        let listed =
            page.components(separatedBy: "packages for Debian 12:").last?
            .components(separatedBy: "\n\n").first ?? ""
        let packages = Self.captures(
            /^Package: (.+)/, in: SourceTree.text("packaging/debian/control"))
        #expect(Self.captures(/`([a-z0-9-]+)`/, in: listed).sorted() == packages.sorted())
    }

    @Test func `each figure of the first page is one of the benchmarks`() {
        let table =
            SourceTree.text("README.md").components(separatedBy: "## How fast").last?
            .components(separatedBy: "\n## ").first ?? ""
        let rows = table.split(separator: "\n").filter { $0.hasPrefix("|") }.dropFirst(2)
        let known = Set(Self.captures(Self.number, in: SourceTree.text("Benchmarks/README.md")))
        #expect(rows.count > 8)
        for row in rows {
            let cells = row.split(separator: "|").dropFirst().joined(separator: " ")
            for figure in Self.captures(Self.number, in: cells) {
                #expect(known.contains(figure), "\(figure) in \(row)")
            }
        }
    }

    @Test func `the table of readers has each target of the fuzzer`() {
        let page =
            SourceTree.text("Tests/README.md").components(separatedBy: "| target |").last?
            .components(separatedBy: "\n\n").first ?? ""
        let listed = page.split(separator: "\n").dropFirst(2)
            .flatMap { Self.captures(/`([a-z-]+)`/, in: String($0.split(separator: "|")[0])) }
        let cases = Self.captures(
            /^    case ([a-z][^.:\n]*)$/,
            in: SourceTree.text("Tests/Fuzzing/Fuzzer/FuzzTarget.swift")
        )
        .flatMap { $0.components(separatedBy: ", ") }
        .map { Self.captures(/"(.+)"/, in: $0).first ?? $0 }
        #expect(cases.contains("store-key"))
        #expect(Set(listed) == Set(cases).subtracting(["canary"]))
    }

    @Test func `each plugin is an area of commits`() {
        let areas = Set(Self.captures(/`([a-z-]+)`/, in: SourceTree.text("CONTRIBUTING.md")))
        let plugins = SourceTree.paths(under: "plugins").filter {
            $0.hasSuffix(".plugin.json") && !$0.hasPrefix("templates/")
                && $0.split(separator: "/").count == 3
        }
        #expect(plugins.count > 15)
        for plugin in plugins {
            #expect(areas.contains(plugin.components(separatedBy: "/")[1]), "\(plugin)")
        }
    }

    private static var number: Regex<(Substring, Substring)> { /([0-9][0-9.,]*[0-9]|[0-9])/ }

    private static func captures(
        _ pattern: Regex<(Substring, Substring)>, in text: String
    ) -> [String] {
        text.matches(of: pattern.anchorsMatchLineEndings()).map { String($0.output.1) }
    }
}
