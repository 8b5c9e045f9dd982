import FlyingSocks
import FoundationEssentials

/// The frames of a WebSocket (RFC 6455), server side, with a limit for what one message may have.
struct WebSocket {
    /// What the browser sends.
    enum Message {
        case text([UInt8])
        case ping([UInt8])
        case pong
        case close
    }

    /// Why the browser is disconnected.
    enum Failure: Error {
        /// What the protocol does not allow, or this server does not take.
        case protocolError
        case tooLong
    }

    /// The kinds of frames.
    enum Opcode: UInt8 {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10
    }

    private struct Frame {
        let isFinal: Bool
        let opcode: Opcode
        let payload: [UInt8]
    }

    /// The longest message: the broker takes no longer frame.
    static let messageLimit = 1_048_576

    private static let identity = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    private var stream: ByteStream

    init(_ stream: ByteStream) {
        self.stream = stream
    }

    /// Returns what the server replies to the key of a handshake.
    static func acceptance(of key: String) -> String {
        Data(SHA1.digest(Array((key + identity).utf8))).base64EncodedString()
    }

    /// Returns a whole frame of the server.
    static func frame(_ opcode: Opcode, _ payload: some Collection<UInt8>) -> Data {
        var bytes = Data([0x80 | opcode.rawValue])
        let count = payload.count
        switch count {
        case ..<126: bytes.append(UInt8(count))
        case ..<65_536: bytes.append(contentsOf: [126, UInt8(count >> 8), UInt8(count & 0xFF)])
        default:
            bytes.append(127)
            bytes.append(
                contentsOf: stride(from: 56, through: 0, by: -8).map { UInt8(count >> $0 & 0xFF) })
        }
        bytes.append(contentsOf: payload)
        return bytes
    }

    /// Reads the next message, from one or more frames.
    mutating func next() async throws -> Message {
        var text: [UInt8]?
        while true {
            let frame = try await read(limit: Self.messageLimit - (text?.count ?? 0))
            switch (frame.opcode, text) {
            case (.close, _): return .close
            case (.ping, nil): return .ping(frame.payload)
            case (.pong, nil): return .pong
            case (.ping, _), (.pong, _): continue
            case (.text, nil): text = frame.payload
            case (.continuation, let begun?): text = begun + frame.payload
            default: throw Failure.protocolError
            }
            if frame.isFinal, let text { return .text(text) }
        }
    }

    private mutating func read(limit: Int) async throws -> Frame {
        let head = try await stream.read(count: 2)
        // No extension is agreed upon, and a browser masks what it sends.
        guard head[0] & 0x70 == 0, head[1] & 0x80 != 0,
            let opcode = Opcode(rawValue: head[0] & 0x0F)
        else { throw Failure.protocolError }
        let length = try await length(head[1] & 0x7F)
        guard opcode.rawValue < 8 || length < 126 else { throw Failure.protocolError }
        guard length <= limit else { throw Failure.tooLong }
        let mask = try await stream.read(count: 4)
        var payload = try await stream.read(count: length)
        for index in payload.indices { payload[index] ^= mask[index & 3] }
        return Frame(isFinal: head[0] & 0x80 != 0, opcode: opcode, payload: payload)
    }

    private mutating func length(_ short: UInt8) async throws -> Int {
        guard short >= 126 else { return Int(short) }
        let bytes = try await stream.read(count: short == 126 ? 2 : 8)
        guard bytes.count == 2 || bytes[0] == 0 else { throw Failure.tooLong }
        return bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
