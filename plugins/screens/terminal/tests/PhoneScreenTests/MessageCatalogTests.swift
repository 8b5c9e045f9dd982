import Foundation
import Testing

@testable import PhoneScreen

/// The reader of messages, with the cases that it shares with the other readers.
struct MessageCatalogTests {
    private struct Cases: Decodable {
        let plurals: [String: [String: String]]
    }

    private func cases() throws -> Cases {
        let path = Samples.folder + "/../Tests/Fixtures/messages/cases.json"
        return try JSONDecoder().decode(
            Cases.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    @Test func `numbers have the forms of CLDR`() throws {
        for (language, forms) in try cases().plurals {
            for (count, form) in forms {
                let number = try #require(Int(count))
                #expect(PluralForm.name(language, number) == form, "\(language) \(count)")
            }
        }
    }

    @Test(arguments: [
        (["LANG": "de_AT.UTF-8"], ["de_AT", "de"]), (["LC_ALL": "C", "LANG": "de"], []),
        (["LANG": "en_US.UTF-8"], ["en_US"]), (["LANG": "en"], []),
        (["LC_MESSAGES": "fr", "LANG": "de"], ["fr"]), ([:], []),
        (["LANG": "../../etc"], []),
    ])
    func `the environment names the files`(environment: [String: String], names: [String]) {
        #expect(MessageCatalog.languages(environment) == names)
    }

    @Test func `a language is over English`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in [
            (
                "en",
                #"{"a.b":"for {name}","a.c":"see","a.n":{"one":"{count} x","other":"{count} y"}}"#
            ),
            ("xx", #"{"a.b":"{name}!","a.n":["?"],"a.c":"{unknown}"}"#),
        ] {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name + ".json"))
        }
        let texts = MessageCatalog(environment: ["LANG": "xx_YY"], folder: folder.path)
        #expect(texts.text("a.b", ["name": "Ann {x}"]) == "Ann {x}!")
        #expect(texts.text("a.c") == "see")
        #expect(texts.text("a.n", count: 1) == "1 x")
        #expect(texts.text("a.n", count: 2) == "2 y")
        #expect(texts.text("a.none") == "a.none")
    }

    @Test func `every text of the screen is in the catalog`() {
        let texts = MessageCatalog(environment: [:], folder: Samples.folder)
        for tab in Tab.allCases { #expect(texts.has("screen.phone.tab." + tab.rawValue)) }
        for name in Setting.Name.allCases {
            #expect(texts.has("screen.phone.setting." + name.rawValue))
            #expect(texts.has("screen.phone.setting_hint." + name.rawValue))
        }
        let phone = Samples.phone()
        for button in CallButton.all { #expect(!phone.label(button).contains("screen.")) }
    }
}
