import BrokerJSON

/// A frame taken apart, for as long as a test wants to keep it.
indirect enum JSONTree: Equatable {
    struct Member: Equatable {
        let name: String
        let value: JSONTree
    }

    case object([Member])
    case array([JSONTree])
    case string(String)
    case integer(Int64)
    case real(Double)
    case boolean(Bool)
    case null

    init(_ text: String) throws(JSONFault) {
        let limits = JSONLimits(depth: 64, values: 1_000_000)
        let document = try JSONDocument(parsing: Array(text.utf8), limits: limits)
        self.init(document.root)
    }

    private init(_ value: JSONValue) {
        switch value.kind {
        case .object:
            var members: [Member] = []
            value.forEachMember { name, value in
                let name = String(decoding: name, as: UTF8.self)
                members.append(Member(name: name, value: JSONTree(value)))
            }
            self = .object(members)
        case .array: self = .array(value.elements.map { JSONTree($0) })
        case .string: self = .string(value.string ?? "")
        case .integer: self = .integer(value.integer ?? 0)
        case .real: self = .real(value.real ?? 0)
        case .boolean: self = .boolean(value.boolean ?? false)
        case .null: self = .null
        }
    }

    var members: [Member] { if case .object(let members) = self { members } else { [] } }
    var elements: [JSONTree] { if case .array(let elements) = self { elements } else { [] } }
    var string: String? { if case .string(let text) = self { text } else { nil } }
    var integer: Int? { if case .integer(let number) = self { Int(number) } else { nil } }
    var boolean: Bool? { if case .boolean(let truth) = self { truth } else { nil } }
    var names: [String] { members.map(\.name) }

    subscript(name: String) -> JSONTree? { members.first { $0.name == name }?.value }

    /// The same with fewer members.
    func without(_ names: String...) -> JSONTree {
        .object(members.filter { !names.contains($0.name) })
    }
}

extension JSONTree: CustomStringConvertible {
    /// Compact JSON without escapes, for comparing and reading.
    var description: String {
        switch self {
        case .object(let members):
            "{" + members.map { #""\#($0.name)":\#($0.value)"# }.joined(separator: ",") + "}"
        case .array(let elements):
            "[" + elements.map(\.description).joined(separator: ",") + "]"
        case .string(let text): #""\#(text)""#
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .boolean(let truth): "\(truth)"
        case .null: "null"
        }
    }
}

extension JSONTree {
    /// As it stands on the wire.
    var json: String {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.text
    }

    private func write(to writer: inout JSONWriter) {
        switch self {
        case .object(let members):
            writer.object { writer in
                for member in members {
                    writer.name(member.name)
                    member.value.write(to: &writer)
                }
            }
        case .array(let elements):
            writer.array { writer in
                for element in elements { element.write(to: &writer) }
            }
        case .string(let text): writer.value(text)
        case .integer(let number): writer.value(number)
        case .real(let number): writer.value(number)
        case .boolean(let truth): writer.value(truth)
        case .null: writer.null()
        }
    }
}
