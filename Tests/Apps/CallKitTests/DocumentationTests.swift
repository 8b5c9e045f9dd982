import Testing

/// The pages name tests; these are there.
struct DocumentationTests {
    private static let files =
        [
            "AppsAsWrittenTests", "CXCallControllerTests", "CXCallDirectoryTests",
            "CXCallObserverTests", "CXErrorTests", "CXProviderTests", "CXValueTests",
            "ConversationCorpusTests", "ConversationManagerTests", "CorpusTests", "DocumentedTests",
            "EdgeTests", "ExampleTests", "LifeTests", "LostBrokerTests", "ReconnectionTests",
        ].map { "Apps/CallKitTests/\($0)" } + [
            "Apps/AVFoundationTests/AVAudioSessionTests", "Apps/CombineTests/TimesTests",
            "Apps/IntentsTests/INStartCallIntentTests", "Unit/CallClientTests/ProviderLinkTests",
            "Unit/CallClientTests/ReconnectionTests",
        ]

    @Test(arguments: [
        "CallKit/Documentation.docc/Semantics", "CallKit/Documentation.docc/LostBroker",
        "CallKit/Documentation.docc/AppLife",
        "LiveCommunicationKit/Documentation.docc/LiveCommunicationKit",
    ])
    func `each test that a page names is there`(page: String) throws {
        let tests = try Self.files.map { try SourceFolder.text("Tests/\($0).swift") }.joined()
        let text = try SourceFolder.text("Sources/\(page).md")
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
        var count = 0
        for row in rows {
            // The last cell.
            let cell = row.split(separator: "|").last ?? ""
            for match in cell.matches(of: /`([^`]+ [^`]+)`/) {
                count += 1
                #expect(tests.contains("func `\(match.1)`"), "\(match.1)")
            }
        }
        #expect(count > 5)
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
}
