import Glibc

/// The bytes of a journal, taken apart as `JournalForm` describes them: a line, then frames, each with
/// its length and its checksum in front.
struct JournalBytes {
    var firstLine: [UInt8]
    /// The contents of the frames.
    var frames: [[UInt8]]

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        firstLine = Array(rest.prefix { $0 != 0x0A }) + [0x0A]
        rest = rest.dropFirst(firstLine.count)
        frames = []
        // Zeros are the room behind the last one.
        while rest.prefix(8).contains(where: { $0 != 0 }) {
            let length = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            frames.append(Array(rest.dropFirst(8).prefix(length)))
            rest = rest.dropFirst(8 + length)
        }
    }

    var bytes: [UInt8] {
        firstLine
            + frames.flatMap { Self.word(UInt32($0.count)) + Self.word(Self.checksum($0)) + $0 }
    }

    /// Where a frame begins.
    func place(ofFrame index: Int) -> Int {
        firstLine.count + frames[..<index].reduce(0) { $0 + 8 + $1.count }
    }

    private static func word(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// CRC-32, bit by bit.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var rest = UInt32.max
        for byte in bytes {
            rest ^= UInt32(byte)
            for _ in 0..<8 { rest = rest & 1 == 0 ? rest >> 1 : 0xEDB8_8320 ^ (rest >> 1) }
        }
        return ~rest
    }
}

extension [UInt8] {
    init(file path: String) throws {
        guard let stream = fopen(path, "re") else { throw SystemError("fopen \(path)") }
        defer { fclose(stream) }
        self = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&chunk, 1, chunk.count, stream), count > 0 {
            append(contentsOf: chunk[..<count])
        }
    }

    /// Takes the place of what is in the file.
    func write(to path: String) throws {
        guard let stream = fopen(path, "we") else { throw SystemError("fopen \(path)") }
        defer { fclose(stream) }
        guard fwrite(self, 1, count, stream) == count else { throw SystemError("fwrite") }
    }

    /// With other bytes, as many, in the place of some.
    func replacing(text: String, with other: String) -> [UInt8] {
        let (old, new) = (Array(text.utf8), Array(other.utf8))
        let places = indices.dropLast(old.count - 1).filter { self[$0...].starts(with: old) }
        var result = self
        for place in places { result.replaceSubrange(place..<place + old.count, with: new) }
        return result
    }
}
