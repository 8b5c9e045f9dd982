internal import BrokerJSON
internal import BrokerRPC
internal import CallProtocol

/// Checks recorded frames, one per line, against the protocol.
///
/// A line may begin with its sender: `> ` a client, `< ` the broker, as in recorded transcripts.
/// Without a mark the method determines the sender. Rules are named as in the protocol's description.
struct FrameLint {
    struct Fault: Equatable {
        let line: Int
        let rule: String
        let message: String
    }

    enum Side {
        case client, broker

        var other: Side { self == .client ? .broker : .client }
    }

    private static let table = MethodTable.withTestMethods
    private let limits = FrameLimits()

    private(set) var faults: [Fault] = []
    private(set) var frames = 0
    private var number = 0
    private var hasSentHello = false
    private var hasReportedMissingHello = false
    private var lastBrokerID: Int64 = 0
    /// Requests without a reply, by sender.
    private var open: [Side: [RequestID: Method?]] = [:]

    init(_ text: [UInt8]) {
        for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            check(line)
        }
    }

    mutating func report(_ rule: String, _ message: String) {
        faults.append(Fault(line: number, rule: rule, message: message))
    }

    // MARK: - Frames

    private mutating func check(_ line: ArraySlice<UInt8>) {
        var text = line
        let side: Side? =
            if line.starts(with: "> ".utf8) {
                .client
            } else if line.starts(with: "< ".utf8) {
                .broker
            } else { nil }
        if side != nil { text = text.dropFirst(2) }
        guard !text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { return }
        frames += 1
        do throws(JSONFault) {
            let limits = side == .broker ? JSONLimits(depth: 64, values: 1_000_000) : .frame
            let document = try JSONDocument(parsing: Array(text), limits: limits)
            checkLength(text.count + 1, document.root, side)
            checkTop(document.root, side)
        } catch {
            let isLimit = error.reason == .depth || error.reason == .values
            report(isLimit ? "F5" : "F1", "column \(error.position.column): \(error.message)")
        }
    }

    private mutating func checkLength(_ bytes: Int, _ root: JSONValue, _ side: Side?) {
        let isDocument = root["result"]?["openrpc"] != nil
        let most = side == .broker ? limits.frameOutBytes : limits.frameBytes
        if bytes > most, !isDocument {
            report("F4", "the frame has \(bytes) bytes, more than \(most)")
        }
    }

    private mutating func checkTop(_ root: JSONValue, _ side: Side?) {
        guard root.kind == .array else { return checkMessage(root, side, isInBatch: false) }
        if root.count == 0 { report("R9", "the batch is empty") }
        if root.count > limits.batch {
            report("R9", "the batch has \(root.count) entries, more than \(limits.batch)")
        }
        for entry in root.elements { checkMessage(entry, side, isInBatch: true) }
    }

    // MARK: - Messages

    private mutating func checkMessage(_ value: JSONValue, _ side: Side?, isInBatch: Bool) {
        switch Message(value, limits: limits) {
        case .request(let id, let call):
            let method = find(call)
            let sender = side ?? Self.sender(of: method)
            checkRequest(id, method, sender, isInBatch: isInBatch)
            checkCall(value, call, method, sender)
        case .notification(let call):
            let method = find(call)
            if let method, !method.isNotification {
                report("R5", "a request without an id gets no reply")
            }
            checkCall(value, call, method, side ?? Self.sender(of: method))
        case .response: checkResponse(value, side)
        case .invalid(let error, _): report(Self.rule(of: error), error.message)
        }
    }

    private func find(_ call: Message.Call) -> Method? {
        Self.table.find(call.method)
    }

    private static func sender(of method: Method?) -> Side {
        method?.direction == .toClient ? .broker : .client
    }

    private static func rule(of error: RPCError) -> String {
        switch error.reason {
        case .params, .positionalParams: "R3"
        case .methodBytes, .idBytes: "11"
        default: "R1"
        }
    }

    private mutating func checkRequest(
        _ id: RequestID, _ method: Method?, _ sender: Side, isInBatch: Bool
    ) {
        if open[sender]?[id] != nil {
            report("R8", "a request with this id has not been answered yet")
        }
        open[sender, default: [:]][id] = .some(method)
        if method?.isNotification == true {
            report("5", "this method is a notification, and has no id")
        }
        if isInBatch, method?.isAllowedInBatch == false {
            report("R9", "this method cannot be part of a batch")
        }
        guard sender == .broker else { return }
        lastBrokerID += 1
        if id != .integer(lastBrokerID) {
            report("R2", "the broker numbers its requests from 1: expected \(lastBrokerID)")
            if case .integer(let found) = id { lastBrokerID = found }
        }
    }

    private mutating func checkCall(
        _ value: JSONValue, _ call: Message.Call, _ method: Method?, _ sender: Side
    ) {
        guard let method else {
            return report("5", "unknown method")
        }
        let isForeign = sender == .client ? Method.Direction.toClient : .toBroker
        if method.direction == isForeign {
            report("5", "\(method.name.rawValue) is not sent in this direction")
        }
        if sender == .client { checkHello(method) }
        if method.name != .ping { checkMembers(of: value, sender) }
        switch call.params {
        case .none: checkParams(nil, of: method, sender)
        case .named(let params): checkParams(params, of: method, sender)
        case .positional: report("R3", "params are passed by name, in an object")
        case .malformed: report("R3", "params are an object, or left out")
        }
    }

    private mutating func checkHello(_ method: Method) {
        if method.name == .hello { hasSentHello = true }
        guard method.stage == .afterHello, !hasSentHello, !hasReportedMissingHello else { return }
        hasReportedMissingHello = true
        report("3", "\(method.name.rawValue) comes before broker.hello")
    }

    /// Checks params. Unknown members from the broker may be from a later release.
    private mutating func checkParams(_ params: JSONValue?, of method: Method, _ sender: Side) {
        let strangers: Schema.Strangers = sender == .broker ? .ignored : .refused
        do throws(SchemaFault) {
            if method.name == .event, let topic = params?["topic"]?.utf8,
                let row = TopicTable.find(topic), let params
            {
                try Schema.object(row.params).check(params, strangers: strangers)
            } else {
                try method.check(params, strangers: strangers)
            }
        } catch {
            report(error.isUnknownMember ? "R4" : "5", RPCError(error).message)
        }
    }

    // MARK: - Replies

    private mutating func checkResponse(_ value: JSONValue, _ side: Side?) {
        if value["jsonrpc"]?.string != "2.0" { report("R1", "expected jsonrpc to be \"2.0\"") }
        if value["result"] != nil, value["error"] != nil {
            report("R1", "a reply has a result or an error, not both")
        }
        if let error = value["error"] { checkError(error, side) }
        guard let id = value["id"].flatMap({ RequestID($0, bytesMax: limits.idBytes) }) else {
            return
        }
        let asker = side?.other ?? (open[.client]?[id] != nil ? .client : .broker)
        guard let method = open[asker]?.removeValue(forKey: id) else {
            if side != nil { report("R10", "a reply without a request") }
            return
        }
        if let result = value["result"] { checkResult(result, of: method, from: asker.other) }
    }

    private mutating func checkError(_ error: JSONValue, _ side: Side?) {
        guard let code = error["code"]?.integer, error["message"]?.string != nil else {
            return report("12", "an error has a code, which is an integer, and a message")
        }
        guard side == .broker else { return }
        if ErrorCode(rawValue: Int(code)) == nil { report("12", "the broker has no error \(code)") }
        if error["data"]?["reason"]?.string == nil { report("12", "the error has no reason") }
    }

    /// Checks a result. Unknown members may be from a later release.
    private mutating func checkResult(_ result: JSONValue, of method: Method?, from side: Side) {
        guard let method, case .request(let members, _) = method.form, method.name != .ping,
            method.name != .describe
        else { return }
        if side == .broker { checkMembers(of: result, side, isInside: true) }
        do throws(SchemaFault) {
            try Schema.object(members).check(result, strangers: .ignored)
        } catch {
            report("5", "\(method.name.rawValue): result\(error.pointer) \(error.message)")
        }
    }
}

// MARK: - Values

extension FrameLint {
    private static let reserved = ["jsonrpc", "id", "method", "params", "result", "error"]

    /// Reports fractions, and reserved names deeper in the broker's frames.
    private mutating func checkMembers(
        of value: JSONValue, _ side: Side, isInside: Bool = false
    ) {
        var members: [(name: String, value: JSONValue)] = []
        value.forEachMember { members.append((String(decoding: $0, as: UTF8.self), $1)) }
        // What a ping or a server has sent passes through as it is.
        for (name, member) in members where name != "payload" {
            if isInside, side == .broker, Self.reserved.contains(name) {
                report("F7", "the broker has \(name) only at the top of a frame")
            }
            checkMembers(of: member, side, isInside: true)
        }
        for element in value.elements { checkMembers(of: element, side, isInside: true) }
        if value.kind == .real { report("F8", "the protocol has no fractions") }
    }
}
