package import BrokerJSON
internal import BrokerRPC

/// The OpenRPC document, generated from the method table.
package struct OpenRPC {
    /// The version of OpenRPC that published generators accept.
    package static let specification: StaticString = "1.3.2"

    private let table: MethodTable

    package init(_ table: MethodTable) {
        self.table = table
    }

    /// Writes the members of the document. `rpc.discover` does not list itself.
    package func write(to writer: inout JSONWriter) {
        writer.member("openrpc", Self.specification)
        writer.name("info")
        writer.object { writer in
            writer.member("title", "CallBroker")
            writer.member("version", Release.version)
            writer.member(
                "description", "A call manager for VoIP apps on one Linux host, over a Unix socket."
            )
            writer.name("license")
            writer.object { $0.member("name", "Apache-2.0" as StaticString) }
        }
        writer.name("methods")
        writer.array { writer in
            for method in table.methods where method.name != .discover {
                writer.object { write(method, to: &$0) }
            }
            for row in TopicTable.rows { writer.object { write(row, to: &$0) } }
        }
    }

    /// Writes the members of one method's entry.
    package func write(_ method: Method, to writer: inout JSONWriter) {
        writeHead(method.name.rawValue, method.summary, method.details, to: &writer)
        write(params: method.params, to: &writer)
        writeResult(of: method, to: &writer)
        writeErrors(of: method, to: &writer)
        write(method.examples, to: &writer)
        writeExtensions(of: method, to: &writer)
    }

    /// Writes the members of one topic's entry: the event as a client gets it.
    package func write(_ row: TopicRow, to writer: inout JSONWriter) {
        writeHead(row.topic.rawValue, row.summary, row.details, to: &writer)
        write(params: row.params, to: &writer)
        write([row.example], to: &writer)
        writeExtensions(
            direction: .toClient, roles: row.topic.roles, isNotification: true, since: row.since,
            to: &writer)
        writer.member("x-topic", row.topic.rawValue)
    }

    private func writeHead(
        _ name: String, _ summary: String, _ details: String, to writer: inout JSONWriter
    ) {
        writer.member("name", name)
        writer.member("summary", summary)
        writer.member("description", details)
        writer.member("paramStructure", "by-name" as StaticString)
    }

    private func write(params: [Member], to writer: inout JSONWriter) {
        writer.name("params")
        writer.array { writer in
            for member in params {
                writer.object { writer in
                    writer.name("name")
                    writer.value(member.name)
                    writer.member("summary", member.summary)
                    writer.member("required", member.isRequired)
                    writer.name("schema")
                    writer.value(member.schema)
                }
            }
        }
    }

    private func writeResult(of method: Method, to writer: inout JSONWriter) {
        let schema: Schema
        switch method.form {
        case .request(let result, _): schema = .object(result)
        case .document: schema = .map
        case .notification: return
        }
        writer.name("result")
        writer.object { writer in
            writer.member("name", "result" as StaticString)
            writer.name("schema")
            writer.value(schema)
        }
    }

    private func writeErrors(of method: Method, to writer: inout JSONWriter) {
        guard !method.isNotification else { return }
        writer.name("errors")
        writer.array { writer in
            for code in [.invalidParams] + method.errors.filter({ $0 != .invalidParams }) {
                writer.object { writer in
                    writer.member("code", code.rawValue)
                    writer.member("message", code.name)
                }
            }
        }
    }

    private func write(_ examples: [Method.Example], to writer: inout JSONWriter) {
        writer.name("examples")
        writer.array { writer in
            for example in examples { writer.object { write(example, to: &$0) } }
        }
    }

    private func write(_ example: Method.Example, to writer: inout JSONWriter) {
        writer.member("name", example.name)
        writer.name("params")
        writer.array { writer in
            guard let params = try? JSONDocument(parsing: Array(example.params.utf8)) else {
                return
            }
            params.root.forEachMember { name, value in
                writer.object { writer in
                    writer.name("name")
                    writer.value(utf8: name)
                    writer.name("value")
                    writer.value(value)
                }
            }
        }
        guard let result = example.result else { return }
        writer.name("result")
        writer.object { writer in
            writer.member("name", "result" as StaticString)
            writer.name("value")
            writer.value(json: result.utf8)
        }
    }

    private func writeExtensions(of method: Method, to writer: inout JSONWriter) {
        writeExtensions(
            direction: method.direction, roles: method.roles,
            isNotification: method.isNotification, since: method.since, to: &writer)
        switch method.form {
        case .request(_, let deadlineMS), .document(let deadlineMS):
            writer.member("x-deadline-ms", deadlineMS)
        case .notification: break
        }
    }

    private func writeExtensions(
        direction: Method.Direction, roles: RoleSet, isNotification: Bool, since: String,
        to writer: inout JSONWriter
    ) {
        writer.member("x-direction", direction.rawValue)
        writer.name("x-roles")
        writer.array { for role in roles.roles { $0.value(role.rawValue) } }
        writer.member("x-notification", isNotification)
        writer.member("x-since", since)
    }
}
