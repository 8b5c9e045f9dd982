internal import ArgumentParser
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// `callbroker record`: the journal as text.
struct Record: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Export the journal as text, for a bug report.",
        discussion: """
            Writes every event and every decision since the journal was last started over. Remote \
            parties, lines of apps, and texts that apps have written about calls are replaced by \
            pseudonyms, which are the same in every recording of this host. The broker need not run, and is not interrupted. `callbroker replay FILE` re-runs a \
            recording.
            """)

    @Argument(help: "The output file; - is standard output.", completion: .file())
    var file: String

    @Flag(help: "Include numbers, addresses, names and dialed digits.")
    var withHandles = false

    @OptionGroup var state: StateOption

    func run() throws {
        let folder = state.folder
        do throws(SocketError) {
            guard try HostFile.exists(folder + "/journal") else {
                throw SocketError(
                    .unusable,
                    "there is no journal in \(folder): the broker may use --no-journal, or "
                        + "another --state-dir")
            }
            let pseudonyms = withHandles ? nil : try PseudonymKey.pseudonyms(in: folder)
            try write(try JournalFolder.read(folder + "/journal"), pseudonyms)
        } catch {
            throw ToolFailure(.errorReply, "\(error)")
        }
    }

    private func write(_ bytes: [UInt8], _ pseudonyms: Pseudonyms?) throws(SocketError) {
        var reader: JournalReader
        do throws(JournalFault) { reader = try JournalReader(bytes, pseudonyms) } catch {
            throw SocketError(.unusable, "\(state.folder)/journal cannot be read: \(error)")
        }
        let transcript = JournalTranscript(&reader)
        guard file != "-" else { return StandardOutput.write(transcript.bytes) }
        try AppendFile(creating: file).append(transcript.bytes, [])
        StandardOutput.line("\(transcript.events) events")
    }
}

/// The key of this host's pseudonyms, created on first use.
enum PseudonymKey {
    /// Returns the host's pseudonyms, or temporary ones if the folder is not accessible.
    static func pseudonymsIfPossible(in folder: String) -> Pseudonyms {
        (try? pseudonyms(in: folder)) ?? Pseudonyms(key: random())
    }

    private static func random() -> UUIDBits {
        var generator = SystemRandomNumberGenerator()
        return UUIDBits(high: generator.next(), low: generator.next())
    }

    static func pseudonyms(in folder: String) throws(SocketError) -> Pseudonyms {
        let path = folder + "/pseudonyms"
        if let key = UUIDBits(try HostFile.line(path)) { return Pseudonyms(key: key) }
        let key = random()
        try AppendFile(creating: path).append(Array("\(key)\n".utf8), [])
        return Pseudonyms(key: key)
    }
}
