internal import BrokerJSON
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// A list of a reply with pseudonyms in place of everything that can name people: handles, and all
/// texts but those that are words, ids or identities by their schema. So a new member is hidden
/// until it is listed here.
struct NamelessList {
    /// Members with a text of the broker or of an app about itself.
    private static let shown: [MethodName: Set<String>] = [
        .listCalls: ["rule", "source"],
        .listProviders: ["display_name", "ringtone", "icon"],
        .listPlugins: [
            "name", "manifest", "version", "description", "roles", "option", "file", "message",
        ],
    ]
    /// Members that are left out: the output of plugins, of any length and content.
    private static let dropped: Set<String> = ["stderr", "failure_message"]

    private let people: Pseudonyms
    private let element: Schema
    private let shown: Set<String>

    /// Creates the list that is the only one in a method's result.
    init(of method: MethodName, _ people: Pseudonyms) {
        self.people = people
        shown = Self.shown[method] ?? []
        element = MethodTable.standard.find(method.rawValue)?.listed ?? .any
    }

    /// Creates the form of a whole result, as if it were an element of a list.
    init(resultOf method: MethodName, _ people: Pseudonyms) {
        self.people = people
        shown = Self.shown[method] ?? []
        element = MethodTable.standard.find(method.rawValue)?.resultShape ?? .any
    }

    /// Writes an element of the list.
    func write(_ value: JSONValue, to writer: inout JSONWriter) {
        write(value, element, isShown: false, to: &writer)
    }

    private func write(
        _ value: JSONValue, _ schema: Schema, isShown: Bool, to writer: inout JSONWriter
    ) {
        switch value.kind {
        case .object where value["type"]?.string != nil && value["value"]?.string != nil:
            let handle = people.handle(Handle(checked: value))
            writer.object { writer in
                writer.member("type", handle.kind.name)
                writer.member("value", handle.value)
            }
        case .object: write(members: value, schema, to: &writer)
        case .array:
            let element = schema.element
            writer.array { writer in
                for item in value.elements { write(item, element, isShown: isShown, to: &writer) }
            }
        case .string: writer.value(text(value.string ?? "", schema, isShown: isShown))
        case .integer, .real, .boolean, .null: writer.value(value)
        }
    }

    private func write(members value: JSONValue, _ schema: Schema, to writer: inout JSONWriter) {
        var copy = JSONWriter(Array("{".utf8))
        value.forEachMember { utf8, member in
            let name = String(decoding: utf8, as: UTF8.self)
            guard !Self.dropped.contains(name) else { return }
            copy.value(utf8: utf8)
            copy.bytes.append(UInt8(ascii: ":"))
            write(member, schema[name], isShown: shown.contains(name), to: &copy)
        }
        writer.value(json: copy.bytes + Array("}".utf8))
    }

    private func text(_ text: String, _ schema: Schema, isShown: Bool) -> String {
        switch schema {
        case _ where isShown: text
        case .nullable(let schema): self.text(text, schema, isShown: false)
        case .choice(let words, _) where words.contains(text): text
        case .choice: people.reason(text)
        case .pattern(let pattern) where pattern.namesNobody: text
        default: people.name(text)
        }
    }
}

extension Method {
    /// The schema of the result as a whole.
    fileprivate var resultShape: Schema? {
        guard case .request(let result, _) = form else { return nil }
        return .object(result)
    }

    /// The schema of the elements of the only list in the result.
    fileprivate var listed: Schema? {
        guard case .request(let result, _) = form else { return nil }
        return result.lazy.compactMap { member in
            if case .array(let element, _) = member.schema { element } else { nil }
        }.first
    }
}

extension Schema {
    fileprivate var element: Schema {
        switch self {
        case .array(let element, _): element
        case .nullable(let schema): schema.element
        default: .any
        }
    }

    fileprivate subscript(name: String) -> Schema {
        switch self {
        case .object(let members):
            members.first { "\($0.name)" == name }?.schema ?? .any
        case .dictionary(_, let value, _): value
        case .nullable(let schema): schema[name]
        default: .any
        }
    }
}

extension Pattern {
    fileprivate var namesNobody: Bool {
        switch self {
        case .uuid, .identity, .scheme, .timeOfDay, .region, .busName, .desktopID: true
        case .digits: false
        }
    }
}
