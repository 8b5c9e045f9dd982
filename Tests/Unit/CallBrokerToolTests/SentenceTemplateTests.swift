import Testing

@testable import CallBrokerTool

struct SentenceTemplateTests {
    private static func match(_ template: String, _ sentence: String) throws
        -> SentenceTemplate.Match?
    {
        try #require(SentenceTemplate(template)).match(SpokenWord.words(of: sentence))
    }

    @Test(arguments: [
        ("hang up", "hang up", true), ("hang up", "Hang up!", true), ("hang up", "hang", false),
        ("hang up", "hang up now", false), ("[please] hang up", "please hang up", true),
        ("[please] hang up", "hang up", true), ("(end | stop) [the] call", "stop the call", true),
        ("(end | stop) [the] call", "end call", true),
        ("(end | stop) [the] call", "the call", false),
        ("take [(a | the [old])] call", "take the old call", true),
        ("take [(a | the [old])] call", "take a old call", false),
        ("take [(a | the [old])] call", "take call", true), ("ring", "¿Ring?", true),
    ])
    func `words in brackets may be left out, of those in parentheses one is said`(
        template: String, sentence: String, isFound: Bool
    ) throws {
        #expect(try (Self.match(template, sentence) != nil) == isFound)
    }

    @Test(arguments: [
        ("call {who}", "call Ada", "Ada"), ("call {who}", "Call Ada Lovelace, ", "Ada Lovelace"),
        ("call {who} [please]", "call Ada please", "Ada"), ("call {who}", "call", nil),
        ("ruf {who} an", "Ruf Ada Lovelace an.", "Ada Lovelace"), ("ruf {who} an", "ruf an", nil),
        ("اتصل ب{who}", "اتصل بآدا لوفليس", "آدا لوفليس"), ("اتصل ب{who}", "اتصل ب", nil),
        ("call {who}", "call 555 01 23", "555 01 23"),
        ("call {who}", "call \"Ada\"", "Ada"),
    ])
    func `the person is what is left, as it was said`(
        template: String, sentence: String, who: String?
    ) throws {
        #expect(try Self.match(template, sentence)?.who == who)
    }

    @Test func `of two ways to say it the one that names more words is meant`() throws {
        let match = try Self.match("call {who} [with video]", "call Ada with video")
        #expect(match?.who == "Ada")
    }

    @Test(arguments: [
        "(a", "a)", "[a", "a]", "(a]", "{who} and {who}", "call {whom}", "a | b", "{who}s",
        "call {who", "(a | {who} {who})",
    ])
    func `what is no template is refused`(text: String) {
        #expect(SentenceTemplate(text) == nil)
    }

    @Test func `a template with too many variants is refused, at once`() {
        let many = Array(repeating: "[a]", count: 200).joined(separator: " ")
        #expect(SentenceTemplate(many) == nil)
        let nested = String(repeating: "[(a | b", count: 140)
        #expect(SentenceTemplate(nested) == nil)
    }
}
