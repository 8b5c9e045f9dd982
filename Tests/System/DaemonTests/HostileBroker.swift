import Foundation
import Glibc
import Synchronization

/// What listens where a broker is expected, and means harm to the program that asks it.
final class HostileBroker {
    enum Manner: String, CaseIterable {
        /// Replies as they have to be, but for what is in each string and number.
        case strings
        /// The same, but words and ids are right: a client gets further with these.
        case texts
        /// Values of another type.
        case wrongTypes
        /// Nothing in the reply.
        case missing
        /// Errors.
        case errors
        /// A byte now and then, for ever.
        case trickle
        /// Bytes without an end of a line.
        case flood
        /// Whole lines that nobody asked for.
        case chatter
        /// Lines that are no JSON.
        case garbage
        /// The end.
        case close
    }

    let path: String
    private let folder: TemporaryFolder
    private let listener: Int32

    init(_ manner: Manner, _ contract: Contract) throws {
        folder = try TemporaryFolder()
        path = folder.file("hostile.sock")
        let listener = try UnixSocket.listening(on: path)
        self.listener = listener
        let subscribed = Latch()
        Thread.detachNewThread {
            while true {
                do {
                    let session = HostileSession(
                        socket: LineSocket(try acceptConnection(on: listener)), manner: manner,
                        contract: contract, subscribed: subscribed)
                    Thread.detachNewThread { try? session.serve() }
                } catch is CeilingReached {
                    continue
                } catch {
                    break
                }
            }
            Glibc.close(listener)
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }
}

/// Whether somebody has subscribed: who does so again is refused, or would go on for ever.
final class Latch: Sendable {
    private let isSet = Mutex(false)

    /// - Returns: whether it was set before.
    func set() -> Bool {
        isSet.withLock { value in
            defer { value = true }
            return value
        }
    }

    var value: Bool { isSet.withLock(\.self) }
}

/// One connection.
private struct HostileSession: @unchecked Sendable {
    let socket: LineSocket
    let manner: HostileBroker.Manner
    let contract: Contract
    let subscribed: Latch

    func serve() throws {
        while let line = try socket.line() {
            guard let request = try? JSON(line), let method = request["method"]?.string else {
                continue
            }
            switch manner {
            case .close: return
            case .trickle:
                // Nothing is to be read: the wait is what lies between two bytes.
                while !waitFor(POLLIN, on: socket.descriptor, until: .now + .milliseconds(1)) {
                    try socket.send([0x78])
                }
                return
            case .flood: while true { try socket.send([UInt8](repeating: 0x78, count: 65_536)) }
            case .chatter: while true { try socket.send(Array(Self.chatter.utf8)) }
            case .garbage: try socket.send(Array("\(HostileText.text)\n".utf8))
            default: try answer(method, request["id"] ?? .null)
            }
            if method == "events.subscribe" { return try tell() }
        }
    }

    private static let chatter = String(
        repeating: #"{"jsonrpc":"2.0","method":"event","params":{"topic":"x"}}"# + "\n",
        count: 1_000)

    private func answer(_ method: String, _ id: JSON) throws {
        let isEnd = subscribed.value && method == "broker.hello"
        if isEnd || manner == .errors && method != "broker.hello" {
            return try socket.send(
                line: #"{"jsonrpc":"2.0","id":\#(id),"error":\#(HostileText.error)}"#)
        }
        let schema = contract.methods[method]?["result"]?["schema"]
        var text = HostileText(manner)
        let result =
            method == "rpc.discover" || method == "broker.describe"
            ? text.copy(of: contract.methods["call.list"] ?? .null, inDocument: method)
            : text.value(of: schema ?? .null)
        try socket.send(line: #"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#)
    }

    /// An event of each topic, and the end.
    private func tell() throws {
        guard !subscribed.set() else { return }
        for (topic, entry) in contract.methods.sorted(by: { $0.key < $1.key })
        where entry["x-topic"] != nil {
            var text = HostileText(manner)
            var members = (entry["params"]?.elements ?? []).map { param in
                JSON.Member(
                    name: param["name"]?.string ?? "",
                    value: text.value(of: param["schema"] ?? .null))
            }
            if manner == .texts {
                members.removeAll { $0.name == "topic" }
                members.append(JSON.Member(name: "topic", value: .string(topic)))
            }
            try socket.send(event: "\(JSON.object(members))")
        }
    }
}

/// Values that somebody who means harm would send.
struct HostileText {
    /// Begins a line that looks like one of the tool's own.
    static let forged = "FORGED"
    /// Escape sequences old and new, a bell, another direction of writing, lines, what is not seen.
    static let text =
        "x\u{1B}[2J\u{1B}]0;y\u{7}\u{9B}31m\u{202E}\u{2066}\u{2028}\u{200B}\u{E0041}\u{8}\u{7F}"
        + "\n\(forged)\r\(forged)\r\n\(forged)\u{85}\(forged)"

    static var error: JSON {
        let list = JSON.array([.string(text), .object([]), .integer(.min)])
        let limit = JSON.object([
            JSON.Member(name: "name", value: .string(text)),
            JSON.Member(name: "value", value: .integer(.max)),
        ])
        let blocker = JSON.object([JSON.Member(name: "call", value: .string(text))])
        let data = JSON.object([
            JSON.Member(name: "reason", value: .string(text)),
            JSON.Member(name: "hint", value: .string(text)),
            JSON.Member(name: "field", value: .string(text)),
            JSON.Member(name: "limit", value: limit),
            JSON.Member(name: "candidates", value: list),
            JSON.Member(name: "blocking", value: .array([blocker, .null])),
            JSON.Member(name: "actions", value: list),
            JSON.Member(name: text, value: list),
        ])
        return .object([
            JSON.Member(name: "code", value: .integer(.min)),
            JSON.Member(name: "message", value: .string(text)),
            JSON.Member(name: "data", value: data),
        ])
    }

    private let manner: HostileBroker.Manner
    private var numbers = 0

    init(_ manner: HostileBroker.Manner) {
        self.manner = manner
    }

    /// What a schema wants, or not.
    mutating func value(of schema: JSON) -> JSON {
        if manner == .missing { return .object([]) }
        if let choices = schema["oneOf"]?.elements {
            return value(of: choices.first { $0["type"]?.string != "null" } ?? .null)
        }
        let isWrong = manner == .wrongTypes
        switch schema["type"]?.string {
        case "object": return isWrong ? .array([object(schema)]) : object(schema)
        case "array":
            let item = schema["items"] ?? .null
            let elements = [value(of: item), value(of: item)]
            return isWrong
                ? .object([JSON.Member(name: Self.text, value: .array(elements))])
                : .array(manner == .texts ? [elements[0]] : elements)
        case "string": return isWrong ? number() : string(schema)
        case "boolean": return isWrong ? .null : .boolean(true)
        case nil: return .string(Self.text)
        default: return isWrong ? .string(Self.text) : number()
        }
    }

    private mutating func object(_ schema: JSON) -> JSON {
        var members: [JSON.Member] = []
        for property in schema["properties"]?.members ?? [] {
            // There are no more pages: the next would have a next.
            if property.name == "next" { continue }
            members.append(
                JSON.Member(
                    name: property.name,
                    // Calls of a list are not a list in the way of another.
                    value: value(of: property.value)))
        }
        let others = schema["additionalProperties"] ?? .boolean(true)
        if others.members != nil || members.isEmpty {
            members.append(JSON.Member(name: Self.text, value: value(of: others)))
        }
        return .object(members)
    }

    private func string(_ schema: JSON) -> JSON {
        guard manner == .texts else { return .string(Self.text) }
        if let word = schema["enum"]?[0] ?? schema["examples"]?[0] { return word }
        let isID = schema["pattern"]?.string?.contains("{8}") == true
        return .string(isID ? ToolWorld.ada : Self.text)
    }

    private mutating func number() -> JSON {
        numbers += 1
        return .integer(numbers.isMultiple(of: 2) ? .min : .max)
    }

    /// A document that is laid out as one, with other strings in it.
    mutating func copy(of entry: JSON, inDocument method: String) -> JSON {
        let copy = changed(entry)
        guard method == "rpc.discover" else { return copy }
        return .object([JSON.Member(name: "methods", value: .array([copy]))])
    }

    private mutating func changed(_ value: JSON) -> JSON {
        switch value {
        case .object(let members):
            let changed = members.map { JSON.Member(name: $0.name, value: self.changed($0.value)) }
            return manner == .missing
                ? .object([])
                : .object(
                    changed + [JSON.Member(name: Self.text, value: changed.first?.value ?? .null)])
        case .array(let elements): return .array(elements.map { changed($0) })
        case .string(let word):
            if manner == .wrongTypes { return number() }
            return .string(manner == .texts ? word + Self.text : Self.text)
        case .integer: return number()
        default: return value
        }
    }
}
