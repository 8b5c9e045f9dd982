internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// The calls of a picture, from a broker that runs.
struct TimelineCollection {
    /// The number of calls of a picture: the latest ones. Each is a request.
    static let callsMax = 1_000

    private let session: Session
    private var builders: [TimelineCallBuilder] = []

    init(_ session: Session) {
        self.session = session
    }

    /// Returns a call, with the calls that it was held for or grouped with.
    mutating func scene(of call: String) throws -> TimelineScene {
        try add(call)
        guard let builder = builders.first else { return TimelineScene([]) }
        for other in TimelineScene.others(of: builder.finished(at: session.nowMS)) {
            // The broker may have forgotten it.
            addIfPossible(other)
        }
        return finished()
    }

    /// Returns the calls that had not ended by a time; nil for all that the broker remembers.
    mutating func scene(sinceMS: Int64?) throws -> TimelineScene {
        for call in try calls(sinceMS: sinceMS).suffix(Self.callsMax) { addIfPossible(call) }
        return finished()
    }

    private func finished() -> TimelineScene {
        TimelineScene(builders.map { $0.finished(at: session.nowMS) })
    }

    private mutating func add(_ call: String) throws {
        var document = TimelineDocument()
        try session.forEachPage(.timeline, { $0.member("call", call) }) { page in
            document.add(page.result)
        }
        builders.append(try document.builder())
    }

    private mutating func addIfPossible(_ call: String) {
        try? add(call)
    }

    /// Returns the ids of the calls, oldest first: those that are listed, and those that only the
    /// history has, because they never rang, or are no longer listed.
    private func calls(sinceMS: Int64?) throws -> [String] {
        var found: [(atMS: Int64, call: String)] = []
        try session.forEachPage(.listCalls, { $0.member("include_ended", true) }) { page in
            for call in CallSummary.list(page.result)
            where call.endedAtMS == 0 || call.endedAtMS >= sinceMS ?? 0 {
                found.append((call.createdAtMS, call.call))
            }
        }
        var known = Set(found.map(\.call))
        for (atMS, call) in pastCalls(sinceMS: sinceMS) where known.insert(call).inserted {
            found.append((atMS, call))
        }
        return found.sorted { ($0.atMS, $0.call) < ($1.atMS, $1.call) }.map(\.call)
    }

    /// Returns the latest calls of the history; none if the broker keeps no history.
    private func pastCalls(sinceMS: Int64?) -> [(atMS: Int64, call: String)] {
        var found: [(atMS: Int64, call: String)] = []
        _ = try? session.forEachPage(
            .listHistory,
            { writer in
                writer.name("filter")
                writer.object { writer in
                    if let sinceMS { writer.member("since_at_ms", sinceMS) }
                    writer.member("hidden", true)
                }
            }, while: { found.count < Self.callsMax }
        ) { page in
            for entry in page.result["entries"].map({ Array($0.elements) }) ?? [] {
                guard let call = entry["call"]?.string else { continue }
                found.append((entry["started_at_ms"]?.integer ?? 0, call))
            }
        }
        return found
    }
}

/// All pages of a time line as one document.
struct TimelineDocument {
    private var writer = JSONWriter()

    var bytes: [UInt8] {
        writer.bytes.isEmpty ? Array("{}".utf8) : writer.bytes + Array("]}".utf8)
    }

    /// Returns the call with all that the document has.
    func builder() throws(ToolFailure) -> TimelineCallBuilder {
        let document = try Frame.parse(bytes)
        return TimelineCallBuilder(document.root)
    }

    mutating func add(_ page: JSONValue) {
        if writer.bytes.isEmpty {
            writer.bytes = Array("{".utf8)
            for name in ["call", "provider", "direction"] {
                guard let value = page[named: name] else { continue }
                writer.name(name)
                writer.value(value)
            }
            writer.name("entries")
            writer.bytes.append(UInt8(ascii: "["))
        }
        for entry in page["entries"].map({ Array($0.elements) }) ?? [] { writer.value(entry) }
    }
}
