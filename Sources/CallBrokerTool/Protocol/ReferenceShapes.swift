internal import CallProtocol
internal import CallTesting

/// Objects that the reference uses in several places: each has a name and a table of its own.
struct ReferenceShapes {
    private struct Shape {
        let name: String
        let properties: [JSONTree.Member]
        let schema: JSONTree
    }

    private var shapes: [Shape] = []

    /// - Parameter methods: the entries of the OpenRPC document.
    init(_ methods: [JSONTree]) {
        func find(_ name: String, _ path: String...) -> JSONTree? {
            let method = methods.first { $0["name"]?.string == name }
            var place = method?[path[0] == "result" ? "result" : "params"]
            if path[0] == "result" {
                place = place?["schema"]
            } else {
                place = place?.elements.first { $0["name"]?.string == path[0] }?["schema"]
            }
            for name in path.dropFirst() {
                place = name == "[]" ? place?["items"] : place?["properties"]?[name]
            }
            return place
        }
        let named: [(String, JSONTree?)] = [
            ("Handle", find("call.get", "result", "remote")),
            ("Cause", find("provider.perform", "cause")),
            ("Deadlines", find("provider.register", "action_deadlines")),
            ("Limits", find("provider.register", "result", "limits")),
            ("PlannedAction", find("call.answer", "result", "actions", "[]")),
            ("Transaction", find("call.answer", "result")),
            ("LiveCall", find("provider.register", "calls", "[]")),
            ("Call", find("call.list", "result", "calls", "[]")),
            ("Provider", find("provider.list", "result", "providers", "[]")),
            ("Policy", find("policy.get", "result", "policy")),
        ]
        for (name, schema) in named {
            guard let schema, let properties = schema["properties"]?.members else { continue }
            shapes.append(Shape(name: name, properties: properties, schema: schema))
        }
    }

    var links: String {
        shapes.map { Self.link($0.name) }.joined(separator: ", ")
    }

    var sections: [String] {
        shapes.flatMap { shape in
            ["### \(shape.name)", ""]
                + Self.table("member", rows(inside: shape.schema, "", of: shape.name)) + [""]
        }
    }

    private static func link(_ name: String) -> String {
        "[\(name)](#\(name.lowercased()))"
    }

    /// An object's schema.
    static func object(_ members: [(String, JSONTree, isRequired: Bool)]) -> JSONTree {
        .object([
            .init(
                name: "properties",
                value: .object(members.map { .init(name: $0.0, value: $0.1) })),
            .init(
                name: "required",
                value: .array(members.filter(\.isRequired).map { .string($0.0) })),
        ])
    }

    // MARK: - Tables

    /// - Parameter isOpen: whether the whole shape may be a named one.
    func table(of schema: JSONTree, _ title: String, isOpen: Bool) -> [String] {
        let rows = rows(inside: schema, "")
        guard !rows.isEmpty else {
            return schema["properties"] == nil && isOpen
                ? ["The \(title) is a document.", ""] : ["No \(title)s.", ""]
        }
        return Self.table(title, rows) + [""]
    }

    private static func table(
        _ title: String, _ rows: [(name: String, type: String, words: String)]
    ) -> [String] {
        ["| \(title) | type | |", "|---|---|---|"]
            + rows.map { "| \($0.name) | \($0.type) | \($0.words) |" }
    }

    private typealias Row = (name: String, type: String, words: String)

    private func rows(inside schema: JSONTree, _ path: String, of own: String = "") -> [Row] {
        var properties = schema["properties"]?.members ?? []
        let required = (schema["required"]?.elements ?? []).compactMap(\.string)
        var rows: [Row] = []
        let whole = shapes.filter { shape in
            shape.name != own && shape.properties.count > 2
                && shape.properties.allSatisfy(properties.contains)
        }
        if let base = whole.max(by: { $0.properties.count < $1.properties.count }) {
            properties.removeAll(where: base.properties.contains)
            rows.append(
                (path.isEmpty ? "…" : "`\(path).…`", Self.link(base.name), "all its members"))
        }
        for member in properties {
            let name = path.isEmpty ? member.name : "\(path).\(member.name)"
            let mark = required.contains(member.name) ? "" : "?"
            let words = Self.escaped(member.value["description"]?.string ?? "")
            let choices = Self.words(member.value).map { words.isEmpty ? $0 : "; \($0)" } ?? ""
            rows.append(("`\(name)\(mark)`", type(of: member.value, member.name), words + choices))
            rows += inner(member.value, name)
        }
        return rows
    }

    /// Returns the rows of an unnamed object, or of the objects in a list.
    private func inner(_ schema: JSONTree, _ path: String) -> [Row] {
        if named(schema) != nil { return [] }
        var rows = schema["properties"] == nil ? [] : self.rows(inside: schema, path)
        if let items = schema["items"] { rows += inner(items, path + "[]") }
        if let part = schema["additionalProperties"], part["properties"] != nil {
            rows += inner(part, path + ".NAME")
        }
        for choice in schema["oneOf"]?.elements ?? [] { rows += inner(choice, path) }
        return rows
    }

    // MARK: - Types

    private func named(_ schema: JSONTree) -> Shape? {
        guard let properties = schema["properties"]?.members else { return nil }
        return shapes.first { $0.properties == properties }
    }

    private func type(of schema: JSONTree, _ name: String) -> String {
        if let shape = named(schema) { return Self.link(shape.name) }
        if let choices = schema["oneOf"]?.elements {
            return choices.map { type(of: $0, name) }.joined(separator: " or ")
        }
        switch schema["type"]?.string {
        case "array":
            let items = schema["items"].map { type(of: $0, name) } ?? "anything"
            let most = schema["maxItems"]?.integer.map { ", at most \(Self.grouped($0))" } ?? ""
            return "list of \(items)\(most)"
        case "integer": return Self.integer(schema, name)
        case "string": return Self.string(schema)
        case "object" where schema["additionalProperties"] != nil: return "object by name"
        case let type: return type ?? "anything"
        }
    }

    private static func string(_ schema: JSONTree) -> String {
        if schema["enum"] != nil || schema["x-open-enum"] != nil { return "word" }
        if schema["pattern"]?.string?.contains("{8}") == true { return "UUID" }
        let most = schema["maxLength"]?.integer.map { ", at most \(grouped($0)) bytes" } ?? ""
        if schema["pattern"]?.string == Pattern.identity.expression {
            return "reverse-domain name\(most)"
        }
        if let pattern = schema["pattern"]?.string {
            return "string `\(escaped(pattern))`\(most)"
        }
        return "string\(most)"
    }

    private static func integer(_ schema: JSONTree, _ name: String) -> String {
        let unit =
            name.hasSuffix("_at_ms")
            ? ", ms since 1970"
            : name.hasSuffix("_ms") ? ", ms" : name.hasSuffix("_bytes") ? ", bytes" : ""
        guard let least = schema["minimum"]?.integer, let most = schema["maximum"]?.integer,
            most <= 1_000_000_000
        else { return "integer\(unit)" }
        return "integer \(grouped(least)) to \(grouped(most))\(unit)"
    }

    static func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + text
    }

    /// Returns the allowed words.
    private static func words(_ schema: JSONTree) -> String? {
        if let words = schema["enum"]?.elements { return joined(words) }
        if schema["x-open-enum"] != nil {
            return joined(schema["examples"]?.elements ?? []) + "; may be another"
        }
        if let items = schema["items"] { return words(items) }
        return schema["oneOf"]?.elements.compactMap { words($0) }.first
    }

    private static func joined(_ words: [JSONTree]) -> String {
        words.compactMap(\.string).map { "`\($0)`" }.joined(separator: ", ")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("|", with: "\\|")
    }
}
