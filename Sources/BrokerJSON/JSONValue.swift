internal import CJansson

/// A value inside a `JSONDocument`, read in place: nothing is copied until somebody asks for a
/// `String`. Valid as long as its document.
package struct JSONValue {
    package enum Kind: Sendable {
        case object, array, string, integer, real, boolean, null
    }

    private let node: UnsafeMutablePointer<json_t>

    init(_ node: UnsafeMutablePointer<json_t>) {
        self.node = node
    }

    package var kind: Kind {
        switch node.pointee.type {
        case JSON_OBJECT: .object
        case JSON_ARRAY: .array
        case JSON_STRING: .string
        case JSON_INTEGER: .integer
        case JSON_REAL: .real
        case JSON_TRUE, JSON_FALSE: .boolean
        default: .null
        }
    }

    // MARK: - Scalars

    /// The bytes of a string, escapes resolved, well-formed UTF-8 without NUL.
    package var utf8: UnsafeBufferPointer<UInt8>? {
        guard node.pointee.type == JSON_STRING, let start = json_string_value(node) else {
            return nil
        }
        return UnsafeBufferPointer(
            start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self),
            count: json_string_length(node))
    }

    package var string: String? {
        utf8.map { String(decoding: $0, as: UTF8.self) }
    }

    /// An integer written without fraction or exponent.
    package var integer: Int64? {
        node.pointee.type == JSON_INTEGER ? Int64(json_integer_value(node)) : nil
    }

    package var real: Double? {
        node.pointee.type == JSON_REAL ? json_real_value(node) : nil
    }

    package var boolean: Bool? {
        switch node.pointee.type {
        case JSON_TRUE: true
        case JSON_FALSE: false
        default: nil
        }
    }

    package var isNull: Bool {
        node.pointee.type == JSON_NULL
    }

    // MARK: - Containers

    /// The number of members of an object or elements of an array; 0 for a scalar.
    package var count: Int {
        switch node.pointee.type {
        case JSON_OBJECT: json_object_size(node)
        case JSON_ARRAY: json_array_size(node)
        default: 0
        }
    }

    /// A member of an object, by a name that is known when we compile.
    package subscript(name: StaticString) -> JSONValue? {
        UnsafeRawPointer(name.utf8Start).withMemoryRebound(to: CChar.self, capacity: 1) {
            json_object_get(node, $0).map { JSONValue($0) }
        }
    }

    /// A member of an object, by a name that somebody typed.
    package subscript(named name: String) -> JSONValue? {
        var name = name
        return name.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
                json_object_getn(node, $0.baseAddress, $0.count).map { JSONValue($0) }
            }
        }
    }

    /// The names of an object's members, in the order of the text.
    package var memberNames: [String] {
        var names: [String] = []
        forEachMember { (name, _) in names.append(String(decoding: name, as: UTF8.self)) }
        return names
    }

    /// An element of an array.
    package subscript(index: Int) -> JSONValue? {
        guard index >= 0 else { return nil }
        return json_array_get(node, index).map { JSONValue($0) }
    }

    /// The elements of an array, in order.
    package var elements: some Sequence<JSONValue> {
        (0..<(kind == .array ? count : 0)).lazy.compactMap { self[$0] }
    }

    /// Calls `body` for each member of an object, in the order of the text.
    package func forEachMember<Failure: Error>(
        _ body: (_ name: UnsafeBufferPointer<UInt8>, _ value: JSONValue) throws(Failure) -> Void
    ) throws(Failure) {
        var position = json_object_iter(node)
        while let here = position {
            if let name = json_object_iter_key(here), let value = json_object_iter_value(here) {
                let bytes = UnsafeBufferPointer(
                    start: UnsafeRawPointer(name).assumingMemoryBound(to: UInt8.self),
                    count: json_object_iter_key_len(here))
                try body(bytes, JSONValue(value))
            }
            position = json_object_iter_next(node, here)
        }
    }
}
