internal import CJansson

/// A value inside a `JSONDocument`, read in place: nothing is copied until a `String` is requested.
/// Valid as long as its document.
package struct JSONValue {
    package enum Kind: Sendable {
        case object, array, string, integer, real, boolean, null
    }

    /// The place of the value: in Jansson's tree, or in the outline of a plain text.
    private enum Place {
        case tree(UnsafeMutablePointer<json_t>)
        case outline(UnsafePointer<JSONOutline.Node>)
    }

    private let place: Place

    init(_ node: UnsafeMutablePointer<json_t>) {
        place = .tree(node)
    }

    init(_ node: UnsafePointer<JSONOutline.Node>) {
        place = .outline(node)
    }

    /// Frees the memory of a top-level value and of all below it.
    func release() {
        switch place {
        case .tree(let node): json_decref(node)
        case .outline(let node): node.deallocate()
        }
    }

    package var kind: Kind {
        switch place {
        case .tree(let node): Self.kind(node)
        case .outline(let node): node.pointee.kind
        }
    }

    private static func kind(_ node: UnsafeMutablePointer<json_t>) -> Kind {
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

    /// The bytes of a string, with escapes resolved: well-formed UTF-8 without NUL. Nil for other
    /// kinds.
    package var utf8: UnsafeBufferPointer<UInt8>? {
        switch place {
        case .tree(let node):
            guard node.pointee.type == JSON_STRING, let start = json_string_value(node) else {
                return nil
            }
            return UnsafeBufferPointer(
                start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self),
                count: json_string_length(node))
        case .outline(let node): return node.pointee.kind == .string ? node.pointee.text : nil
        }
    }

    /// The text of a string; nil for other kinds.
    package var string: String? {
        utf8.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The integer, if the number is written without a fraction or an exponent; nil for other
    /// kinds.
    package var integer: Int64? {
        switch place {
        case .tree(let node):
            node.pointee.type == JSON_INTEGER ? Int64(json_integer_value(node)) : nil
        case .outline(let node): node.pointee.integer
        }
    }

    /// The number, if it is written with a fraction or an exponent; nil for other kinds.
    package var real: Double? {
        switch place {
        case .tree(let node): node.pointee.type == JSON_REAL ? json_real_value(node) : nil
        case .outline: nil
        }
    }

    /// The Boolean; nil for other kinds.
    package var boolean: Bool? {
        switch place {
        case .tree(let node):
            switch node.pointee.type {
            case JSON_TRUE: true
            case JSON_FALSE: false
            default: nil
            }
        case .outline(let node):
            node.pointee.kind == .boolean ? node.pointee.text.spells("true") : nil
        }
    }

    package var isNull: Bool {
        kind == .null
    }

    // MARK: - Containers

    /// The number of members of an object or of elements of an array; 0 for a scalar.
    package var count: Int {
        switch place {
        case .tree(let node):
            switch node.pointee.type {
            case JSON_OBJECT: json_object_size(node)
            case JSON_ARRAY: json_array_size(node)
            default: 0
            }
        case .outline(let node): Int(node.pointee.count)
        }
    }

    /// Returns a member of an object, by a name known at compile time.
    package subscript(name: StaticString) -> JSONValue? {
        switch place {
        case .tree(let node):
            UnsafeRawPointer(name.utf8Start).withMemoryRebound(to: CChar.self, capacity: 1) {
                json_object_get(node, $0).map { JSONValue($0) }
            }
        case .outline(let node):
            JSONOutline.member(
                of: node,
                UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        }
    }

    /// Returns a member of an object, by a name known at run time.
    package subscript(named name: String) -> JSONValue? {
        var name = name
        return name.withUTF8 { utf8 in
            switch place {
            case .tree(let node):
                utf8.withMemoryRebound(to: CChar.self) {
                    json_object_getn(node, $0.baseAddress, $0.count).map { JSONValue($0) }
                }
            case .outline(let node): JSONOutline.member(of: node, utf8)
            }
        }
    }

    /// The names of an object's members, in the order of the text.
    package var memberNames: [String] {
        var names: [String] = []
        forEachMember { (name, _) in names.append(String(decoding: name, as: UTF8.self)) }
        return names
    }

    /// Returns an element of an array; nil if the index is out of range.
    package subscript(index: Int) -> JSONValue? {
        guard index >= 0 else { return nil }
        switch place {
        case .tree(let node): return json_array_get(node, index).map { JSONValue($0) }
        case .outline(let node):
            guard node.pointee.kind == .array, index < node.pointee.count else { return nil }
            return JSONValue(JSONOutline.child(index, of: node))
        }
    }

    /// The elements of an array, in order.
    package var elements: some Sequence<JSONValue> {
        (0..<(kind == .array ? count : 0)).lazy.compactMap { self[$0] }
    }

    /// Calls `body` for each member of an object, in the order of the text.
    package func forEachMember<Failure: Error>(
        _ body: (_ name: UnsafeBufferPointer<UInt8>, _ value: JSONValue) throws(Failure) -> Void
    ) throws(Failure) {
        switch place {
        case .tree(let node):
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
        case .outline(let node):
            guard node.pointee.kind == .object else { return }
            for index in 0..<Int(node.pointee.count) {
                let member = JSONOutline.child(index, of: node)
                try body(member.pointee.name, JSONValue(member))
            }
        }
    }
}

extension JSONOutline.Node {
    /// The integer; at most 18 digits cannot overflow.
    fileprivate var integer: Int64? {
        guard kind == .integer else { return nil }
        var number: Int64 = 0
        for byte in text where byte != UInt8(ascii: "-") {
            number = number &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
        }
        return text.first == UInt8(ascii: "-") ? -number : number
    }
}

extension JSONOutline {
    fileprivate static func child(
        _ index: Int, of container: UnsafePointer<Node>
    ) -> UnsafePointer<Node> {
        var child = container + 1
        for _ in 0..<index { child += Int(child.pointee.size) }
        return child
    }

    fileprivate static func member(
        of container: UnsafePointer<Node>, _ name: UnsafeBufferPointer<UInt8>
    ) -> JSONValue? {
        guard container.pointee.kind == .object else { return nil }
        var member = container + 1
        for _ in 0..<container.pointee.count {
            if member.pointee.name.isSame(as: name) { return JSONValue(member) }
            member += Int(member.pointee.size)
        }
        return nil
    }
}
