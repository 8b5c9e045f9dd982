import Testing

@testable import app_sources

/// What the plugin AppSources makes of a source.
struct SourceRewriterTests {
    private func rewritten(_ source: String) -> String {
        var rewriter = SourceRewriter(source)
        return rewriter.rewritten()
    }

    @Test(arguments: [
        ("@objc func a() {}", "      func a() {}"),
        ("@objc(a:b:)\nfunc a() {}", "           \nfunc a() {}"),
        ("@objcMembers class A {}", "             class A {}"),
        ("@IBAction func a() {}", "          func a() {}"),
        ("@UIApplicationMain\nclass A", "@main\nclass A"),
        ("#selector(a(_:))", #"Selector("a(_:)", Self.a(_:))"#),
        ("#selector(self.a)", #"Selector("self.a", Self.a)"#),
        ("#selector(A.a(b:c:))", #"Selector("A.a(b:c:)", A.a(b:c:))"#),
        ("import os.log", "import UnifiedLogging"), ("import OSLog", "import UnifiedLogging"),
        ("let a = os.Logger()", "let a = Logger()"),
    ])
    func `what Linux cannot compile is replaced`(source: String, copy: String) {
        #expect(rewritten(source) == copy)
    }

    @Test(arguments: [
        "// @objc #selector(a)", "/* @objc /* import os */ @objc */", #""@objc \("import os")""#,
        ###"##"@objc "# \("##"###, "\"\"\"\n@objc \" import os\n\"\"\"", "#if os(Linux)",
        "import osmium", "@MainActor @available(iOS 10.0, *) func a(_ os: Int) {}", "#", "@", "\"",
        "/*", "#selector", "",
    ])
    func `texts, comments and all else stay`(source: String) {
        #expect(rewritten(source) == source)
    }
}
