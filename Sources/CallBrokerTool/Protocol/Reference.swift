internal import ArgumentParser
internal import BrokerJSON
internal import CallProtocol
internal import CallTesting

/// `callbroker reference`: the page that `make reference` writes. For those who work on the broker.
struct Reference: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write the reference of methods and events, as Markdown.", shouldDisplay: false)

    func run() throws {
        var writer = JSONWriter()
        writer.object { OpenRPC(MethodTable.withTestMethods).write(to: &$0) }
        StandardOutput.write(ReferencePage(try JSONTree(writer.text)).text)
    }
}

/// The OpenRPC document as a page for people.
struct ReferencePage {
    private let methods: [JSONTree]
    private let shapes: ReferenceShapes

    init(_ document: JSONTree) {
        methods = document["methods"]?.elements ?? []
        shapes = ReferenceShapes(methods)
    }

    private static let head = """
        # Methods and events

        Everything that goes over the wire, written from the broker's own table by `make reference`; do not
        edit it. How to use it: [a day in the life of a provider](README.md). The same for programs is what
        `callbroker request rpc.discover` answers, and for one method `callbroker describe NAME`.

        Members with a `?` may be left out. Times are integers: `…_ms` are milliseconds, `…_at_ms` those since
        1970. A string's bounds are bytes of UTF-8. Unknown members of a request are refused, unless their
        name begins with `x_`; unknown ones of a result or an event are to be ignored. A word that *may be
        another* can get company within version 1. An event comes as a notification `event` to whoever
        subscribed to its topic; what its `data` holds stands at its topic.

        Each request may also fail with the errors that any may: -32700 `parse_error`, -32600
        `invalid_request`, -32601 `method_not_found`, -32602 `invalid_params`, -32002 `hello_required`, -32003
        `permission_denied`, -32011 `frame_limit`, -32012 `overloaded`, -32018 `stopping`, -32603 `internal`.

        """

    var text: String {
        let events = methods.filter { $0["x-topic"] != nil }
        let others = methods.filter { $0["x-topic"] == nil }
        let calls = others.filter { $0["x-direction"]?.string != "to_client" }
        let told = others.filter { $0["x-direction"]?.string == "to_client" }
        var lines = [Self.head]
        lines += contents("What clients send", calls) + contents("What clients get", told)
        lines += contents("Events", events)
        lines += ["- [Shapes](#shapes): \(shapes.links)"]
        lines += ["- [Error reasons](#error-reasons), [Goodbye reasons](#goodbye-reasons)", ""]
        lines += section("What clients send", calls) + section("What clients get", told)
        lines += section("Events", events) + ["## Shapes", ""] + shapes.sections
        lines += ReasonTables.errors + ReasonTables.goodbyes
        return lines.joined(separator: "\n")
    }

    private func contents(_ title: String, _ methods: [JSONTree]) -> [String] {
        let anchor = title.lowercased().replacing(" ", with: "-")
        let links = methods.map { Self.link($0["name"]?.string ?? "") }
        return ["- [\(title)](#\(anchor)): \(links.joined(separator: ", "))"]
    }

    /// As web sites that show Markdown name the places of headings.
    private static func link(_ name: String) -> String {
        "[\(name)](#\(name.lowercased().replacing(".", with: "")))"
    }

    private func section(_ title: String, _ methods: [JSONTree]) -> [String] {
        ["## \(title)", ""] + methods.flatMap(entry)
    }

    // MARK: - One method

    private func entry(_ method: JSONTree) -> [String] {
        let isEvent = method["x-topic"] != nil
        let isAnswered = method["x-notification"]?.boolean == false
        var lines = [
            "### \(method["name"]?.string ?? "")", "",
            "\(method["summary"]?.string ?? ""). \(method["description"]?.string ?? "")", "",
            "*\(Self.form(of: method, isEvent: isEvent))*", "",
        ]
        if isEvent {
            let data = method["params"]?.elements.first { $0["name"]?.string == "data" }
            lines += shapes.table(of: data?["schema"] ?? .object([]), "data", isOpen: true)
        } else {
            lines += shapes.table(of: Self.params(of: method), "param", isOpen: false)
        }
        if isAnswered {
            let result = method["result"]?["schema"] ?? .object([])
            lines += shapes.table(of: result, "result", isOpen: true)
            let errors = (method["errors"]?.elements ?? []).map {
                "\($0["code"]?.integer ?? 0) `\($0["message"]?.string ?? "")`"
            }
            lines += ["Errors: \(errors.joined(separator: ", ")).", ""]
        }
        return lines + example(method)
    }

    private static func form(of method: JSONTree, isEvent: Bool) -> String {
        if isEvent { return "Event, since \(method["x-since"]?.string ?? "")." }
        let isAnswered = method["x-notification"]?.boolean == false
        let way =
            switch method["x-direction"]?.string {
            case "to_broker": "to the broker"
            case "to_client": "to a client"
            default: "both ways"
            }
        let roles = (method["x-roles"]?.elements ?? []).compactMap(\.string)
        let who = roles.isEmpty ? "any role" : roles.joined(separator: ", ")
        let time =
            method["x-deadline-ms"]?.integer.map {
                ", answered within \(ReferenceShapes.grouped($0)) ms"
            } ?? ""
        let kind = isAnswered ? "Request" : "Notification"
        return "\(kind) \(way); \(who)\(time); since \(method["x-since"]?.string ?? "")."
    }

    /// The params as an object's schema.
    private static func params(of method: JSONTree) -> JSONTree {
        ReferenceShapes.object(
            (method["params"]?.elements ?? []).map { param in
                let summary = JSONTree.Member(
                    name: "description", value: param["summary"] ?? .string(""))
                return (
                    param["name"]?.string ?? "",
                    .object((param["schema"]?.members ?? []) + [summary]),
                    param["required"]?.boolean == true
                )
            })
    }

    /// The first example, as frames.
    private func example(_ method: JSONTree) -> [String] {
        guard let example = method["examples"]?.elements.first else { return [] }
        let params = JSONTree.object(
            (example["params"]?.elements ?? []).map {
                .init(name: $0["name"]?.string ?? "", value: $0["value"] ?? .null)
            })
        let isAnswered = method["x-notification"]?.boolean == false
        let isEvent = method["x-topic"] != nil
        let name = isEvent ? "event" : method["name"]?.string ?? ""
        let id = isAnswered ? #""id":1,"# : ""
        var frames = [#"{"jsonrpc":"2.0",\#(id)"method":"\#(name)","params":\#(params.json)}"#]
        if isAnswered, let result = example["result"]?["value"] {
            frames.append(#"{"jsonrpc":"2.0","id":1,"result":\#(result.json)}"#)
        }
        return ["```json"] + frames + ["```", ""]
    }
}
