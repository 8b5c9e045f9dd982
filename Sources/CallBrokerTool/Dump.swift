internal import ArgumentParser
internal import BrokerJSON
internal import CallProtocol

/// `callbroker dump`: all that the broker knows, for a bug report.
struct Dump: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show everything the broker knows.",
        discussion: """
            Calls, apps, policy and counters, as one document. Whom the calls are with is not \
            told: equal addresses get equal pseudonyms, in this dump only.
            """)

    @Flag(help: "With the numbers, addresses and names of people.")
    var withHandles = false

    @OptionGroup var client: ClientOptions

    func run() throws {
        let session = try client.open([.observer, .admin])
        var writer = JSONWriter(Array("{".utf8))
        for (name, method) in [("info", MethodName.info), ("stats", .stats)] {
            writer.name(name)
            // The counters are the admin's.
            if let reply = session.tryToAsk(method) {
                writer.value(reply.result)
            } else {
                writer.null()
            }
        }
        let policy = try session.ask(.getPolicy)
        writer.name("policy")
        writer.value(policy.result["policy"] ?? policy.result)
        writer.name("providers")
        writer.value(json: try list(session, .listProviders, "providers") { $1.value($0) })
        var people = Pseudonyms()
        writer.name("calls")
        writer.value(
            json: try list(session, .listCalls, "calls") { call, writer in
                if withHandles { writer.value(call) } else { people.write(call, to: &writer) }
            })
        try client.output.show(writer.bytes + Array("}".utf8)) { FlatText($0).aligned }
    }

    private func list(
        _ session: Session, _ method: MethodName, _ name: String,
        _ write: (JSONValue, inout JSONWriter) -> Void
    ) throws -> [UInt8] {
        var writer = JSONWriter(Array("[".utf8))
        try session.forEachPage(method) { page in
            for element in page.result[named: name].map({ Array($0.elements) }) ?? [] {
                write(element, &writer)
            }
        }
        return writer.bytes + Array("]".utf8)
    }
}

/// Other words for people, numbered as they come: nobody can get back from them to a number.
struct Pseudonyms {
    private var known: [String: String] = [:]

    /// A call, without whom it is with.
    mutating func write(_ call: JSONValue, to writer: inout JSONWriter) {
        var copy = JSONWriter(Array("{".utf8))
        call.forEachMember { name, value in
            copy.value(utf8: name)
            copy.bytes.append(UInt8(ascii: ":"))
            switch String(decoding: name, as: UTF8.self) {
            case "remote": copy.value(json: handle(value))
            case "display_name": copy.value(pseudonym(value, "name"))
            case "caller": copy.null()
            default: copy.value(value)
            }
        }
        writer.value(json: copy.bytes + Array("}".utf8))
    }

    private mutating func handle(_ value: JSONValue) -> [UInt8] {
        let kind = value["type"]?.string ?? "generic"
        let person = pseudonym(value["value"], "address")
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("type", kind)
            writer.member("value", person)
        }
        return writer.bytes
    }

    private mutating func pseudonym(_ value: JSONValue?, _ kind: String) -> String {
        let key = "\(kind) \(value?.string ?? "")"
        if let word = known[key] { return word }
        let word = "\(kind)-\(known.count + 1)"
        known[key] = word
        return word
    }
}
