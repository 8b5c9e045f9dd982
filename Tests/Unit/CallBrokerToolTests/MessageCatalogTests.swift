import Foundation
import Testing

@testable import CallBrokerTool

/// The catalog of messages. The cases are shared with the tests of its reader in Python.
struct MessageCatalogTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func cases<Value>(_ name: String) throws -> Value {
        let file = root.appending(path: "Tests/Fixtures/messages/cases.json")
        let all = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        return try #require(all?[name] as? Value)
    }

    /// A catalog with the text of a file; the key of all tests is `a.key`.
    private static func catalog(
        _ text: String?, language: String = "xx", locale: String = "xx_YY.UTF-8"
    ) throws -> MessageCatalog {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        if let text {
            try Data(text.utf8).write(to: folder.appending(path: "\(language).json"))
        }
        return MessageCatalog(environment: ["LANG": locale], folder: folder.path)
    }

    // MARK: - Shared cases

    @Test func `the environment names the files`() throws {
        let cases: [[Any]] = try Self.cases("locales")
        #expect(cases.count > 10)
        for row in cases {
            let environment = try #require(row[0] as? [String: String])
            #expect(MessageCatalog.languages(environment) == row[1] as? [String], "\(environment)")
        }
    }

    @Test func `numbers have the forms of CLDR`() throws {
        let cases: [String: [String: String]] = try Self.cases("plurals")
        #expect(cases.count == 5)
        for (language, forms) in cases {
            for (number, form) in forms {
                let count = try #require(Int64(number))
                #expect(
                    PluralForm(of: count, in: language).rawValue == form, "\(language) \(number)")
            }
        }
        #expect(PluralForm(of: .min, in: "fr") == .other)
    }

    @Test func `texts are filled, or are none`() throws {
        let cases: [[String: Any]] = try Self.cases("texts")
        #expect(cases.count > 10)
        for row in cases {
            let message = try JSONSerialization.data(withJSONObject: ["a.key": row["message"]])
            let language = row["language"] as? String ?? "xx"
            let catalog = try Self.catalog(
                String(decoding: message, as: UTF8.self), language: language, locale: language)
            let values = (row["values"] as? [String: String] ?? [:]).map {
                (name: $0.key, text: $0.value)
            }
            let count = (row["count"] as? Int).map(Int64.init)
            let text = catalog.text("a.key", "English", values, count: count)
            #expect(text == row["text"] as? String ?? "English", "\(row)")
        }
    }

    // MARK: - Languages

    @Test func `what a language lacks is in English`() throws {
        let catalog = try Self.catalog(#"{"a.key":"xx {name}"}"#)
        #expect(catalog.language == "xx")
        #expect(catalog.text("a.key", "English {name}", [("name", "Ada")]) == "xx Ada")
        #expect(catalog.text("b.key", "English {name}", [("name", "Ada")]) == "English Ada")
    }

    @Test func `the file of the country comes before that of the language`() throws {
        #expect(try Self.catalog("{}", language: "xx_YY").language == "xx_YY")
        #expect(try Self.catalog("{}", language: "xx").language == "xx")
    }

    @Test(
        arguments: [
            nil, "", "{", "[]", "\"text\"", "null", #"{"a.key":"xx","a.key":"yy"}"#, "\u{FEFF}{}",
            #"{"a.key":["xx"]}"#, #"{"a.key":{"other":["xx"]}}"#, #"{"a.key":{"one":"xx"}}"#,
            #"{"a.key":"xx {unknown}"}"#,
        ] as [String?])
    func `a broken file of a language leaves English`(_ text: String?) throws {
        let catalog = try Self.catalog(text)
        #expect(catalog.text("a.key", "English") == "English")
    }

    @Test func `a folder without files, or none, is English`() {
        for folder in [nil, "/nowhere", "/dev/null"] {
            let catalog = MessageCatalog(environment: ["LANG": "de_DE"], folder: folder)
            #expect(catalog.text("a.key", "English") == "English")
        }
    }

    @Test func `the sources have a folder of messages`() {
        #expect(MessageCatalog.folder == Self.root.appending(path: "messages").path)
    }
}
