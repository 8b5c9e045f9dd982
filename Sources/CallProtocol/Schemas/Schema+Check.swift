package import BrokerJSON
package import BrokerRPC

/// The violation of a schema, and its place below the checked value.
package struct SchemaFault: Error, Equatable, Sendable {
    package let reason: ErrorReason
    package let message: String
    /// A JSON pointer from the checked value.
    package var pointer = ""

    package init(reason: ErrorReason, message: String, pointer: String = "") {
        self.reason = reason
        self.message = message
        self.pointer = pointer
    }

    /// True if a member is one that the schema does not define.
    package var isUnknownMember: Bool {
        reason == .unknownMember
    }

    package func inside(_ name: some StringProtocol) -> SchemaFault {
        var copy = self
        copy.pointer = "/\(name)" + pointer
        return copy
    }
}

extension Schema {
    /// The treatment of members that a schema does not define.
    package enum Strangers: Sendable {
        /// Rejected, unless the name begins with `x_`; for requests to the broker.
        case refused
        /// Accepted, since a later release may send more; for what the broker sends.
        case ignored
    }

    /// Checks a value in place. A valid value allocates nothing.
    package func check(
        _ value: JSONValue, strangers: Strangers = .refused
    ) throws(SchemaFault) {
        switch self {
        case .any: break
        case .boolean: try expect(value.boolean != nil, "true or false", value)
        case .integer(let range): try Self.check(value, in: range)
        case .string(let bytes): try Self.check(value, bytes: bytes)
        case .pattern(let pattern): try Self.check(value, pattern)
        case .choice(let words, let isOpen): try Self.check(value, words, isOpen: isOpen)
        case .object(let members): try Self.check(value, members, strangers)
        case .map: try expect(value.kind == .object, "an object", value)
        case .dictionary(let names, let element, let count):
            try Self.check(value, names, element, count, strangers)
        case .array(let element, let count):
            try Self.check(value, element, count, strangers)
        case .oneOf(let schemas): try Self.check(value, oneOf: schemas, strangers)
        case .null: try expect(value.kind == .null, "null", value)
        case .nullable(let schema):
            if value.kind != .null { try schema.check(value, strangers: strangers) }
        }
    }

    /// Checks the members of an object; an absent object is the same as an empty one.
    static func check(
        _ object: JSONValue?, _ members: [Member], _ strangers: Strangers = .refused
    ) throws(SchemaFault) {
        if let object { return try check(object, members, strangers) }
        if let missing = members.first(where: \.isRequired) {
            throw SchemaFault(
                reason: .missingMember, message: "is required", pointer: "/\(missing.name)")
        }
    }

    /// Checks the members of an object. Each defined member is looked up; unknown ones are searched
    /// for only if the object has more members than were found.
    static func check(
        _ object: JSONValue, _ members: [Member], _ strangers: Strangers = .refused
    ) throws(SchemaFault) {
        guard object.kind == .object else { throw wrongType("an object", object) }
        var found = 0
        for member in members {
            if let value = object[member.name] {
                found += 1
                do throws(SchemaFault) {
                    try member.schema.check(value, strangers: strangers)
                } catch {
                    throw error.inside("\(member.name)")
                }
            } else if member.isRequired {
                // An unknown name explains a missing one better than the reverse.
                if strangers == .refused { try refuseStrangers(in: object, members) }
                throw SchemaFault(reason: .missingMember, message: "is required")
                    .inside("\(member.name)")
            }
        }
        guard strangers == .refused, found < object.count else { return }
        try refuseStrangers(in: object, members)
    }

    /// Rejects unknown members, because a misspelled option that is silently ignored costs an
    /// afternoon. Members that begin with `x_` are experiments, and are dropped. The error contains
    /// the name only if it looks like one, as errors must not carry the peer's own text.
    private static func refuseStrangers(
        in object: JSONValue, _ members: [Member]
    ) throws(SchemaFault) {
        try object.forEachMember { (name, _) throws(SchemaFault) in
            let isKnown = members.contains { name.elementsEqual($0.name.bytes) }
            if isKnown || name.starts(with: "x_".utf8) { return }
            guard looksLikeAName(name) else {
                throw SchemaFault(
                    reason: .unknownMember, message: "has an unknown member"
                )
            }
            throw SchemaFault(reason: .unknownMember, message: "is not a member of this method")
                .inside(String(decoding: name, as: UTF8.self))
        }
    }

    private static func looksLikeAName(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = text.first, text.count <= 40 else { return false }
        func isLetter(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "_")
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        let digits = text.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isLetter(first) && digits <= 3 && text.count(where: isLetter) + digits == text.count
    }

    private static func check(
        _ value: JSONValue, in range: ClosedRange<Int64>
    ) throws(SchemaFault) {
        guard let integer = value.integer else { throw wrongType("an integer", value) }
        guard range.contains(integer) else {
            throw SchemaFault(
                reason: .outOfRange,
                message: "must be from \(range.lowerBound) to \(range.upperBound)")
        }
    }

    private static func check(
        _ value: JSONValue, bytes: ClosedRange<Int>
    ) throws(SchemaFault) {
        guard let utf8 = value.utf8 else { throw wrongType("a string", value) }
        guard utf8.count <= bytes.upperBound else {
            throw SchemaFault(
                reason: .tooLong, message: "may have at most \(bytes.upperBound) bytes")
        }
        guard utf8.count >= bytes.lowerBound else {
            throw SchemaFault(
                reason: .tooShort, message: "must have at least \(bytes.lowerBound) bytes")
        }
    }

    private static func check(_ value: JSONValue, _ pattern: Pattern) throws(SchemaFault) {
        guard let utf8 = value.utf8 else { throw wrongType("a string", value) }
        guard pattern.matches(utf8) else {
            throw SchemaFault(reason: .wrongForm, message: "must be \(pattern.words)")
        }
    }

    private static func check(
        _ value: JSONValue, _ words: [String], isOpen: Bool
    ) throws(SchemaFault) {
        guard let utf8 = value.utf8 else { throw wrongType("a string", value) }
        if isOpen {
            try check(value, bytes: 1...64)
        } else if !words.contains(where: { utf8.elementsEqual($0.utf8) }) {
            throw SchemaFault(
                reason: .notOneOf, message: "must be one of " + words.joined(separator: ", "))
        }
    }

    private static func check(
        _ value: JSONValue, _ element: Schema, _ count: ClosedRange<Int>, _ strangers: Strangers
    ) throws(SchemaFault) {
        guard value.kind == .array else { throw wrongType("an array", value) }
        guard count.contains(value.count) else {
            throw SchemaFault(
                reason: value.count < count.lowerBound ? .tooFew : .tooMany,
                message: "must have \(count.lowerBound) to \(count.upperBound) elements")
        }
        var index = 0
        for item in value.elements {
            do throws(SchemaFault) {
                try element.check(item, strangers: strangers)
            } catch {
                throw error.inside("\(index)")
            }
            index += 1
        }
    }

    private static func check(
        _ value: JSONValue, _ names: Pattern, _ element: Schema, _ count: ClosedRange<Int>,
        _ strangers: Strangers
    ) throws(SchemaFault) {
        guard value.kind == .object else { throw wrongType("an object", value) }
        guard count.contains(value.count) else {
            throw SchemaFault(
                reason: value.count < count.lowerBound ? .tooFew : .tooMany,
                message: "must have \(count.lowerBound) to \(count.upperBound) members")
        }
        try value.forEachMember { (name, item) throws(SchemaFault) in
            guard names.matches(name) else {
                throw SchemaFault(
                    reason: .wrongForm, message: "has a member whose name is not \(names.words)")
            }
            do throws(SchemaFault) {
                try element.check(item, strangers: strangers)
            } catch {
                let isTellable = looksLikeAName(name)
                throw isTellable ? error.inside(String(decoding: name, as: UTF8.self)) : error
            }
        }
    }

    private static func check(
        _ value: JSONValue, oneOf schemas: [Schema], _ strangers: Strangers
    ) throws(SchemaFault) {
        var first: SchemaFault?
        for schema in schemas {
            do throws(SchemaFault) {
                return try schema.check(value, strangers: strangers)
            } catch {
                first = first ?? error
            }
        }
        if let first { throw first }
    }

    private func expect(
        _ condition: Bool, _ expected: StaticString, _ value: JSONValue
    ) throws(SchemaFault) {
        guard condition else { throw Self.wrongType(expected, value) }
    }

    private static func wrongType(_ expected: StaticString, _ found: JSONValue) -> SchemaFault {
        SchemaFault(
            reason: .wrongType, message: "must be \(expected), not \(found.kind.withArticle)")
    }
}

extension StaticString {
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
    }
}

extension JSONValue.Kind {
    fileprivate var withArticle: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .integer: "an integer"
        case .real: "a fraction"
        case .boolean: "true or false"
        case .null: "null"
        }
    }
}

extension RPCError {
    /// The error for params that violate their schema.
    package init(_ fault: SchemaFault) {
        let place = "params" + fault.pointer.replacingSlashes()
        self.init(.invalidParams, reason: fault.reason, "\(place) \(fault.message)")
        field = fault.pointer
    }
}

extension String {
    /// The JSON pointer with dots, for people.
    fileprivate func replacingSlashes() -> String {
        String(map { $0 == "/" ? "." : $0 })
    }
}
