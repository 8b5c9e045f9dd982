internal import ArgumentParser
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// `callbroker record`: the journal as a text to send to somebody.
struct Record: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write down what has happened and what was decided, for a bug report.",
        discussion: """
            Reads the journal of the broker, which goes back to where it last began anew, and writes \
            it as text: every event and every decision. Whom the calls were with is not told: the \
            same person gets the same pseudonym in every recording of this host. The broker need \
            not run, and is not disturbed. `callbroker replay FILE` decides about it again.
            """)

    @Argument(help: "Where to write it; - is standard output.", completion: .file())
    var file: String

    @Flag(help: "With the numbers, addresses and names of people, and the digits they dialled.")
    var withHandles = false

    @OptionGroup var state: StateOption

    func run() throws {
        let folder = state.folder
        do throws(SocketError) {
            guard try HostFile.exists(folder + "/journal") else {
                throw SocketError(
                    .unusable,
                    "there is no journal in \(folder): was the broker started with --no-journal, or "
                        + "with another --state-dir?")
            }
            let pseudonyms = withHandles ? nil : try PseudonymKey.pseudonyms(in: folder)
            try write(try JournalFolder.read(folder + "/journal"), pseudonyms)
        } catch {
            throw ToolFailure(code: .errorReply, message: "callbroker: \(error)")
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

/// Where the broker keeps its state.
struct StateOption: ParsableArguments {
    @Option(
        name: .customLong("state-dir"), help: "The state folder of the broker.",
        completion: .directory)
    var path: String?

    var folder: String {
        StateFolder(option: path, environment: Environment.current, uid: HostProcess.userID).path
    }
}

/// The key of the pseudonyms of this host, made when it is first needed.
enum PseudonymKey {
    /// A key of the moment where the folder is not ours.
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
