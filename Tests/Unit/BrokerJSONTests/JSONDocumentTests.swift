import BrokerJSON
import Glibc
import Testing

struct JSONDocumentTests {
    static let tops: [(String, Tree)] = [
        ("null", .null), ("true", .boolean(true)), ("false", .boolean(false)),
        ("-7", .integer(-7)), ("0.5", .real(0.5)), (#""x""#, .text("x")), (#""""#, .text("")),
        ("[]", .array([])), ("{}", .object([])),
    ]

    @Test(arguments: tops)
    func `any value may stand at the top`(text: String, tree: Tree) {
        #expect(Tree(parsing: Array(text.utf8)) == tree)
    }

    @Test func `a buffer is read in place like an array`() throws {
        let text = Array(#"xx{"a":[1,"é"]}yy"#.utf8)
        let tree = try text.withUnsafeBufferPointer { bytes in
            let inside = UnsafeBufferPointer(rebasing: bytes[2..<(bytes.count - 2)])
            let document = try JSONDocument(parsing: inside)
            return Tree(document.root)
        }
        let expected = Tree.object([
            Tree.Member(name: Array("a".utf8), value: .array([.integer(1), .text("é")]))
        ])
        #expect(tree == expected)
    }

    @Test func `a buffer without memory is an empty text`() {
        let nothing = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        #expect(throws: JSONFault.self) { _ = try JSONDocument(parsing: nothing) }
    }

    @Test func `a document owns what it read`() throws {
        var text = Array(#"{"name":"Ada"}"#.utf8)
        let document = try JSONDocument(parsing: text)
        for index in text.indices { text[index] = UInt8(ascii: "?") }
        #expect(document.root["name"]?.string == "Ada")
    }

    // MARK: - Members named twice

    static let duplicates = [
        BadText(#"{"a":1,"a":2}"#, Refusal(.duplicateMember, at: 7)),
        BadText(#"{"a":1,"a":1}"#, Refusal(.duplicateMember, at: 7)),
        BadText(#"{"a":1, "a" :2}"#, Refusal(.duplicateMember, at: 8)),
        BadText(#"{"a":1,"\u0061":2}"#, Refusal(.duplicateMember, at: 7)),
        BadText(#"{"\u0061":1,"a":2}"#, Refusal(.duplicateMember, at: 12)),
        BadText(#"{"/":1,"\/":2}"#, Refusal(.duplicateMember, at: 7)),
        BadText(#"{"a":1,"b":2,"a":3}"#, Refusal(.duplicateMember, at: 13)),
        BadText(#"{"":1,"":2}"#, Refusal(.duplicateMember, at: 6)),
        BadText(#"{"\"":1,"\"":2}"#, Refusal(.duplicateMember, at: 8)),
        BadText(#"{"\"":1,"\u0022":2}"#, Refusal(.duplicateMember, at: 8)),
        BadText(#"{"\\":1,"\\":2}"#, Refusal(.duplicateMember, at: 8)),
        BadText(#"{"\\\"":1,"\\\"":2}"#, Refusal(.duplicateMember, at: 10)),
        BadText(#"{"\"a\"":1,"\"a\"":2}"#, Refusal(.duplicateMember, at: 11)),
        BadText(#"{",\"":1,",\"":2}"#, Refusal(.duplicateMember, at: 9)),
        BadText(#"{"\"\\":1,"\"\\":2}"#, Refusal(.duplicateMember, at: 10)),
        BadText(#"{"{\"b\":":1,"{\"b\":":2}"#, Refusal(.duplicateMember, at: 13)),
        BadText(#"{"x":{"a":1,"b":2,"a":3}}"#, Refusal(.duplicateMember, at: 18)),
        BadText(#"[{},{"a":1,"a":1}]"#, Refusal(.duplicateMember, at: 11)),
        BadText(#"{"a":{"b":1},"a":{"b":1}}"#, Refusal(.duplicateMember, at: 13)),
        BadText(#"{"a":"\"a\":1,","a":0}"#, Refusal(.duplicateMember, at: 16)),
        BadText(
            "{\"é\":1,\n \"\\u00e9\":2}", Refusal(.duplicateMember, line: 2, column: 2, byte: 10)),
        BadText(
            "{\"😀\":1, \"\\ud83d\\ude00\":2}",
            Refusal(.duplicateMember, line: 1, column: 9, byte: 11)),
    ]

    @Test(arguments: duplicates)
    func `a name that occurs twice is refused at the second`(bad: BadText) {
        #expect(refusal(of: bad.text) == bad.refusal)
    }

    static let different = [
        #"{"a":1,"A":2,"a ":3," a":4,"":5}"#, #"{"a":{"a":{"a":1}}}"#, #"[{"a":1},{"a":1}]"#,
        #"{"a":["a","a"],"b":"a"}"#, "{\"\u{E9}\":1,\"e\u{301}\":2}", #"{"\\u0061":1,"a":2}"#,
    ]

    @Test(arguments: different)
    func `names are the same only if their scalars are, in one object`(text: String) {
        #expect(refusal(of: text) == nil)
    }

    @Test func `bad grammar is found before a name that occurs twice`() {
        #expect(refusal(of: #"{"a":1,"a":2,}"#) == Refusal(.syntax, at: 13))
    }

    // MARK: - Memory

    @Test(.enabled(if: !Memory.isQuarantined, "the address sanitizer keeps what is freed"))
    func `parsing and releasing 100,000 documents leaves nothing behind`() async {
        await #expect(processExitsWith: .success) {
            let good = Array(
                #"{"id":1,"params":{"name":"\u00e9 a name of some length","list":[1,2.5,null]}}"#
                    .utf8)
            let twice = Array(#"{"list":[1,{"name":"a name of some length"}],"list":{}}"#.utf8)
            let tooLarge = Array(#"{"list":["a name of some length",{}],"n":[1e999]}"#.utf8)
            func run(_ rounds: Int) {
                for _ in 0..<rounds {
                    for text in [good, good, good, twice, tooLarge] { _ = fault(in: text) }
                }
            }
            run(1_000)
            let before = Memory.residentPages()
            run(20_000)
            let grown = Memory.residentPages() - before
            #expect(before > 0)
            #expect(grown < 256, "grew by \(grown) pages")
        }
    }
}

enum Memory {
    /// Whether the address sanitizer runs, which keeps freed memory for a while.
    static var isQuarantined: Bool {
        dlsym(nil, "__asan_init") != nil
    }

    /// The second number of `/proc/self/statm`; 0 if that cannot be read.
    static func residentPages() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let text = String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }
}
