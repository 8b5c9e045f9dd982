internal import CallModel

/// Ids of calls, actions, transactions and providers.

extension UUIDBits: TranscriptValue {
    private static let counterMask: UInt64 = 1 << 62 - 1

    func write(to writer: inout TranscriptWriter) {
        if high == 0 {
            writer.append(decimal: low)
        } else if self == UUIDBits(lineage: writer.lineage, counter: low & Self.counterMask) {
            writer.append(UInt8(ascii: "b"))
            writer.append(decimal: low & Self.counterMask)
        } else {
            writer.append(uuid: self)
        }
    }

    static func read(_ field: TranscriptField) throws(TranscriptError) -> UUIDBits {
        let expected = "an id: a number, b and a number, or a UUID"
        guard field.isWord, field.start < field.end else { throw field.error(expected: expected) }
        if field.end - field.start == 36 {
            let bits = field.source.bytes[field.start..<field.end]
                .withUnsafeBufferPointer { UUIDBits(utf8: $0) }
            if let bits { return bits }
        }
        if field.source.bytes[field.start] == UInt8(ascii: "b") {
            if let counter = field.unsigned(from: field.start + 1), counter <= counterMask {
                return UUIDBits(lineage: field.source.lineage, counter: counter)
            }
        }
        guard let low = field.unsigned() else { throw field.error(expected: expected) }
        return UUIDBits(high: 0, low: low)
    }
}

extension CallID: TranscriptValue {
    func write(to writer: inout TranscriptWriter) {
        bits.write(to: &writer)
    }

    static func read(_ field: TranscriptField) throws(TranscriptError) -> CallID {
        CallID(try UUIDBits.read(field))
    }
}

extension ActionID: TranscriptValue {
    func write(to writer: inout TranscriptWriter) {
        bits.write(to: &writer)
    }

    static func read(_ field: TranscriptField) throws(TranscriptError) -> ActionID {
        if let action = try field.referredAction() { return action.id }
        return ActionID(try UUIDBits.read(field))
    }
}

extension TransactionID: TranscriptValue {
    func write(to writer: inout TranscriptWriter) {
        bits.write(to: &writer)
    }

    static func read(_ field: TranscriptField) throws(TranscriptError) -> TransactionID {
        if let action = try field.referredAction() { return action.transaction }
        return TransactionID(try UUIDBits.read(field))
    }
}

extension ProviderID: TranscriptValue {
    func write(to writer: inout TranscriptWriter) {
        writer.append(string: name)
    }

    static func read(_ field: TranscriptField) throws(TranscriptError) -> ProviderID {
        ProviderID(try field.text())
    }
}
