import BrokerJSON
import CallClient
import Foundation
import Testing

@testable import CallBrokerTool

struct SentenceBookTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "messages/sentences").path

    private static let languages = ["en", "de", "fr", "ar"]

    private static func meaning(_ sentence: String, _ language: String) throws -> [String] {
        let book = try #require(SentenceBook(language: language, folder: folder))
        guard let found = book.meaning(of: sentence) else { return [] }
        return [found.intent.rawValue] + (found.who.map { [$0] } ?? [])
    }

    @Test func `the languages are those of the screens`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        #expect(files.sorted() == Self.languages.map { "\($0).json" }.sorted())
    }

    @Test(arguments: languages)
    func `each language can say everything, and a person where there is one`(
        language: String
    ) throws {
        let path = "\(Self.folder)/\(language).json"
        let data = try Data(contentsOf: URL(filePath: path))
        let lists = try #require(
            try JSONSerialization.jsonObject(with: data) as? [String: [String]])
        #expect(Set(lists.keys) == Set(Intent.allCases.map(\.rawValue)))
        for intent in Intent.allCases {
            for text in lists[intent.rawValue] ?? [] {
                #expect(text.contains("{who}") == intent.hasPerson, "\(text)")
            }
        }
    }

    @Test(arguments: [
        ("call Ada", ["dial", "Ada"]), ("Please call Ada Lovelace.", ["dial", "Ada Lovelace"]),
        ("give Grace a ring", ["dial", "Grace"]), ("I'd like to talk to Ada", ["dial", "Ada"]),
        ("call +1 202 555 0123", ["dial", "+1 202 555 0123"]),
        ("video call Ada", ["dial_video", "Ada"]), ("call Ada with video", ["dial_video", "Ada"]),
        ("answer", ["answer"]), ("Pick up the phone!", ["answer"]), ("hang up", ["end"]),
        ("end the call", ["end"]), ("reject the call", ["decline"]), ("hold", ["hold"]),
        ("put her on hold", ["hold"]), ("resume", ["resume"]), ("swap calls", ["swap"]),
        ("mute me", ["mute"]), ("unmute", ["unmute"]), ("stop ringing", ["silence"]),
        ("do not disturb", ["do_not_disturb_on"]),
        ("turn off do not disturb", ["do_not_disturb_off"]), ("Who is calling?", ["calls"]),
        ("what is the time", []), ("", []), ("call", []),
    ])
    func `English`(sentence: String, expected: [String]) throws {
        #expect(try Self.meaning(sentence, "en") == expected)
    }

    @Test(arguments: [
        ("Ruf Ada an", ["dial", "Ada"]), ("Rufe bitte Ada Lovelace an.", ["dial", "Ada Lovelace"]),
        ("Ada anrufen", ["dial", "Ada"]), ("Ruf Ada per Video an", ["dial_video", "Ada"]),
        ("Geh ran", ["answer"]), ("Nimm ab", ["answer"]), ("Leg auf", ["end"]),
        ("Anruf ablehnen", ["decline"]), ("Gespräch halten", ["hold"]),
        ("Setze das Gespräch fort", ["resume"]), ("makeln", ["swap"]),
        ("Mikrofon aus", ["mute"]), ("Mikrofon an", ["unmute"]), ("nicht klingeln", ["silence"]),
        ("Nicht stören", ["do_not_disturb_on"]), ("Nicht stören aus", ["do_not_disturb_off"]),
        ("Wer ruft an?", ["calls"]),
    ])
    func `German`(sentence: String, expected: [String]) throws {
        #expect(try Self.meaning(sentence, "de") == expected)
    }

    @Test(arguments: [
        ("Appelle Ada", ["dial", "Ada"]), ("téléphone à Ada Lovelace", ["dial", "Ada Lovelace"]),
        ("Je voudrais parler à Ada", ["dial", "Ada"]),
        ("appelle Ada en visio", ["dial_video", "Ada"]), ("décroche", ["answer"]),
        ("raccroche", ["end"]), ("refuse l'appel", ["decline"]),
        ("mets l'appel en attente", ["hold"]), ("reprends l'appel", ["resume"]),
        ("change d'appel", ["swap"]), ("coupe le micro", ["mute"]),
        ("rallume le micro", ["unmute"]), ("coupe la sonnerie", ["silence"]),
        ("ne pas déranger", ["do_not_disturb_on"]),
        ("désactive ne pas déranger", ["do_not_disturb_off"]), ("qui appelle ?", ["calls"]),
    ])
    func `French`(sentence: String, expected: [String]) throws {
        #expect(try Self.meaning(sentence, "fr") == expected)
    }

    @Test(arguments: [
        ("اتصل بآدا", ["dial", "آدا"]), ("اتصل بآدا بالفيديو", ["dial_video", "آدا"]),
        ("رد", ["answer"]), ("أغلق الخط", ["end"]), ("ارفض المكالمة", ["decline"]),
        ("ضع المكالمة قيد الانتظار", ["hold"]), ("استأنف المكالمة", ["resume"]),
        ("بدّل بين المكالمات", ["swap"]), ("اكتم الصوت", ["mute"]),
        ("ألغ كتم الصوت", ["unmute"]), ("أوقف الرنين", ["silence"]),
        ("عدم الإزعاج", ["do_not_disturb_on"]), ("من يتصل؟", ["calls"]),
    ])
    func `Arabic`(sentence: String, expected: [String]) throws {
        #expect(try Self.meaning(sentence, "ar") == expected)
    }

    @Test(arguments: [
        "[]", #"{"dial":["call {who}"],"fly":["fly"]}"#, #"{"dial":["call ("]}"#, "1",
    ])
    func `a file that is no book of sentences is none`(text: String) throws {
        let document = try JSONDocument(parsing: Array(text.utf8), limits: .document)
        #expect(SentenceBook(document.root) == nil)
    }
}
