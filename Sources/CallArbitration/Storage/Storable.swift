/// A part of a stored state or of a stored event. A new property of a type is added to both
/// functions, in the same place.
package protocol Storable {
    func store(in writer: inout StateWriter)
    init(from reader: inout StateReader) throws(StateError)
}

extension Bool: Storable {
    package func store(in writer: inout StateWriter) {
        writer.put(flag: self)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self = try reader.takeFlag()
    }
}

/// A number that identifies the case that follows.
extension UInt8: Storable {
    package func store(in writer: inout StateWriter) {
        writer.put(byte: self)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self = try reader.takeByte()
    }
}

extension UInt64: Storable {
    package func store(in writer: inout StateWriter) {
        writer.put(number: self)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self = try reader.takeNumber()
    }
}

extension Int: Storable {
    package func store(in writer: inout StateWriter) {
        writer.put(signed: Int64(self))
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self = Int(try reader.takeSigned())
    }
}

extension String: Storable {
    package func store(in writer: inout StateWriter) {
        writer.put(text: self)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self = try reader.takeText()
    }
}

extension Optional: Storable where Wrapped: Storable {
    package func store(in writer: inout StateWriter) {
        writer.put(flag: self != nil)
        if let self { self.store(in: &writer) }
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self = try reader.takeFlag() ? try Wrapped(from: &reader) : nil
    }
}

/// A list, whose elements must take at least a byte each.
extension Array: Storable where Element: Storable {
    package func store(in writer: inout StateWriter) {
        writer.put(number: UInt64(count))
        for element in self {
            element.store(in: &writer)
            writer.handOver()
        }
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self = []
        for _ in 0..<(try reader.takeCount("a list")) { append(try Element(from: &reader)) }
    }
}

/// A set of bits.
protocol StoredFlags: Storable, OptionSet where RawValue: FixedWidthInteger & UnsignedInteger {}

extension StoredFlags {
    package func store(in writer: inout StateWriter) {
        writer.put(number: UInt64(rawValue))
    }

    package init(from reader: inout StateReader) throws(StateError) {
        let number = try reader.takeNumber()
        guard let bits = RawValue(exactly: number) else {
            throw reader.unexpected(number, expected: "\(RawValue.bitWidth) bits")
        }
        self.init(rawValue: bits)
    }
}
