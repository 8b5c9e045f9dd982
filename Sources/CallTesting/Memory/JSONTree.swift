internal import BrokerJSON

/// A JSON value that is independent of the text that it was read from.
public indirect enum JSONTree: Equatable, Sendable {
    /// A member of an object.
    public struct Member: Equatable, Sendable {
        /// The name.
        public let name: String
        /// The value.
        public let value: JSONTree

        /// Makes a member.
        public init(name: String, value: JSONTree) {
            self.name = name
            self.value = value
        }
    }

    /// An object, with its members in the order of the text.
    case object([Member])
    /// An array.
    case array([JSONTree])
    /// A string, without quotes and escapes.
    case string(String)
    /// A number without fraction and exponent, in the range of `Int64`.
    case integer(Int64)
    /// Any other number. The protocol uses none.
    case real(Double)
    /// True or false.
    case boolean(Bool)
    /// The literal `null`.
    case null

    /// Reads one JSON text.
    ///
    /// - Throws: an error that describes the fault and its place.
    public init(_ text: String) throws {
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

    /// The members of an object; empty for other values.
    public var members: [Member] { if case .object(let members) = self { members } else { [] } }
    /// The elements of an array; empty for other values.
    public var elements: [JSONTree] { if case .array(let elements) = self { elements } else { [] } }
    /// The text of a string; nil for other values.
    public var string: String? { if case .string(let text) = self { text } else { nil } }
    /// The number of an integer; nil for other values.
    public var integer: Int? { if case .integer(let number) = self { Int(number) } else { nil } }
    /// The value of a Boolean; nil for other values.
    public var boolean: Bool? { if case .boolean(let truth) = self { truth } else { nil } }
    /// The names of an object's members, in the order of the text.
    public var names: [String] { members.map(\.name) }

    /// The value of an object's member; nil without one.
    public subscript(name: String) -> JSONTree? { members.first { $0.name == name }?.value }

    /// Returns a copy without some members.
    package func without(_ names: String...) -> JSONTree {
        .object(members.filter { !names.contains($0.name) })
    }
}

extension JSONTree: CustomStringConvertible {
    /// Compact JSON without escapes, for comparing and reading.
    public var description: String {
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
    /// Compact JSON with escapes, as on the wire.
    public var json: String {
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
