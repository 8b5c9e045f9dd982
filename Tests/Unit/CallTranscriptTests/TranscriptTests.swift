import CallArbitration
import CallModel
import TestSupport
import Testing

@testable import CallTranscript

/// Files.
struct TranscriptTests {
    @Test func `a transcript has a story and sections of lines`() throws {
        let transcript = try Transcript(
            """
            # A story.
            # More of it.
            > provider_lost provider=a

            ## setup
            ## the end
            > @+5 provider_exited provider=a
            < reset_provider provider=a
            = host
            #

            """)
        typealias Section = Transcript.Section
        let effect = ArbiterEffect.resetProvider(ProviderID("a"))
        let lines: [Transcript.Line] = [
            .event(Transcript.EventLine(text: "> @+5 provider_exited provider=a")),
            .effect(effect), .host(HostState(facts: HostFacts(), audioGroup: nil)),
            .comment(""),
        ]
        #expect(transcript.story == "A story.")
        #expect(
            transcript.sections == [
                Section(
                    title: nil,
                    lines: [
                        .comment("More of it."),
                        .event(Transcript.EventLine(text: "> provider_lost provider=a")), .blank,
                    ]),
                Section(title: "setup"), Section(title: "the end", lines: lines),
            ])
    }

    @Test(arguments: 1...50) func `a file is written as it was read, byte for byte`(
        seed: UInt64
    ) throws {
        var values = RandomValues(seed: seed)
        var writer = TranscriptWriter()
        writer.write(mark: "# ", "A story with – signs.")
        for _ in 0..<20 {
            switch Int.random(in: 0..<7, using: &values.random) {
            case 0: writer.write(mark: "## ", "section")
            case 1: writer.write(comment: values.random.pick(["", "a", " a ", "# #", "é"]))
            case 2: writer.write(values.event(values.word()), at: values.instant())
            case 3: writer.write(values.effect(values.word()))
            case 4: writer.write(values.view())
            case 5: writer.write(values.host())
            default: writer.write(mark: "", "")
            }
        }
        #expect(try Transcript(writer.text).text() == writer.text)
    }

    @Test func `an event can be added as the journal would write it`() {
        let line = Transcript.EventLine(.providerLost(ProviderID("a")), at: .zero)
        #expect(line.text == "> @0 provider_lost provider=a")
        let section = Transcript.Section(title: "lost", lines: [.event(line)])
        let transcript = Transcript(story: "A loss.", sections: [section])
        #expect(transcript.text() == "# A loss.\n## lost\n> @0 provider_lost provider=a\n")
    }

    @Test func `an author's transcript may hold what no arbiter of today would write`() throws {
        let text = "# A story.\n> provider_lost provider=a\n< sing song=1\n= weather\n"
        #expect(throws: TranscriptError.self) { try Transcript(text) }
        let transcript = try Transcript(text, reading: .whatAuthorsWrote)
        #expect(transcript.text() == "# A story.\n> provider_lost provider=a\n")
    }

    @Test func `a mistake is found in its line`() {
        let story = "a comment that tells the story"
        for (text, line, column, expected) in [
            ("", 1, 1, story), ("> provider_lost provider=a\n", 1, 1, story),
            ("\n# A story.\n", 1, 1, story), ("## setup\n", 1, 1, story),
            ("# A story.\n#a\n", 2, 2, "a space after # or ##"),
            ("# A story.\n### a\n", 2, 4, "a space after # or ##"),
            ("# A story.\n##\n", 2, 3, "a space after # or ##"),
            ("# A story.\n\n?\n", 3, 1, "one of >, <, =, * and #"),
            ("# A story.\n# é\n< screen\n", 3, 9, "call="),
            ("# A story.\n= host ring=1", 2, 8, "no more members"),
        ] {
            let error = #expect(throws: TranscriptError.self) { try Transcript(text) }
            #expect(error?.line == line && error?.column == column, "\(text)")
            #expect(error?.expected == expected, "\(text)")
        }
    }
}
