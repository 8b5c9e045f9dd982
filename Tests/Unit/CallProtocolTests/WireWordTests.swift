import BrokerJSON
import CallModel
import CallProtocol
import Testing

struct WireWordTests {
    @Test func `a word is read from a string and from nothing else`() throws {
        try withJSON(#"["active","Active","activ","active ","",7,null]"#) { list in
            #expect(list.elements.map { CallState($0) } == [.active, nil, nil, nil, nil, nil, nil])
        }
        #expect(CallState(nil as JSONValue?) == nil)
    }

    @Test func `a word is compared as a whole`() {
        var text = "held"
        text.withUTF8 { utf8 in
            #expect(utf8.reads("held"))
            #expect(!utf8.reads("hel"))
            #expect(!utf8.reads("helds"))
            #expect(!utf8.reads("hold"))
            #expect(!utf8.reads(""))
        }
    }
}

/// Whether each case has the word that is its raw value, and is read from it.
func hasItsWords<Word: WireWord & RawRepresentable<String> & Equatable>(_: Word.Type) -> Bool {
    Word.allCases.allSatisfy { word in
        var text = word.rawValue
        return "\(word.word)" == text && text.withUTF8 { Word(utf8: $0) } == word
    }
}
