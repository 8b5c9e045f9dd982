import Testing

/// What is true of every frame on every connection, checked wherever the suite reads one.
///
/// It follows what the client sent, so that it knows which method a reply belongs to and that no
/// request is answered twice.
struct FrameCheck {
    /// A telephone number that tests put where input is refused. It may come back from nowhere but
    /// the payload of a ping.
    static let marker = "+15550100"
    private static let markerDigits = "15550100"

    private struct Request {
        let method: String
        let params: JSON?
    }

    private var unsent: [UInt8] = []
    private var open: [JSON: [Request]] = [:]
    private var lastBrokerID: Int64 = 0

    private var repliesWithoutID = 0

    /// Whether there are requests that neither a reply with their id nor one with id null answers.
    var hasUnanswered: Bool {
        open.values.reduce(0) { $0 + $1.count } > repliesWithoutID
    }

    // MARK: - What goes out

    mutating func sent(_ bytes: some Sequence<UInt8>) {
        unsent.append(contentsOf: bytes)
        while let end = unsent.firstIndex(of: 0x0A) {
            note(unsent[..<end])
            unsent.removeFirst(end + 1)
        }
    }

    /// The end of input makes a line of what is left (F2).
    mutating func sentEnd() {
        note(unsent[...])
        unsent = []
    }

    private mutating func note(_ line: ArraySlice<UInt8>) {
        guard line.count < 70_000, let text = String(validating: line, as: UTF8.self),
            let json = try? JSON(text)
        else { return }
        for entry in json.elements ?? [json] {
            // A response is no request; it is never answered.
            guard let id = entry["id"], entry["result"] == nil, entry["error"] == nil else {
                continue
            }
            let request = Request(method: entry["method"]?.string ?? "", params: entry["params"])
            open[id, default: []].append(request)
        }
    }

    // MARK: - What comes in

    mutating func received(_ line: String, sourceLocation: SourceLocation) {
        var faults: [String] = []
        do {
            let json = try JSON(line)
            if json.description != line { faults.append("not compact") }
            faults += json.elements.map { batch in batch.flatMap { frame($0) } } ?? frame(json)
            let isDocument = (json["result"]?["openrpc"]) != nil
            if !isDocument, line.utf8.count > 65_534 { faults.append("F4: over 65,535 bytes") }
        } catch {
            faults.append("\(error)")
        }
        for fault in faults {
            Issue.record("\(fault), in: \(line.prefix(2_000))", sourceLocation: sourceLocation)
        }
    }

    private mutating func frame(_ json: JSON) -> [String] {
        guard json["jsonrpc"] == "2.0" else { return ["F7: jsonrpc must come first and be 2.0"] }
        switch json.names {
        case ["jsonrpc", "id", "result"], ["jsonrpc", "id", "error"]: return reply(json)
        case ["jsonrpc", "method", "params"], ["jsonrpc", "method"]:
            return envelope(json["params"]) + described(params: json)
        case ["jsonrpc", "id", "method", "params"], ["jsonrpc", "id", "method"]:
            return envelope(json["params"]) + described(params: json) + brokerID(json["id"])
        default: return ["F7: members \(json.names)"]
        }
    }

    /// R2: ids of the broker count up from 1.
    private mutating func brokerID(_ id: JSON?) -> [String] {
        lastBrokerID += 1
        return id == .integer(lastBrokerID) ? [] : ["R2: expected id \(lastBrokerID)"]
    }

    private func described(params json: JSON) -> [String] {
        guard let contract = try? Contract.shared.get() else { return ["no OpenRPC document"] }
        let method = json["method"]?.string ?? ""
        guard contract.methods[method] != nil else { return ["\(method) is not described"] }
        let quotes = Self.quotesMarker("\(json)") ? ["the input is quoted"] : []
        return quotes
            + contract.faults(inParams: json["params"], of: method).map { "schema: \($0)" }
    }

    private mutating func reply(_ json: JSON) -> [String] {
        let id = json["id"] ?? .null
        guard id != .null else {
            repliesWithoutID += 1
            return json["error"].map { error($0, to: nil) } ?? ["a result without an id"]
        }
        // A request that was refused with id null is still in the table, so several may wait.
        guard let waiting = open[id], !waiting.isEmpty else {
            return ["R10: a reply nobody waits for"]
        }
        let faults = waiting.map { check(json, as: $0) }
        let index = faults.firstIndex(of: []) ?? 0
        open[id]?.remove(at: index)
        return faults[index]
    }

    private func check(_ json: JSON, as request: Request) -> [String] {
        if let error = json["error"] { return self.error(error, to: request) }
        guard let result = json["result"], let contract = try? Contract.shared.get() else {
            return ["no OpenRPC document"]
        }
        var faults = contract.faults(inResult: result, of: request.method)
        faults += contract.faults(inParams: request.params, of: request.method)
        if !["broker.ping", "broker.describe", "rpc.discover"].contains(request.method) {
            faults += envelope(result)
        }
        return faults.map { "\(request.method): \($0)" }
    }

    // MARK: - Parts

    /// F7 and F8: what may not stand inside what the broker composes.
    private func envelope(_ value: JSON?) -> [String] {
        switch value {
        case .object(let members):
            let reserved = ["jsonrpc", "id", "method", "params", "result", "error"]
            let taken = members.map(\.name).filter(reserved.contains)
            let repeated = Set(members.map(\.name)).count < members.count
            return taken.map { "F7: \($0) deeper in the frame" } + (repeated ? ["repeated"] : [])
                + members.filter { $0.name != "payload" }.flatMap { envelope($0.value) }
        case .array(let elements): return elements.flatMap { envelope($0) }
        case .real(let text): return ["F8: the real \(text)"]
        case .integer(let number):
            return abs(number) < 1 << 53 ? [] : ["F8: the integer \(number)"]
        case .string(let text): return text.contains("\0") ? ["F8: U+0000"] : []
        default: return []
        }
    }

    private static let codes: Set<Int> = [
        -32700, -32600, -32601, -32602, -32603, -32000, -32002, -32003, -32004, -32005, -32006,
        -32007, -32008, -32009, -32010, -32011, -32012, -32013, -32014, -32015, -32018,
    ]

    private func error(_ error: JSON, to request: Request?) -> [String] {
        var faults: [String] = []
        if error.names != ["code", "message", "data"] { faults.append("error: \(error.names)") }
        if !Self.codes.contains(error["code"]?.integer ?? 0) { faults.append("error: the code") }
        if error["message"]?.string?.isEmpty ?? true { faults.append("error: no message") }
        let data = error["data"]
        if data?["reason"]?.string?.wholeMatch(of: /[a-z][a-z0-9]*(_[a-z0-9]+)*/) == nil {
            faults.append("error: the reason is not in snake case")
        }
        if case .boolean = data?["retryable"] {} else { faults.append("error: no retryable") }
        if let field = data?["field"]?.string, !field.isEmpty, !field.hasPrefix("/") {
            faults.append("error: field is no JSON pointer")
        }
        if error["code"] == -32602, request?.params?.members != nil, data?["field"] == nil {
            faults.append("R4: no field")
        }
        if error["code"] == -32700, data?["position"]?.names != ["line", "column", "byte"] {
            faults.append("error: no position")
        }
        if Self.quotesMarker("\(error)") { faults.append("the input is quoted") }
        // R8 carries the id of the request in question, which may be any int64.
        let members = data?.members?.filter { $0.name != "request" } ?? []
        return faults + envelope(.object(members))
    }

    static func quotesMarker(_ text: String) -> Bool {
        text.contains(markerDigits)
    }
}
