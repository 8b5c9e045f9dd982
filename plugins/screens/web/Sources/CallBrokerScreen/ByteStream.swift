import FlyingSocks
import FoundationEssentials

/// A connection, read in bounded pieces.
struct ByteStream {
    /// Why reading ends.
    enum Failure: Error {
        case ended
        case tooLong
    }

    private static let chunk = 4_096

    let socket: AsyncSocket
    private var buffer: [UInt8] = []

    init(_ socket: AsyncSocket) {
        self.socket = socket
    }

    /// Returns the bytes up to and without `mark`, of which there may be `limit`.
    mutating func read(until mark: [UInt8], limit: Int) async throws -> [UInt8] {
        var searched = 0
        while true {
            if let end = buffer.position(of: mark, from: searched) {
                defer { buffer.removeFirst(end + mark.count) }
                return Array(buffer[..<end])
            }
            guard buffer.count <= limit else { throw Failure.tooLong }
            searched = max(0, buffer.count - mark.count + 1)
            try await fill()
        }
    }

    /// Returns exactly `count` bytes.
    mutating func read(count: Int) async throws -> [UInt8] {
        while buffer.count < count { try await fill() }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    private mutating func fill() async throws {
        let bytes = try await socket.read(atMost: Self.chunk)
        guard !bytes.isEmpty else { throw Failure.ended }
        buffer += bytes
    }
}

extension [UInt8] {
    /// Returns where `mark` begins, at `start` or later.
    func position(of mark: [UInt8], from start: Int = 0) -> Int? {
        guard count >= mark.count, start <= count - mark.count else { return nil }
        return (start...(count - mark.count)).first { index in
            self[index] == mark[0] && self[index..<(index + mark.count)].elementsEqual(mark)
        }
    }
}
