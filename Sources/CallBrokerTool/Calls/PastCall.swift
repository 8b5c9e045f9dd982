internal import BrokerJSON
internal import CallProtocol

/// A call in the history.
struct PastCall {
    let call: String
    let line: String
    let json: [UInt8]

    init(_ entry: JSONValue, nowMS: Int64) {
        call = entry["call"]?.string ?? ""
        line = HistoryLine(entry).line(nowMS: nowMS)
        json = Array(ClientOptions.oneLine(entry).utf8)
    }
}

extension Session {
    /// The number of entries that are searched for a part of a name or of an id.
    private static let entriesMax = 2_048

    /// Returns the reply with one entry of the history.
    func historyEntry(_ number: Int) throws -> Reply {
        let reply = try request(.listHistory) { writer in
            writer.name("filter")
            writer.object { writer in
                writer.member("entry", number)
                writer.member("hidden", true)
            }
        }
        guard reply.result["entries"]?[0] != nil else {
            throw ToolFailure(.errorReply, Messages.userEntryUnknown(number: String(number)))
        }
        return reply
    }

    /// Returns the call of an entry.
    func pastCall(_ entry: Int) throws -> PastCall? {
        let reply = try historyEntry(entry)
        return reply.result["entries"]?[0].map { PastCall($0, nowMS: nowMS) }
    }

    /// Returns the latest call with that number or address, with that name or a part of it, or
    /// whose id begins so.
    func pastCall(meaning words: String) throws -> PastCall? {
        let text = words.lowercased()
        return try pastCall { entry in
            (entry["call"]?.string ?? "").isAbbreviated(by: words)
                || entry["remote"]?["value"]?.string?.plainAddress == words.plainAddress
                || !text.isEmpty && entry["name"]?.string?.lowercased().contains(text) ?? false
        }
    }

    func pastCall(withID id: String) throws -> PastCall? {
        try pastCall { $0["call"]?.string == id }
    }

    /// Returns the latest call whose entry satisfies a condition.
    func pastCall(where isMeant: (JSONValue) -> Bool) throws -> PastCall? {
        var (found, count): (PastCall?, Int) = (nil, 0)
        try forEachPage(
            .listHistory,
            { writer in
                writer.name("filter")
                writer.object { $0.member("hidden", true) }
            },
            while: { found == nil && count < Self.entriesMax }
        ) { page in
            let entries = page.result["entries"]?.elements.map(\.self) ?? []
            found = entries.first(where: isMeant).map { PastCall($0, nowMS: nowMS) }
            count += entries.count
        }
        return found
    }

    /// Returns the id of a call that the broker lists, whatever its state.
    func chooseAnyCall(_ name: String?) throws(ToolFailure) -> String {
        do {
            return try CallChooser(self, knowsEnded: true).choose(name, .any)
        } catch let failure as ToolFailure {
            throw failure
        } catch {
            throw ToolFailure(.errorReply, "\(error)")
        }
    }
}
