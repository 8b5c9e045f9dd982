internal import BrokerJSON
internal import CallProtocol
internal import CallTranscript

/// A value of a scenario that is sent or expected. An expected object may name some of its members
/// only.
package indirect enum ScenarioPattern: Sendable {
    case exactly(JSONTree)
    case object([(name: String, value: ScenarioPattern)])
    case array([ScenarioPattern])
    /// An id that was named in an earlier line.
    case named(String)
    /// Any id without a name yet, which gets this one.
    case new(String)
    /// The identity of a participant.
    case identity(of: String)
}

/// The values of names while a scenario is played.
struct ScenarioNames {
    /// Ids by name.
    var ids: [String: String] = [:]
    /// Identities of participants by name.
    var identities: [String: String] = [:]
}

extension ScenarioPattern {
    static let nothing = ScenarioPattern.object([])

    /// Returns the value to send.
    func tree(_ names: ScenarioNames) -> JSONTree {
        switch self {
        case .exactly(let tree): tree
        case .object(let members):
            .object(members.map { .init(name: $0.name, value: $0.value.tree(names)) })
        case .array(let elements): .array(elements.map { $0.tree(names) })
        case .named(let name), .new(let name): .string(names.ids[name] ?? "")
        case .identity(let name): .string(names.identities[name] ?? "")
        }
    }

    /// Returns whether a value matches. New names are assigned only if all of it matches.
    func matches(_ tree: JSONTree?, _ names: inout ScenarioNames) -> Bool {
        var copy = names
        guard differences(from: tree, "", &copy).isEmpty else { return false }
        names = copy
        return true
    }

    /// Returns the differences from a value: paths of members, each with the value that is there.
    func differences(
        from tree: JSONTree?, _ path: String, _ names: inout ScenarioNames
    ) -> [String] {
        let here = ["\(path)=\(tree?.description ?? "(nothing)")"]
        switch self {
        case .exactly(.null): return tree == nil || tree == .null ? [] : here
        case .exactly(let value): return value == tree ? [] : here
        case .object(let members):
            guard case .object? = tree else { return members.isEmpty ? [] : here }
            return members.flatMap { member in
                member.value.differences(
                    from: tree?[member.name], path.isEmpty ? member.name : "\(path).\(member.name)",
                    &names)
            }
        case .array(let elements):
            guard let found = tree?.elements, found.count == elements.count else { return here }
            return zip(elements, found).enumerated().flatMap { index, pair in
                pair.0.differences(from: pair.1, "\(path)[\(index)]", &names)
            }
        case .named(let name):
            return names.ids[name].map(JSONTree.string) == tree ? [] : here
        case .new(let name):
            // Ids that the file itself numbers are not new.
            guard let id = tree?.string, !names.ids.values.contains(id), !ScenarioID.isNumber(id)
            else { return here }
            names.ids[name] = id
            return []
        case .identity(let name):
            return names.identities[name].map(JSONTree.string) == tree ? [] : here
        }
    }
}

// MARK: - Reading

/// Reads the values of a line by their schemas.
struct ScenarioTyping {
    /// The names of participants that have an identity.
    let participants: Set<String>
    /// The names of ids before this line; `new:` adds one.
    var ids: Set<String>
    /// True if all required members must be there, as in a value that is sent.
    let isComplete: Bool

    private typealias Fault = TranscriptError

    mutating func object(
        _ pairs: [TranscriptPair], _ members: [Member], end: @autoclosure () -> TranscriptError
    ) throws(TranscriptError) -> ScenarioPattern {
        var found: [(name: String, value: ScenarioPattern)] = []
        for pair in pairs {
            let name = pair.name.verbatim
            guard let member = members.first(where: { "\($0.name)" == name }) else {
                throw pair.name.error(expected: Self.oneOf(members.map { "\($0.name)" }, name))
            }
            guard !found.contains(where: { $0.name == name }) else {
                throw pair.name.error(expected: "each member once")
            }
            found.append((name, try value(pair.value, member.schema)))
        }
        if isComplete,
            members.contains(where: { member in
                member.isRequired && !found.contains { $0.name == "\(member.name)" }
            })
        {
            throw end()
        }
        return .object(found)
    }

    mutating func value(
        _ field: TranscriptField, _ schema: Schema
    ) throws(TranscriptError) -> ScenarioPattern {
        if !isComplete, let name = Self.newName(field) {
            guard case .some = Self.idSchema(schema) else {
                throw field.error(expected: "a value: only ids can be named")
            }
            guard ids.insert(name).inserted, !name.allSatisfy(\.isNumber) else {
                throw field.error(expected: "a new name that is not a number")
            }
            return .new(name)
        }
        if field.isNull, !isComplete { return .exactly(.null) }
        switch schema {
        case .object(let members): return try record(field, members)
        case .dictionary(_, let element, _): return try dictionary(field, element)
        case .array(let element, _): return try array(field, element)
        case .nullable(let schema):
            return field.isNull ? .exactly(.null) : try value(field, schema)
        case .oneOf(let schemas): return try first(of: schemas, field)
        case .pattern(.uuid): return try id(field)
        case .pattern(.identity) where field.isWord && participants.contains(field.verbatim):
            return .identity(of: field.verbatim)
        case .any, .map: return try anything(field)
        case .boolean, .integer, .null: return try checked(try Self.plain(field), field, schema)
        case .string, .pattern, .choice:
            return try checked(.string(try field.text()), field, schema)
        }
    }

    // MARK: - Words

    private static func newName(_ field: TranscriptField) -> String? {
        guard field.isWord, field.verbatim.hasPrefix("new:") else { return nil }
        return String(field.verbatim.dropFirst(4))
    }

    private static func idSchema(_ schema: Schema) -> Schema? {
        switch schema {
        case .pattern(.uuid), .any, .map: schema
        case .nullable(let inner): idSchema(inner)
        default: nil
        }
    }

    /// Reads an id: a number, a name from an earlier line, or the 36 characters of a UUID.
    private func id(_ field: TranscriptField) throws(TranscriptError) -> ScenarioPattern {
        let text = try field.text()
        if let id = ScenarioID.text(of: text) { return .exactly(.string(id)) }
        if ids.contains(text) { return .named(text) }
        guard text.utf8.count == 36 else {
            let known = ids.isEmpty ? "" : ", or one of " + ids.sorted().joined(separator: ", ")
            throw field.error(expected: "a number from 0 to 999999999999, a UUID\(known)")
        }
        return try checked(.string(text.lowercased()), field, .pattern(.uuid))
    }

    private static func plain(_ field: TranscriptField) throws(TranscriptError) -> JSONTree {
        let text = try field.isNull ? "null" : field.text()
        if field.isWord {
            switch text {
            case "true": return .boolean(true)
            case "false": return .boolean(false)
            case "null": return .null
            default: if let number = Int64(text), !text.hasPrefix("+") { return .integer(number) }
            }
        }
        return .string(text)
    }

    private func checked(
        _ tree: JSONTree, _ field: TranscriptField, _ schema: Schema
    ) throws(TranscriptError) -> ScenarioPattern {
        if case .choice(let words, let isOpen) = schema, let word = tree.string,
            !words.contains(word), !isOpen || !word.hasPrefix("x_")
        {
            throw field.error(expected: Self.oneOf(words, word))
        }
        if let wrong = tree.fault(schema) { throw field.error(expected: wrong) }
        return .exactly(tree)
    }

    static func oneOf(_ words: [String], _ found: String) -> String {
        if let near = NearestName.find(found, in: words) { return near }
        guard words.count > 1 else { return words.first ?? "no more members" }
        return "one of " + words.joined(separator: ", ")
    }

    // MARK: - Records and lists

    private mutating func record(
        _ field: TranscriptField, _ members: [Member]
    ) throws(TranscriptError) -> ScenarioPattern {
        // An address: `phone:+15550100`.
        if field.isWord, members.map({ "\($0.name)" }) == ["type", "value"],
            let colon = field.verbatim.firstIndex(of: ":")
        {
            let text = field.verbatim
            return .object([
                ("type", .exactly(.string(String(text[..<colon])))),
                ("value", .exactly(.string(String(text[text.index(after: colon)...])))),
            ])
        }
        let pairs = try field.pairs()
        return try object(
            pairs, members,
            end: field.error(expected: "all of " + Self.required(members).joined(separator: ", ")))
    }

    static func required(_ members: [Member]) -> [String] {
        members.filter(\.isRequired).map { "\($0.name)=" }
    }

    private mutating func dictionary(
        _ field: TranscriptField, _ element: Schema
    ) throws(TranscriptError) -> ScenarioPattern {
        var members: [(name: String, value: ScenarioPattern)] = []
        for pair in try field.pairs() {
            members.append((pair.name.verbatim, try value(pair.value, element)))
        }
        return .object(members)
    }

    private mutating func array(
        _ field: TranscriptField, _ element: Schema
    ) throws(TranscriptError) -> ScenarioPattern {
        var elements: [ScenarioPattern] = []
        for item in try field.elements() { elements.append(try value(item, element)) }
        return .array(elements)
    }

    /// Reads a value by the first schema that fits, or throws the error of the last one, which is
    /// the widest.
    private mutating func first(
        of schemas: [Schema], _ field: TranscriptField
    ) throws(TranscriptError) -> ScenarioPattern {
        var fault = field.error(expected: "a value")
        for schema in schemas {
            var copy = self
            do throws(TranscriptError) {
                let pattern = try copy.value(field, schema)
                self = copy
                return pattern
            } catch {
                fault = error
            }
        }
        throw fault
    }

    /// Reads a value without a schema.
    private mutating func anything(
        _ field: TranscriptField
    ) throws(TranscriptError) -> ScenarioPattern {
        switch field.source.bytes[field.start] {
        case UInt8(ascii: "("): return try dictionary(field, .any)
        case UInt8(ascii: "["): return try array(field, .any)
        default:
            if field.isWord, ids.contains(field.verbatim) { return .named(field.verbatim) }
            return .exactly(try Self.plain(field))
        }
    }
}

/// Readable ids: UUIDs that end in a number in decimal digits.
enum ScenarioID {
    private static let beginning = "00000000-0000-4000-8000-"

    static func isNumber(_ id: String) -> Bool {
        id.hasPrefix(beginning)
    }

    static func text(of word: String) -> String? {
        guard (1...12).contains(word.utf8.count), word.utf8.allSatisfy({ 0x30...0x39 ~= $0 })
        else { return nil }
        return beginning + String(repeating: "0", count: 12 - word.count) + word
    }
}

extension JSONTree {
    /// Returns the expectation of a schema that this value does not meet; nil if the value fits.
    fileprivate func fault(_ schema: Schema) -> String? {
        guard
            let document = try? JSONDocument(
                parsing: Array("[\(json)]".utf8), limits: JSONLimits(depth: 64, values: 4_096)),
            let value = document.root.elements.first(where: { _ in true })
        else { return "a value" }
        do throws(SchemaFault) {
            try schema.check(value)
            return nil
        } catch {
            let words = error.message
            return words.hasPrefix("must be ")
                ? String(words.dropFirst(8)) : "a value that \(words)"
        }
    }
}
