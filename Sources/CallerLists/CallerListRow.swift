internal import BrokerJSON

/// The fields of a line.
struct CallerListRow {
    var number: ArraySlice<UInt8> = []
    var label: ArraySlice<UInt8> = []
    var isBlocked = false

    init() {}

    /// Parses an object with these members and no others.
    init(json text: ArraySlice<UInt8>, line: Int) throws(CallerListError) {
        let fault = text.withUnsafeBufferPointer {
            bytes -> Result<CallerListRow, CallerListError> in
            do throws(CallerListError) {
                return .success(try Self.parse(bytes, line))
            } catch {
                return .failure(error)
            }
        }
        self = try fault.get()
    }

    private static func parse(
        _ text: UnsafeBufferPointer<UInt8>, _ line: Int
    ) throws(CallerListError) -> CallerListRow {
        let document: JSONDocument
        do throws(JSONFault) {
            document = try JSONDocument(inPlace: text)
        } catch {
            throw CallerListError(
                line: line,
                reason: .notJSON(column: error.position.column, message: error.message))
        }
        guard document.root.kind == .object else {
            throw CallerListError(line: line, reason: .notObject)
        }
        var row = CallerListRow()
        try document.root.forEachMember { (name, value) throws(CallerListError) in
            if let reason = row.set(name, value) {
                throw CallerListError(line: line, reason: reason)
            }
        }
        return row
    }

    /// Sets the field of a member; returns the reason if the member is invalid.
    private mutating func set(
        _ name: UnsafeBufferPointer<UInt8>, _ value: JSONValue
    ) -> CallerListError.Reason? {
        if name.elementsEqual("number".utf8) {
            if let text = value.utf8 {
                number = ArraySlice(text)
            } else if let integer = value.integer {
                number = ArraySlice("\(integer)".utf8)
            } else {
                return .numberType
            }
        } else if name.elementsEqual("label".utf8) {
            guard let text = value.utf8 else {
                return value.isNull ? nil : .labelType
            }
            label = ArraySlice(text)
        } else if name.elementsEqual("blocked".utf8) {
            guard let flag = value.boolean else { return .blockedType }
            isBlocked = flag
        } else {
            return .unknownMember
        }
        return nil
    }

    /// The number, if it is written in the most common form: an optional `+` and digits.
    var simpleNumber: Int64? {
        let digits = number.first == UInt8(ascii: "+") ? number.dropFirst() : number
        guard (4...15).contains(digits.count), digits.first != UInt8(ascii: "0") else { return nil }
        var value: Int64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return value
    }
}
