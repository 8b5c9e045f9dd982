import Foundation
import Testing

@testable import PhoneScreen

/// The texts of the screen. The catalog is tested with the tool, whose sources it is.
struct ScreenTextsTests {
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
        let texts = ScreenTexts(environment: ["LANG": "xx_YY"], folder: folder.path)
        #expect(texts.text("a.b", ["name": "Ann {x}"]) == "Ann {x}!")
        #expect(texts.text("a.c") == "see")
        #expect(texts.text("a.n", count: 1) == "1 x")
        #expect(texts.text("a.n", count: 2) == "2 y")
        #expect(texts.text("a.none") == "a.none")
    }

    @Test(arguments: ["ar", "de", "fr"])
    func `each language has every text of the screen`(language: String) throws {
        let texts = try [language, "en"].map { name in
            let path = Samples.folder + "/\(name).json"
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            let all = try JSONSerialization.jsonObject(with: data) as? [String: Any]
            return Set(try #require(all).keys)
        }
        let missing = texts[1].subtracting(texts[0]).filter { $0.hasPrefix("screen.phone.") }
        #expect(missing == [])
    }

    @Test func `every text of the screen is in the catalog`() {
        let texts = ScreenTexts(environment: [:], folder: Samples.folder)
        for tab in Tab.allCases { #expect(texts.has("screen.phone.tab." + tab.rawValue)) }
        for name in Setting.Name.allCases {
            #expect(texts.has("screen.phone.setting." + name.rawValue))
            #expect(texts.has("screen.phone.setting_hint." + name.rawValue))
        }
        let phone = Samples.phone()
        for button in CallButton.all { #expect(!phone.label(button).contains("screen.")) }
    }
}
