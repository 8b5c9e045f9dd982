import Foundation
import Testing

/// The pages' tables of Apple's behavior, of its sources, and of the tests that show ours.
struct DocumentationTests {
    /// A row of a table, by the titles of its columns.
    private typealias Row = [String: String]

    private static let pages = [
        "CallKit/Documentation.docc/AppLife", "CallKit/Documentation.docc/CallerLists",
        "CallKit/Documentation.docc/LostBroker", "CallKit/Documentation.docc/Semantics",
        "CallKit/Documentation.docc/Shims", "CallKit/Documentation.docc/StartIntents",
        "LiveCommunicationKit/Documentation.docc/LiveCommunicationKit",
    ]

    /// The names of all tests of the clients and the apps' modules.
    private static let tests = Result {
        var names: Set<Substring> = []
        for folder in ["Apps", "Unit/CallBrokerTests", "Unit/CallClientTests"] {
            let root = SourceFolder.root.appendingPathComponent("Tests/\(folder)")
            let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
            for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                names.formUnion(text.matches(of: /func `([^`]+)`/).map(\.1))
            }
        }
        return names
    }

    @Test(arguments: pages)
    func `each row of a table names tests that are there`(page: String) throws {
        let tests = try Self.tests.get()
        let rows = try Self.rows(of: page).filter { $0["test"] != nil }
        #expect(rows.count > 5)
        for row in rows {
            let names = (row["test"] ?? "").matches(of: /`([^`]+ [^`]+)`/).map(\.1)
            #expect(!names.isEmpty, "\(row)")
            for name in names { #expect(tests.contains(name), "\(name)") }
        }
    }

    /// A source is a link, a header, a session, or a word for where there is none.
    @Test(arguments: pages)
    func `each row about Apple's behavior names its source`(page: String) throws {
        for row in try Self.rows(of: page) {
            guard let source = row["source"] else { continue }
            let isSource =
                source.contains(
                    /\]\(https:\/\/\S+\)|`\w+\.h`|WWDC|measured|observed|inferred|ours|\b[AW]\b/)
            #expect(isSource, "\(row)")
        }
    }

    /// A test that carries the number of a statement has its row.
    @Test func `each numbered test is on the page`() throws {
        let text =
            try SourceFolder.text("Sources/CallKit/Documentation.docc/Semantics.md")
            + SourceFolder.text("Sources/CallKit/Documentation.docc/LostBroker.md")
        for file in ["DocumentedTests", "LostBrokerTests"] {
            let tests = try SourceFolder.text("Tests/Apps/CallKitTests/\(file).swift")
            for match in tests.matches(of: /func `([^`]+)`/) {
                #expect(text.contains("`\(match.1)`"), "\(match.1)")
            }
        }
    }

    /// The rows of all tables of a page.
    private static func rows(of page: String) throws -> [Row] {
        var (rows, titles): ([Row], [String]) = ([], [])
        let text = try SourceFolder.text("Sources/\(page).md")
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("|") else {
                titles = []
                continue
            }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .dropFirst().dropLast().map { $0.trimmingCharacters(in: .whitespaces) }
            if titles.isEmpty {
                titles = cells
            } else if !line.hasPrefix("|---") {
                rows.append(Dictionary(zip(titles, cells)) { $1 })
            }
        }
        return rows
    }
}
