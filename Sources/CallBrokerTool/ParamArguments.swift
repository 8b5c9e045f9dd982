internal import BrokerJSON
internal import CallClient
internal import CallProtocol

/// Params as somebody types them in a shell.
struct ParamArguments {
    private static let inputBytesMax = 1 << 20

    private let words: [String]
    private let members: [Member]

    init(_ words: [String], members: [Member]) {
        self.words = words
        self.members = members
    }

    /// The params as the text of a JSON object.
    func json() throws(ToolFailure) -> [UInt8] {
        if words == ["-"] { return try input() }
        var writer = JSONWriter(Array("{".utf8))
        for word in words { try write(word, to: &writer) }
        return writer.bytes + Array("}".utf8)
    }

    private func input() throws(ToolFailure) -> [UInt8] {
        guard let bytes = Terminal.readInput(bytesMax: Self.inputBytesMax) else {
            throw usage("standard input holds more than \(Self.inputBytesMax) bytes")
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
        try write(value, as: members.first { "\($0.name)" == key }?.schema, key, to: &writer)
    }

    private func write(
        _ value: String, as schema: Schema?, _ key: String, to writer: inout JSONWriter
    ) throws(ToolFailure) {
        switch schema {
        case .integer:
            guard let number = Int64(value) else { throw usage("\(key) takes an integer") }
            writer.value(number)
        case .boolean:
            guard let flag = Bool(value) else { throw usage("\(key) takes true or false") }
            writer.value(flag)
        case .object, .map, .dictionary, .array:
            throw usage("\(key) takes JSON: write \(key):='...'")
        case .null: throw usage("\(key) is always null: write \(key):=null")
        case .nullable(let schema):
            // Whoever means the word writes it as JSON: display_name:='"null"'.
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
        ToolFailure(code: .usage, message: "callbroker: \(message)")
    }
}
