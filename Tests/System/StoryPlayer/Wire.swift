internal import BrokerJSON
package import CallModel

/// JSON as a value that can be written down in a test, compared and shown.
package enum Wire: Equatable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case real(Double)
    case string(String)
    case array([Wire])
    case object([String: Wire])
    /// Only expected: whatever stands there, or nothing.
    case anything

    /// An object without the members that are nil.
    package static func members(_ members: [String: Wire?]) -> Wire {
        .object(members.compactMapValues { $0 })
    }

    package static func call(_ call: CallID) -> Wire {
        .string(call.description)
    }

    package static func calls(_ calls: [CallID]) -> Wire {
        .array(calls.map { .call($0) })
    }

    /// The name that a provider of a story has on the wire, where a name has two parts at least.
    package static func provider(_ provider: ProviderID) -> Wire {
        .string(provider.wireName)
    }

    package static func number(_ number: Int) -> Wire {
        .int(Int64(number))
    }

    package subscript(name: String) -> Wire? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var int: Int64? {
        if case .int(let number) = self { number } else { nil }
    }

    /// The same object with more members.
    func with(_ more: [String: Wire?]) -> Wire {
        guard case .object(let members) = self else { return self }
        return .object(members.merging(more.compactMapValues { $0 }) { $1 })
    }
}

extension ProviderID {
    package var wireName: String {
        name.contains(".") ? name : "org.example." + name
    }
}

extension Wire: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .int(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: Wire...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, Wire)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}

// MARK: - Text

extension Wire {
    /// Nil for a text that is no JSON as the broker writes it.
    package init?(text: String) {
        guard let document = try? JSONDocument(parsing: Array(text.utf8)) else { return nil }
        self.init(document.root)
    }

    private init(_ value: JSONValue) {
        switch value.kind {
        case .null: self = .null
        case .boolean: self = .bool(value.boolean ?? false)
        case .integer: self = .int(value.integer ?? 0)
        case .real: self = .real(value.real ?? 0)
        case .string: self = .string(value.string ?? "")
        case .array: self = .array(value.elements.map { Wire($0) })
        case .object:
            var members: [String: Wire] = [:]
            value.forEachMember { name, member in
                members[String(decoding: name, as: UTF8.self)] = Wire(member)
            }
            self = .object(members)
        }
    }

    package var text: String {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.text
    }

    private func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let flag): writer.value(flag)
        case .int(let number): writer.value(number)
        case .real(let number): writer.value(number)
        case .string(let text): writer.value(text)
        case .array(let elements):
            writer.array { writer in for element in elements { element.write(to: &writer) } }
        case .object(let members):
            writer.object { writer in
                for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                    writer.name(name)
                    member.write(to: &writer)
                }
            }
        case .anything: writer.value("…" as String)
        }
    }
}

// MARK: - Comparing

extension Wire {
    /// Where and how a value is not what is expected here; nil if it is.
    package func difference(from value: Wire?, at place: String = "") -> String? {
        switch (self, value) {
        case (.anything, _): return nil
        case (.object(let expected), .object(let found)):
            return difference(expected, found, at: place)
        case (.array(let expected), .array(let found)) where expected.count == found.count:
            for index in expected.indices {
                let inside = "\(place)/\(index)"
                if let text = expected[index].difference(from: found[index], at: inside) {
                    return text
                }
            }
            return nil
        case (let expected, let found?) where expected == found: return nil
        default: return "\(place): expected \(text), found \(value?.text ?? "nothing")"
        }
    }

    private func difference(
        _ expected: [String: Wire], _ found: [String: Wire], at place: String
    ) -> String? {
        for (name, member) in expected {
            if let text = member.difference(from: found[name], at: "\(place)/\(name)") {
                return text
            }
        }
        for (name, member) in found where expected[name] == nil {
            return "\(place)/\(name): expected nothing, found \(member.text)"
        }
        return nil
    }
}
