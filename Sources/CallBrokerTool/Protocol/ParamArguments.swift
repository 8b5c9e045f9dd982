internal import BrokerJSON
internal import CallClient
internal import CallProtocol

/// Params as command-line arguments.
struct ParamArguments {
    private static let inputBytesMax = 1 << 20

    private let words: [String]
    /// The path of the enclosing member, with the dot: `limits.`.
    private let parent: String
    /// Returns the schema of a member.
    private let schema: (String) -> Schema?
    /// The paths of all named members, nested ones included: `limits`, `limits.ringing`.
    private let paths: [String]

    init(_ words: [String], members: [Member]) {
        self.init(words, paths: members.flatMap { Self.paths(of: $0, "") }) { key in
            members.first { "\($0.name)" == key }?.schema
        }
    }

    private init(
        _ words: [String], of parent: String = "", paths: [String] = [],
        schema: @escaping (String) -> Schema?
    ) {
        self.words = words
        self.parent = parent
        self.paths = paths
        self.schema = schema
    }

    private static func paths(of member: Member, _ prefix: String) -> [String] {
        let path = prefix + "\(member.name)"
        guard case .object(let members) = member.schema else { return [path] }
        return [path] + members.flatMap { paths(of: $0, path + ".") }
    }

    /// Suggestions for unknown members.
    var suggestions: [String] {
        words.compactMap { word in
            let key = String(word.prefix { $0 != "=" && $0 != ":" })
            if paths.contains(key) { return nil }
            if let head = head(of: word), case .dictionary = schema(String(head)) { return nil }
            return NearestName.find(key, in: paths)
        }
    }

    /// The params as the text of a JSON object.
    func json() throws(ToolFailure) -> [UInt8] {
        if words == ["-"] { return try input() }
        var writer = JSONWriter(Array("{".utf8))
        var written: [Substring] = []
        for word in words {
            if let head = head(of: word) {
                guard !written.contains(head) else { continue }
                written.append(head)
                writer.name(String(head))
                writer.value(json: try inside(head))
            } else {
                try write(word, to: &writer)
            }
        }
        return writer.bytes + Array("}".utf8)
    }

    /// Returns the enclosing member of a path such as `remote.type=phone`.
    private func head(of word: String) -> Substring? {
        let key = word.prefix { $0 != "=" }
        guard let dot = key.firstIndex(of: "."), dot != key.startIndex,
            schema(String(key[..<dot]))?.members != nil
        else { return nil }
        return key[..<dot]
    }

    /// Returns all arguments about parts of a member as one object.
    private func inside(_ head: Substring) throws(ToolFailure) -> [UInt8] {
        let parts = words.filter { self.head(of: $0) == head }
            .map { String($0.dropFirst(head.count + 1)) }
        guard let members = schema(String(head))?.members else { return Array("{}".utf8) }
        return try ParamArguments(parts, of: parent + head + ".", schema: members).json()
    }

    private func input() throws(ToolFailure) -> [UInt8] {
        guard let bytes = Terminal.readInput(bytesMax: Self.inputBytesMax) else {
            throw usage("standard input has more than \(Self.inputBytesMax) bytes")
        }
        try check(bytes, "standard input")
        return bytes.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    }

    private func write(_ word: String, to writer: inout JSONWriter) throws(ToolFailure) {
        guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
            throw usage("\"\(word)\" is neither key=value nor key:=JSON")
        }
        let value = String(word[word.index(after: equals)...])
        let key = word[..<equals]
        if key.hasSuffix(":"), key.count > 1 {
            let bytes = Array(value.utf8)
            try check(bytes, String(key.dropLast()))
            writer.name(String(key.dropLast()))
            writer.value(json: bytes.filter { $0 != UInt8(ascii: "\n") })
        } else {
            writer.name(String(key))
            try write(value, typedFor: String(key), to: &writer)
        }
    }

    private func write(
        _ value: String, typedFor key: String, to writer: inout JSONWriter
    ) throws(ToolFailure) {
        try write(value, as: schema(key), parent + key, to: &writer)
    }

    private func write(
        _ value: String, as schema: Schema?, _ key: String, to writer: inout JSONWriter
    ) throws(ToolFailure) {
        switch schema {
        case .integer:
            guard let number = Int64(value) ?? Self.milliseconds(value, key) else {
                throw usage("\(key) takes an integer")
            }
            writer.value(number)
        case .boolean:
            guard let flag = Bool(value) else { throw usage("\(key) takes true or false") }
            writer.value(flag)
        case .object(let members):
            let names = members.map { "\(key).\($0.name)" }.joined(separator: ", ")
            throw usage("\(key) is an object: write \(names), or \(key):='{...}'")
        case .dictionary(let pattern, _, _):
            throw usage("\(key) is an object: write \(key).\(pattern.example)=\(value)")
        case .map, .array:
            throw usage("\(key) takes JSON: write \(key):='...'")
        case .null: throw usage("\(key) is always null: write \(key):=null")
        case .nullable(let schema):
            // The string "null" has to be written as JSON: display_name:='"null"'.
            if value == "null" {
                writer.value(json: "null".utf8)
            } else {
                try write(value, as: schema, key, to: &writer)
            }
        case .oneOf:
            if let number = Int64(value) { writer.value(number) } else { writer.value(value) }
        case .any, .string, .pattern, .choice, nil: writer.value(value)
        }
    }

    /// Returns a time span in milliseconds, where the member is one.
    private static func milliseconds(_ value: String, _ key: String) -> Int64? {
        let isSpan =
            key.hasSuffix("_ms") && !key.hasSuffix("_at_ms") || key.hasPrefix("deadlines.")
        return isSpan ? TimeSpan(value, .milliseconds)?.milliseconds : nil
    }

    private func check(_ bytes: [UInt8], _ place: String) throws(ToolFailure) {
        do throws(JSONFault) {
            _ = try JSONDocument(parsing: bytes, limits: .document)
        } catch {
            throw usage(
                "\(place): line \(error.position.line), column \(error.position.column): "
                    + error.message)
        }
    }

    private func usage(_ message: String) -> ToolFailure {
        ToolFailure(.usage, message)
    }
}

extension Pattern {
    /// An example of the form.
    fileprivate var example: String {
        switch self {
        case .scheme: "tel"
        case .uuid: "ID"
        case .identity: "org.example.phone"
        case .digits: "DIGITS"
        case .timeOfDay: "22:00"
        case .region: "FR"
        case .busName: "org.example.Phone"
        case .desktopID: "org.example.Phone.desktop"
        }
    }
}

extension Schema {
    /// Returns the schema of an object's members; nil for other values.
    fileprivate var members: ((String) -> Schema?)? {
        switch self {
        case .object(let members): { key in members.first { "\($0.name)" == key }?.schema }
        case .dictionary(_, let element, _): { _ in element }
        case .nullable(let schema): schema.members
        case .any, .boolean, .integer, .string, .pattern, .choice, .map, .array, .oneOf, .null: nil
        }
    }
}
