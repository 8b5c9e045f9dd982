import Glibc

/// The subset of JSON Schema, draft 7, that section 15 of the protocol allows.
struct Schema {
    let json: JSON

    /// Every keyword this validator knows; anything else must begin with `x-`.
    static let keywords: Set<String> = [
        "type", "properties", "required", "enum", "items", "minimum", "maximum", "minItems",
        "maxItems", "minLength", "maxLength", "pattern", "oneOf", "description", "examples",
        "minProperties", "maxProperties", "propertyNames", "additionalProperties",
    ]

    /// What is wrong with `value`, each fault with a pointer to its place; empty if nothing is.
    func faults(in value: JSON, at place: String = "") -> [String] {
        var faults: [String] = []
        for member in json.members ?? [] {
            faults += check(member.name, member.value, value, place)
        }
        return faults
    }

    private func check(
        _ keyword: String, _ rule: JSON, _ value: JSON, _ place: String
    ) -> [String] {
        let holds: Bool
        switch (keyword, value) {
        case ("type", _): holds = Self.has(value, type: rule.string ?? "")
        case ("enum", _): holds = rule.elements?.contains(value) ?? false
        case ("oneOf", _):
            let choices = (rule.elements ?? []).map { Schema(json: $0) }
            holds = choices.filter { $0.faults(in: value).isEmpty }.count == 1
        case ("properties", .object(let members)):
            return members.flatMap { member in
                rule[member.name].map {
                    Schema(json: $0).faults(in: member.value, at: "\(place)/\(member.name)")
                } ?? []
            }
        case ("additionalProperties", .object(let members)):
            // Only dictionaries have it, and those have no properties of their own.
            return members.flatMap { member in
                Schema(json: rule).faults(in: member.value, at: "\(place)/\(member.name)")
            }
        case ("propertyNames", .object(let members)):
            return members.flatMap { member in
                Schema(json: rule).faults(in: .string(member.name), at: "\(place): the name")
            }
        case ("minProperties", .object(let members)): holds = members.count >= rule.integer ?? 0
        case ("maxProperties", .object(let members)):
            holds = members.count <= rule.integer ?? .max
        case ("required", .object):
            holds = (rule.elements ?? []).allSatisfy { value[$0.string ?? ""] != nil }
        case ("items", .array(let elements)):
            return elements.enumerated().flatMap { index, element in
                Schema(json: rule).faults(in: element, at: "\(place)/\(index)")
            }
        case ("minItems", .array(let elements)): holds = elements.count >= rule.integer ?? 0
        case ("maxItems", .array(let elements)): holds = elements.count <= rule.integer ?? .max
        case ("minimum", .integer(let number)): holds = number >= rule.integer ?? .min
        case ("maximum", .integer(let number)): holds = number <= rule.integer ?? .max
        case ("minLength", .string(let text)):
            holds = text.unicodeScalars.count >= rule.integer ?? 0
        case ("maxLength", .string(let text)):
            holds = text.unicodeScalars.count <= rule.integer ?? .max
        case ("pattern", .string(let text)):
            let pattern = try? Regex(rule.string ?? "")
            holds = pattern.map { text.contains($0) } ?? false
        default: return []
        }
        return holds ? [] : ["\(place): \(keyword) \(rule)"]
    }

    private static func has(_ value: JSON, type: String) -> Bool {
        switch (type, value) {
        case ("object", .object), ("array", .array), ("string", .string), ("null", .null),
            ("integer", .integer), ("number", .integer), ("number", .real), ("boolean", .boolean):
            true
        default: false
        }
    }

    /// The keywords in this schema, and in those inside it, that section 15 does not know.
    var unknownKeywords: Set<String> {
        var unknown: Set<String> = []
        for member in json.members ?? [] {
            switch member.name {
            case "properties":
                for property in member.value.members ?? [] {
                    unknown.formUnion(Schema(json: property.value).unknownKeywords)
                }
            case "items", "additionalProperties", "propertyNames":
                unknown.formUnion(Schema(json: member.value).unknownKeywords)
            case "oneOf":
                for choice in member.value.elements ?? [] {
                    unknown.formUnion(Schema(json: choice).unknownKeywords)
                }
            case let name where name.hasPrefix("x-") || Self.keywords.contains(name): break
            default: unknown.insert(member.name)
            }
        }
        return unknown
    }
}

/// The OpenRPC document a daemon serves, asked for once in a run of the suite.
struct Contract: Sendable {
    static let shared = Result { try Contract() }
    let document: JSON
    let methods: [String: JSON]

    init() throws {
        let folder = try TemporaryFolder()
        let socketPath = folder.file("broker.sock")
        let daemon = try ChildProcess(
            [executablePath, "serve", "--test-mode", "--socket", socketPath])
        guard try daemon.errors.wait(for: { $0.contains("listening on") }) else {
            throw SystemError("no daemon: \(daemon.errors.text)", code: ECHILD)
        }
        let client = try LineSocket(socketPath)
        try client.send(Array(#"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#.utf8 + [0x0A]))
        document = try JSON(client.line() ?? "")["result"] ?? .null
        methods = Dictionary(
            (document["methods"]?.elements ?? []).map { ($0["name"]?.string ?? "", $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// What is wrong with a call of `method` with `params`, `x_` members aside. An event is described
    /// by the entry of its topic.
    func faults(inParams params: JSON?, of method: String) -> [String] {
        if method == "event" {
            let topic = params?["topic"]?.string ?? ""
            let isTopic = methods[topic]?["x-topic"] != nil
            return isTopic ? faults(inParams: params, of: topic) : ["\(topic) is no topic"]
        }
        guard let entry = methods[method] else { return [] }
        guard let params, params != .array([]) else {
            return faults(inParams: .object([]), of: method)
        }
        guard let members = params.members else { return ["params: an object"] }
        let described = entry["params"]?.elements ?? []
        var faults: [String] = []
        for member in members where !member.name.hasPrefix("x_") {
            guard let entry = described.first(where: { $0["name"]?.string == member.name }) else {
                faults.append("/\(member.name): no such member of \(method)")
                continue
            }
            let schema = Schema(json: entry["schema"] ?? .null)
            faults += schema.faults(in: member.value, at: "/\(member.name)")
        }
        for entry in described where entry["required"] == .boolean(true) {
            let name = entry["name"]?.string ?? ""
            if params[name] == nil { faults.append("/\(name): required by \(method)") }
        }
        return faults
    }

    func faults(inResult result: JSON, of method: String) -> [String] {
        guard let entry = methods[method] else {
            return method == "rpc.discover" ? [] : ["a result of \(method), which is not described"]
        }
        return Schema(json: entry["result"]?["schema"] ?? .null).faults(in: result)
    }
}
