internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol
internal import CallStore
internal import CallerLists

/// `callbroker directory load`: a directory from a file.
struct DirectoryLoad: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load", abstract: "Load a directory from a file.",
        discussion: """
            Lines of CSV (number,label,blocked, or the columns named in the first line) or of JSON \
            ({"number":"+15550100","label":"Shop"}), in ascending order of numbers. The former entries \
            are used until the file is loaded completely, and stay if a line is invalid.
            """)

    @Argument(help: "The file: .csv or .ndjson.", completion: .file()) var file: String
    @Option(help: "The name of the directory. Default: the name of the file.") var source: String?
    @OptionGroup var client: ClientOptions

    func run() throws {
        let session = try client.open(.admin, waiting: 600)
        var load = try Load(session, source ?? name)
        var reader = CallerListReader(try form, region: try session.region())
        do {
            try HostFile.readPieces(of: file) { piece in
                try reader.read(piece) { load.add($0) }
                try load.sendFullFrames()
            }
            try reader.finish { load.add($0) }
        } catch let error as CallerListError {
            throw ToolFailure(
                .errorReply, Messages.importFileNotLoaded(file: file, problem: error.words))
        } catch let error as SocketError {
            throw ToolFailure(.usage, "\(error)")
        }
        try client.output.show(try load.finish()) { result in
            let accepted = String(result["accepted"]?.integer ?? 0)
            let total = String(result["total"]?.integer ?? 0)
            return Messages.userDirectoryAccepted(number: accepted) + "\n"
                + Messages.userDirectoryTotal(number: total)
        }
    }

    private var name: String {
        file.split(separator: "/").last.map(String.init) ?? file
    }

    private var form: CallerListReader.Form {
        get throws {
            if file.hasSuffix(".csv") { return .csv }
            if file.hasSuffix(".ndjson") || file.hasSuffix(".jsonl") { return .ndjson }
            throw ToolFailure(.usage, Messages.importUnknownForm(file: file))
        }
    }

    /// A generation being loaded.
    private struct Load {
        private let session: Session
        private let source: String
        private let generation: Int64
        private var entries: [DirectoryEntry] = []
        /// The number of entries that the broker has accepted.
        private var accepted: Int64 = 0
        private var total: Int64 = 0

        init(_ session: Session, _ source: String) throws {
            self.session = session
            self.source = source
            let reply = try session.request(.listDirectories)
            let sources = reply.result["sources"].map { Array($0.elements) } ?? []
            let former = sources.first { $0["source"]?.string == source }
            // Wraps after the highest number; the broker then rejects the load.
            generation = (former?["generation"]?.integer ?? 0) &+ 1
        }

        mutating func add(_ entry: DirectoryEntry) {
            entries.append(entry)
        }

        /// Sends full frames, and keeps the remaining entries.
        mutating func sendFullFrames() throws {
            while true {
                let count = frameful
                guard count < entries.count else { return }
                try send(entries[..<count], isLast: false)
                entries.removeFirst(count)
            }
        }

        /// The number of entries that fit into the next frame, whatever their labels contain.
        private var frameful: Int {
            var (count, bytes) = (0, 0)
            for entry in entries.prefix(MethodTable.directoryEntriesMax) {
                bytes += Self.entryBytes + (entry.label?.jsonBytes ?? 0)
                guard bytes <= Self.frameBytes || count == 0 else { break }
                count += 1
            }
            return count
        }

        /// The size of an entry without its label, and the size of all entries of a frame.
        private static let entryBytes = 56
        private static let frameBytes = 60_000

        mutating func finish() throws -> [UInt8] {
            try sendFullFrames()
            try send(entries[...], isLast: true)
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("accepted", accepted)
                writer.member("total", total)
            }
            return writer.bytes
        }

        private mutating func send(_ part: ArraySlice<DirectoryEntry>, isLast: Bool) throws {
            let reply = try session.request(.putEntries) { writer in
                writer.member("source", source)
                writer.member("generation", generation)
                writer.member("final", isLast)
                writer.name("entries")
                writer.array { writer in
                    for entry in part { writer.object { $0.members(of: entry) } }
                }
            }
            accepted &+= reply.result["accepted"]?.integer ?? 0
            total = reply.result["total"]?.integer ?? 0
        }
    }
}

extension String {
    /// The greatest size in a frame: a control character takes six bytes, a quote two.
    fileprivate var jsonBytes: Int {
        utf8.reduce(0) { $0 + ($1 < 0x20 ? 6 : $1 == 0x22 || $1 == 0x5C ? 2 : 1) }
    }
}

extension Session {
    /// Returns the country of numbers without a country code.
    func region() throws -> String? {
        let reply = try request(.getPolicy)
        let region = reply.result["policy"]?["region"]?.string
        return region.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of entry: DirectoryEntry) {
        member("number", entry.number)
        member("label", ifSet: entry.label)
        if entry.isBlocked { member("blocked", true) }
    }
}
