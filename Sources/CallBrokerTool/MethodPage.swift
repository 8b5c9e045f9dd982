internal import BrokerJSON

/// One method's entry of the OpenRPC document, as a page for people.
struct MethodPage: CustomStringConvertible {
    let description: String

    init(_ entry: JSONValue) {
        let isNotification = entry["x-notification"]?.boolean == true
        let direction = entry["x-direction"]?.string ?? ""
        var lines = [
            "\(entry["name"]?.string ?? "")  (\(isNotification ? "notification" : "request"), \(direction))",
            "  \(entry["summary"]?.string ?? "")", "",
            "  \(entry["description"]?.string ?? "")",
        ]
        let params = entry["params"].map { Array($0.elements) } ?? []
        lines += Self.section("params", Self.table(params.flatMap { Self.rows(ofParam: $0) }))
        let result = entry["result"]?["schema"]
        lines += Self.section("result", Self.table(result.map { Self.rows(inside: $0, "") } ?? []))
        lines += Self.section(
            "examples", entry["examples"].map { $0.elements.map(Self.example) } ?? [])
        description = lines.joined(separator: "\n")
    }

    private static func section(_ title: String, _ rows: [String]) -> [String] {
        rows.isEmpty ? [] : ["", "  \(title):"] + rows.map { "    " + $0 }
    }

    // MARK: - Members

    /// A member, with those of its own below it: `remote?`, `remote.type`.
    private struct Row {
        let name: String
        let type: String
        let summary: String
    }

    private static func table(_ rows: [Row]) -> [String] {
        let width = rows.map(\.name.count).max() ?? 0
        let typeWidth = min(24, rows.map(\.type.count).max() ?? 0)
        return rows.map { row in
            "\(padded(row.name, width))  \(padded(row.type, typeWidth))  \(row.summary)"
        }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
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
            name: name + (isRequired ? "" : "?"), type: type(of: schema), summary: summary)
        return [row] + (schema.map { rows(inside: $0, name) } ?? [])
    }

    /// The members of an object, or of the objects in a list.
    private static func rows(inside schema: JSONValue, _ name: String) -> [Row] {
        var rows: [Row] = []
        let required = schema["required"].map { $0.elements.compactMap(\.string) } ?? []
        schema["properties"]?.forEachMember { key, member in
            let key = String(decoding: key, as: UTF8.self)
            rows += Self.rows(
                of: member, name.isEmpty ? key : "\(name).\(key)",
                isRequired: required.contains(key), member["description"]?.string ?? "")
        }
        if let items = schema["items"] { rows += Self.rows(inside: items, name + "[]") }
        for choice in schema["oneOf"].map({ Array($0.elements) }) ?? [] {
            rows += Self.rows(inside: choice, name)
        }
        return rows
    }

    private static func type(of schema: JSONValue?) -> String {
        guard let schema else { return "any" }
        if let choices = schema["oneOf"] {
            return choices.elements.map { type(of: $0) }.joined(separator: " or ")
        }
        if let words = schema["enum"] {
            return words.elements.compactMap(\.string).joined(separator: " | ")
        }
        if let items = schema["items"] { return "list of \(type(of: items))" }
        return schema["type"]?.string ?? "any"
    }

    private static func example(_ example: JSONValue) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            for param in example["params"].map({ Array($0.elements) }) ?? [] {
                writer.name(param["name"]?.string ?? "")
                if let value = param["value"] { writer.value(value) }
            }
        }
        return "\(example["name"]?.string ?? ""): \(writer.text)"
    }
}
