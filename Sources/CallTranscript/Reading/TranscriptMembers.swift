internal import CallModel

/// A member with its name and its value, not yet parsed.
package struct TranscriptPair: Sendable {
    package let name: TranscriptField
    package let value: TranscriptField
}

extension TranscriptSource {
    /// Returns the members from an index to the end of the line as pairs.
    package func pairs(from start: Int) throws(TranscriptError) -> [TranscriptPair] {
        try TranscriptMembers(self, from: start, to: range.upperBound).pairs
    }
}

/// The members of a line or of a record. Each is read once; one that is never read is an error.
struct TranscriptMembers {
    private struct Member {
        let key: Range<Int>
        let value: Range<Int>
        var isRead = false
    }

    let source: TranscriptSource
    /// The end of the members, where a missing one is reported.
    private let end: Int
    private var members: [Member] = []
    /// The index of the next member, if they are in the order of writing.
    private var next = 0

    init(_ source: TranscriptSource, from start: Int, to end: Int) throws(TranscriptError) {
        self.source = source
        self.end = end
        members.reserveCapacity(12)
        var place = source.skipSpaces(from: start, before: end)
        while place < end {
            let member = try Self.member(source, at: place, before: end)
            members.append(member)
            let stop = member.value.upperBound
            place = source.skipSpaces(from: stop, before: end)
            guard place > stop || place == end else {
                throw source.error(at: stop, expected: "a space")
            }
        }
    }

    private static func member(_ source: TranscriptSource, at start: Int, before end: Int)
        throws(TranscriptError) -> Member
    {
        let stop = source.endOfWord(at: start, before: end)
        guard stop > start else { throw source.error(at: start, expected: "a member") }
        guard stop < end, source.bytes[stop] == UInt8(ascii: "=") else {
            throw source.error(at: stop, expected: "\"=\"")
        }
        let valueEnd = try source.endOfValue(at: stop + 1, before: end)
        return Member(key: start..<stop, value: stop + 1..<valueEnd)
    }

    // MARK: - Reading

    mutating func optionalField(_ name: StaticString) -> TranscriptField? {
        guard let index = index(of: name) else { return nil }
        members[index].isRead = true
        next = index + 1
        let value = members[index].value
        return TranscriptField(source: source, start: value.lowerBound, end: value.upperBound)
    }

    mutating func requiredField(_ name: StaticString) throws(TranscriptError) -> TranscriptField {
        if let field = optionalField(name) { return field }
        throw TranscriptError(
            line: source.number, column: source.column(of: end), expected: "\(name)=",
            found: end == source.range.upperBound ? "the end of the line" : "the end of the record")
    }

    mutating func required<Value: TranscriptValue>(_ name: StaticString) throws(TranscriptError)
        -> Value
    {
        try Value.read(try requiredField(name))
    }

    mutating func optional<Value: TranscriptValue>(_ name: StaticString) throws(TranscriptError)
        -> Value?
    {
        guard let field = optionalField(name) else { return nil }
        return try Value.read(field)
    }

    mutating func optional<Value: TranscriptValue>(_ name: StaticString, default standard: Value)
        throws(TranscriptError) -> Value
    {
        guard let field = optionalField(name) else { return standard }
        return try Value.read(field)
    }

    /// Reads a member that replaces a default value.
    mutating func read<Value: TranscriptValue>(_ name: StaticString, into value: inout Value)
        throws(TranscriptError)
    {
        guard let field = optionalField(name) else { return }
        value = try Value.read(field)
    }

    mutating func read<Value: TranscriptValue>(_ name: StaticString, into value: inout Value?)
        throws(TranscriptError)
    {
        guard let field = optionalField(name) else { return }
        value = try Value.read(field)
    }

    /// Reads a required member that may be `null`.
    mutating func requiredOrNull<Value: TranscriptValue>(_ name: StaticString)
        throws(TranscriptError) -> Value?
    {
        let field = try requiredField(name)
        return field.isNull ? nil : try Value.read(field)
    }

    mutating func change<Value: TranscriptValue>(_ name: StaticString) throws(TranscriptError)
        -> Change<Value>
    {
        guard let field = optionalField(name) else { return .unchanged }
        return field.isNull ? .cleared : .set(try Value.read(field))
    }

    /// Throws for a member that was not read: it is unknown, or repeated.
    func finish() throws(TranscriptError) {
        guard let left = members.first(where: { !$0.isRead }) else { return }
        let name = source.bytes[left.key]
        let isDouble = members.contains { $0.isRead && source.bytes[$0.key] == name }
        throw source.error(
            at: left.key.lowerBound, to: left.key.upperBound,
            expected: isDouble ? "each member once" : "no more members")
    }

    /// The members as pairs, for other notations.
    var pairs: [TranscriptPair] {
        members.map { member in
            TranscriptPair(
                name: field(member.key), value: field(member.value))
        }
    }

    private func field(_ range: Range<Int>) -> TranscriptField {
        TranscriptField(source: source, start: range.lowerBound, end: range.upperBound)
    }

    // MARK: - Finding

    private func index(of name: StaticString) -> Int? {
        for index in next..<members.count where isNamed(index, name) { return index }
        for index in 0..<next where isNamed(index, name) { return index }
        return nil
    }

    private func isNamed(_ index: Int, _ name: StaticString) -> Bool {
        let key = members[index].key
        return !members[index].isRead
            && TranscriptField(source: source, start: key.lowerBound, end: key.upperBound)
                .isEqual(to: name)
    }
}
