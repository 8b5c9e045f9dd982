internal import BrokerJSON
internal import CallProtocol

/// A method's entry of the OpenRPC document as text.
struct MethodPage: CustomStringConvertible {
    let description: String

    init(_ entry: JSONValue) {
        var lines = [
            "\(entry["name"]?.string ?? "")  (\(Self.form(of: entry)))",
            "  \(entry["summary"]?.string ?? "")", "",
            "  \(entry["description"]?.string ?? "")",
        ]
        let params = Self.list(entry["params"])
        lines += Self.section("params", Self.table(params.flatMap { Self.rows(ofParam: $0) }))
        let result = entry["result"]?["schema"]
        lines += Self.section("result", Self.table(result.map { Self.rows(inside: $0, "") } ?? []))
        lines += Self.section("errors", Self.list(entry["errors"]).map(Self.error))
        lines += Self.section("examples", Self.list(entry["examples"]).flatMap(Self.example))
        description = lines.map(\.printable).joined(separator: "\n")
    }

    private static func list(_ value: JSONValue?) -> [JSONValue] {
        value.map { Array($0.elements) } ?? []
    }

    /// Returns whether the method has a reply, its direction, and its roles.
    private static func form(of entry: JSONValue) -> String {
        let isNotification = entry["x-notification"]?.boolean == true
        let way =
            switch entry["x-direction"]?.string {
            case "to_broker": "to the broker"
            case "to_client": "to clients"
            default: "both ways"
            }
        let roles = list(entry["x-roles"]).compactMap(\.string)
        let who = roles.isEmpty ? "any role" : "for " + roles.joined(separator: ", ")
        return "\(isNotification ? "notification" : "request") \(way), \(who)"
    }

    private static func section(_ title: String, _ rows: [String]) -> [String] {
        rows.isEmpty ? [] : ["", "  \(title):"] + rows.map { "    " + $0 }
    }

    private static func error(_ error: JSONValue) -> String {
        "\(error["code"]?.integer ?? 0)  \(error["message"]?.string ?? "")"
    }

    private static func example(_ example: JSONValue) -> [String] {
        var writer = JSONWriter()
        writer.object { writer in
            for param in list(example["params"]) {
                writer.name(param["name"]?.string ?? "")
                if let value = param["value"] { writer.value(value) }
            }
        }
        let lines = [example["name"]?.string ?? "", "  params  " + writer.text]
        guard let result = example["result"]?["value"] else { return lines }
        return lines + ["  result  " + ClientOptions.oneLine(result)]
    }

    // MARK: - Members

    /// A member, followed by its own members: `remote?`, `remote.type`.
    private struct Row {
        let name: String
        let type: MemberType
        let summary: String
    }

    private static func table(_ rows: [Row]) -> [String] {
        let width = Padding.width(of: rows.map(\.name))
        let typeWidth = Padding.width(of: rows.map(\.type.name))
        return rows.map { row in
            let words = row.type.words.map { " (\($0))" } ?? ""
            return "\(row.name.padded(to: width))  \(row.type.name.padded(to: typeWidth))  "
                + row.summary + words
        }
    }

    private static func rows(ofParam param: JSONValue) -> [Row] {
        rows(
            of: param["schema"], param["name"]?.string ?? "",
            isRequired: param["required"]?.boolean == true, param["summary"]?.string ?? "")
    }

    private static func rows(
        of schema: JSONValue?, _ name: String, isRequired: Bool, _ summary: String
    ) -> [Row] {
        let row = Row(
            name: name + (isRequired ? "" : "?"), type: MemberType(schema), summary: summary)
        return [row] + (schema.map { rows(inside: $0, name) } ?? [])
    }

    /// The members of an object, or of the objects in a list.
    private static func rows(inside schema: JSONValue, _ name: String) -> [Row] {
        var rows: [Row] = []
        let required = list(schema["required"]).compactMap(\.string)
        schema["properties"]?.forEachMember { key, member in
            let key = String(decoding: key, as: UTF8.self)
            rows += Self.rows(
                of: member, name.isEmpty ? key : "\(name).\(key)",
                isRequired: required.contains(key), member["description"]?.string ?? "")
        }
        if let part = schema["additionalProperties"], part["type"] != nil || part["oneOf"] != nil {
            rows += Self.rows(of: part, name + ".NAME", isRequired: false, "one of them")
        }
        if let items = schema["items"] { rows += Self.rows(inside: items, name + "[]") }
        for choice in list(schema["oneOf"]) { rows += Self.rows(inside: choice, name) }
        return rows
    }
}

/// The type of a member.
private struct MemberType {
    let name: String
    /// The allowed words; of an open choice, those known today.
    let words: String?

    init(_ schema: JSONValue?) {
        name = Self.name(of: schema)
        words = schema.flatMap(Self.words)
    }

    private static func name(of schema: JSONValue?) -> String {
        guard let schema else { return "any" }
        if let choices = schema["oneOf"] {
            return choices.elements.map { name(of: $0) }.joined(separator: " or ")
        }
        if let items = schema["items"] { return "list of \(name(of: items))" }
        if schema["enum"] != nil || schema["x-open-enum"] != nil { return "word" }
        if schema["pattern"]?.string?.contains("{8}") == true { return "UUID" }
        guard schema["type"]?.string == "integer" else { return schema["type"]?.string ?? "any" }
        return integer(schema["minimum"]?.integer, schema["maximum"]?.integer)
    }

    /// Returns the bounds where they are of interest, unlike those of a count.
    private static func integer(_ least: Int64?, _ most: Int64?) -> String {
        guard let least, let most, most <= 1_000_000_000 else { return "integer" }
        return "integer \(least) to \(most)"
    }

    private static func words(_ schema: JSONValue) -> String? {
        if let words = schema["enum"] { return joined(words) }
        if schema["x-open-enum"] != nil {
            return (schema["examples"].map { joined($0) + "; " } ?? "") + "more are possible"
        }
        if let items = schema["items"] { return words(items) }
        return schema["oneOf"].flatMap { $0.elements.compactMap { words($0) }.first }
    }

    private static func joined(_ words: JSONValue) -> String {
        words.elements.compactMap(\.string).joined(separator: " | ")
    }
}
