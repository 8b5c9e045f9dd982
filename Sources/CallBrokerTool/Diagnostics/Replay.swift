internal import ArgumentParser
internal import CallJournal
internal import CallTranscript

/// `callbroker replay`: the decisions of this release about a recording.
struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Re-run a recording and compare the decisions.",
        discussion: """
            Reads the output of `callbroker record`, or a journal, and applies all of its events in \
            this release. For a recording, compares the decisions, and exits with 1 if they differ; \
            for a journal, prints them. Needs no running broker.
            """)

    @Argument(help: "A recording, or a journal.", completion: .file())
    var file: String

    @Flag(help: "Print the decisions of a recording, too.")
    var show = false

    private static let bytesMax = 256 << 20

    func run() throws {
        let bytes = try Terminal.read(file, bytesMax: Self.bytesMax)
        if bytes.starts(with: JournalForm.firstLine) { return try showJournal(bytes) }
        let recorded = String(decoding: bytes, as: UTF8.self)
        let decided: String
        do throws(TranscriptError) {
            decided = try Transcript(recording: recorded).replayed()
        } catch {
            throw ToolFailure(.usage, "\(file): \(error)")
        }
        if show { StandardOutput.write(Array(decided.utf8)) }
        guard decided != recorded else {
            if !show {
                StandardOutput.line("\(Self.events(in: recorded)) events, the same decisions")
            }
            return
        }
        throw ToolFailure(.errorReply, "\(file): \(Self.difference(recorded, decided))")
    }

    private func showJournal(_ bytes: [UInt8]) throws {
        do throws(JournalFault) {
            var reader = try JournalReader(bytes)
            StandardOutput.write(JournalTranscript(&reader).bytes)
            if let fault = reader.fault { throw fault }
        } catch {
            throw ToolFailure(.errorReply, "\(file): \(error)")
        }
    }

    private static func events(in text: String) -> Int {
        text.split(separator: "\n").count { $0.hasPrefix(">") }
    }

    /// Returns the first line that differs.
    private static func difference(_ recorded: String, _ decided: String) -> String {
        let (then, now) = (lines(recorded), lines(decided))
        let number = zip(then, now).prefix { $0 == $1 }.count
        return """
            the decisions differ from line \(number + 1) on
              then: \(number < then.count ? then[number] : "(the end)")
              now:  \(number < now.count ? now[number] : "(the end)")
            """
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }
}
