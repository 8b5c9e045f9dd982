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
        lines += Self.section("params", entry["params"].map { $0.elements.map(Self.param) } ?? [])
        lines += Self.section("result", Self.members(of: entry["result"]?["schema"]))
        lines += Self.section(
            "examples", entry["examples"].map { $0.elements.map(Self.example) } ?? [])
        description = lines.joined(separator: "\n")
    }

    private static func section(_ title: String, _ rows: [String]) -> [String] {
        rows.isEmpty ? [] : ["", "  \(title):"] + rows.map { "    " + $0 }
    }

    private static func param(_ param: JSONValue) -> String {
        let need = param["required"]?.boolean == true ? "" : "?"
        return row(
            (param["name"]?.string ?? "") + need, param["schema"], param["summary"]?.string ?? "")
    }

    private static func members(of schema: JSONValue?) -> [String] {
        var rows: [String] = []
        schema?["properties"]?.forEachMember { name, member in
            rows.append(
                row(
                    String(decoding: name, as: UTF8.self), member,
                    member["description"]?.string ?? ""))
        }
        return rows
    }

    private static func row(_ name: String, _ schema: JSONValue?, _ summary: String) -> String {
        let type =
            schema?["type"]?.string ?? (schema?["oneOf"] == nil ? "any" : "string or integer")
        return "\(padded(name, 20)) \(padded(type, 10)) \(summary)"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
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
