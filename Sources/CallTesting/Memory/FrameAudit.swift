internal import BrokerJSON
internal import BrokerRPC
internal import CallModel
internal import CallProtocol

/// A check of the rules that hold for every frame of the broker, run on each frame that a test
/// reads.
package struct FrameAudit {
    package init() {}

    private var unsent: [UInt8] = []
    private var asked: [String: [String]] = [:]
    private var lastID = 0
    private var barrier = 0
    private var lastSeq: [Int: Int] = [:]
    private var replaying: Set<Int> = []
    private var requestedCursor = false
    /// True if the client has the audio; nil at first, because an earlier connection may have had
    /// it.
    private var hasAudio: Bool?
    /// The performs without an answer of the client, by the id of the request.
    package private(set) var performs: [Int: JSONTree] = [:]
    /// The performs whose outcome the client has reported in another way, so that only the reply is
    /// due.
    private var reported: Set<Int> = []

    // MARK: - Frames of the client

    package mutating func sent(_ bytes: [UInt8]) {
        unsent += bytes
        while let end = unsent.firstIndex(of: 0x0A) {
            let line = String(decoding: unsent[..<end], as: UTF8.self)
            unsent.removeFirst(end + 1)
            guard line.utf8.count < 65_536, let json = try? JSONTree(line) else { continue }
            for entry in json.elements.isEmpty ? [json] : json.elements { note(entry) }
        }
    }

    /// Ends the input, which makes a line of the remaining bytes (rule F2).
    package mutating func sentEnd() {
        if !unsent.isEmpty { sent([0x0A]) }
    }

    private mutating func note(_ entry: JSONTree) {
        guard let id = entry["id"] else { return }
        if let method = entry["method"]?.string {
            asked["\(id)", default: []].append(method)
            if entry["params"]?["cursor"] != nil { requestedCursor = true }
            noteReport(method, entry["params"] ?? .null)
        } else if let id = id.integer {
            performs[id] = nil
        }
    }

    /// Marks performs as reported: a report about a call states the outcome of its action in
    /// progress.
    private mutating func noteReport(_ method: String, _ params: JSONTree) {
        let name = method == "action.settle" ? "action" : "call"
        guard name == "action" || method.hasPrefix("call.report_") else { return }
        for (id, perform) in performs where perform[name] == params[name] { reported.insert(id) }
    }

    // MARK: - Frames of the broker

    /// Returns the violations in a frame.
    package mutating func faults(in line: String) -> [String] {
        guard let json = try? JSONTree(line) else { return ["not JSON"] }
        // Only the OpenRPC document may be longer. Its name is looked for in long frames only, for
        // speed.
        let mayBe = line.utf8.count < 65_535 || line.contains(#""openrpc""#)
        var faults = mayBe ? [] : ["F4: too long"]
        for frame in json.elements.isEmpty ? [json] : json.elements {
            faults += self.faults(in: frame)
        }
        return faults
    }

    private mutating func faults(in frame: JSONTree) -> [String] {
        switch frame.names {
        case ["jsonrpc", "id", "result"]: return result(frame)
        case ["jsonrpc", "id", "error"]:
            forget(frame["id"])
            return error(frame["error"] ?? .null)
        case ["jsonrpc", "method", "params"], ["jsonrpc", "method"]:
            return params(of: frame) + notified(frame)
        case ["jsonrpc", "id", "method", "params"], ["jsonrpc", "id", "method"]:
            lastID += 1
            let order = frame["id"]?.integer == lastID ? [] : ["R2: not id \(lastID)"]
            return order + params(of: frame) + asked(frame)
        default: return ["F7: members \(frame.names)"]
        }
    }

    private mutating func forget(_ id: JSONTree?) {
        if let id, asked["\(id)"]?.isEmpty == false { asked["\(id)"]?.removeFirst() }
    }

    private mutating func result(_ frame: JSONTree) -> [String] {
        guard let id = frame["id"], let name = asked["\(id)"]?.first,
            let method = MethodTable.withTestMethods.find(name),
            let result = frame["result"]
        else { return ["R10: a reply without a request"] }
        forget(id)
        if method.name == .subscribe, let number = result["subscription"]?.integer {
            if requestedCursor { replaying.insert(number) }
        } else if let seq = result["seq"]?.integer {
            barrier = max(barrier, seq)
        }
        guard case .request(let members, _) = method.form else { return [] }
        let inside = method.name == .ping ? [] : Self.envelope(result)
        return inside + Self.check(result, .object(members), "result of \(name)")
    }

    private func params(of frame: JSONTree) -> [String] {
        let name = frame["method"]?.string ?? ""
        guard let method = MethodTable.withTestMethods.find(name) else {
            return ["\(name) is not in the table"]
        }
        let params = frame["params"] ?? .object([])
        var members = method.params
        if method.name == .event {
            guard
                let row = TopicTable.rows.first(where: {
                    $0.topic.rawValue == params["topic"]?.string
                })
            else { return ["an unknown topic"] }
            members = row.params
        }
        var faults = Self.check(params, .object(members), name) + Self.envelope(params)
        if method.name == .perform, let kind = ActionKind(rawValue: params["kind"]?.string ?? "") {
            faults += Self.check(params["arguments"] ?? .null, kind)
        }
        return faults
    }

    /// Checks notifications: the order of events, and of audio grants.
    private mutating func notified(_ frame: JSONTree) -> [String] {
        guard let params = frame["params"] else { return [] }
        switch frame["method"]?.string {
        case "event": return event(params)
        case "events.gap":
            lastSeq[params["subscription"]?.integer ?? -1] = nil
            return []
        case "broker.cancel":
            if let id = params["request"]?.integer { performs[id] = nil }
            return []
        case "audio.activated":
            defer { hasAudio = true }
            return hasAudio == true ? ["audio activated twice"] : []
        case "audio.deactivated":
            defer { hasAudio = false }
            return hasAudio == false ? ["audio deactivated twice"] : []
        default: return []
        }
    }

    private mutating func event(_ params: JSONTree) -> [String] {
        let topic = params["topic"]?.string
        guard let subscription = params["subscription"]?.integer else {
            return topic == "transaction.completed" ? [] : ["an event of no subscription"]
        }
        guard let seq = params["seq"]?.integer, let prev = params["prev"]?.integer else {
            return ["an event without numbers"]
        }
        var faults: [String] = []
        // Events of these topics repeat the number of the latest event.
        let unnumbered = [
            "broker.bookmark", "plugin.log", "call.allowed_changed", "call.quality",
            "host.presence",
        ]
        let isUnnumbered = topic.map { unnumbered.contains($0) } ?? false
        if let last = lastSeq[subscription] {
            if prev != last { faults.append("E2: prev is not \(last)") }
            if seq < last || seq == last && !isUnnumbered { faults.append("O2: \(seq) again") }
        }
        lastSeq[subscription] = seq
        if seq <= barrier, !replaying.contains(subscription), !isUnnumbered {
            faults.append("O3: \(seq) after the reply with \(barrier)")
        }
        return faults
    }

    /// Checks requests: the number in flight for one call, and for the provider (rule O4).
    private mutating func asked(_ frame: JSONTree) -> [String] {
        guard frame["method"] == .string("provider.perform"), let params = frame["params"],
            let id = frame["id"]?.integer
        else { return [] }
        let open = performs.filter { !reported.contains($0.key) }.values
        let others = open.filter { $0["call"] == params["call"] }
        performs[id] = params
        // An emergency is sent beside eight other performs, and so is its end.
        let mayBeUrgent =
            params["cause"]?["rule"] == .string("20") || params["kind"] == .string("end")
        var faults =
            open.count >= 8 && !mayBeUrgent ? ["O4: \(open.count + 1) performs"] : []
        if params["kind"] != .string("end"),
            others.contains(where: { !["end", "play_dtmf"].contains($0["kind"]?.string) })
        {
            faults.append("O4: two performs for one call")
        }
        return faults
    }

    // MARK: - Pieces

    private func error(_ error: JSONTree) -> [String] {
        var faults = error.names == ["code", "message", "data"] ? [] : ["error: \(error.names)"]
        if ErrorCode(rawValue: error["code"]?.integer ?? 0) == nil {
            faults.append("error: an unknown code")
        }
        let data = error["data"] ?? .null
        if data["reason"]?.string?.wholeMatch(of: /[a-z][a-z0-9]*(_[a-z0-9]+)*/) == nil {
            faults.append("error: the reason")
        }
        if data["retryable"]?.boolean == nil { faults.append("error: no retryable") }
        if let field = data["field"]?.string, !field.isEmpty, !field.hasPrefix("/") {
            faults.append("error: the field")
        }
        return faults + Self.envelope(data)
    }

    /// Checks the rules F7 and F8.
    private static func envelope(_ value: JSONTree) -> [String] {
        switch value {
        case .object(let members):
            let reserved = ["jsonrpc", "id", "method", "params", "result", "error"]
            let taken = members.map(\.name).filter(reserved.contains)
            let repeated = Set(members.map(\.name)).count < members.count ? ["repeated"] : []
            return taken.map { "F7: \($0) inside" } + repeated
                + members.filter { $0.name != "payload" }.flatMap { envelope($0.value) }
        case .array(let elements): return elements.flatMap { envelope($0) }
        case .real(let number): return ["F8: \(number)"]
        case .integer(let number): return abs(number) < 1 << 53 ? [] : ["F8: \(number)"]
        case .string, .boolean, .null: return []
        }
    }

    private static func check(_ tree: JSONTree, _ schema: Schema, _ what: String) -> [String] {
        document(tree) { value throws(SchemaFault) in try schema.check(value) }
            .map { ["\(what)\($0.pointer): \($0.message)"] } ?? []
    }

    private static func check(_ tree: JSONTree, _ kind: ActionKind) -> [String] {
        document(tree) { value throws(SchemaFault) in try ActionSchemas.check(value, of: kind) }
            .map { ["arguments\($0.pointer): \($0.message)"] } ?? []
    }

    private static func document(
        _ tree: JSONTree, _ check: (JSONValue) throws(SchemaFault) -> Void
    ) -> SchemaFault? {
        let limits = JSONLimits(depth: 64, values: 1_000_000)
        guard let document = try? JSONDocument(parsing: Array(tree.json.utf8), limits: limits)
        else { return SchemaFault(reason: .syntax, message: "not JSON") }
        do throws(SchemaFault) {
            try check(document.root)
            return nil
        } catch {
            return error
        }
    }
}
