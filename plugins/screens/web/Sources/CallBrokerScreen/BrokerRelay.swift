import FlyingSocks
import FoundationEssentials

/// Carries the frames of one page to a connection of its own at the broker, and back.
///
/// Nothing is kept: the next bytes are read when the last ones are written, so that a slow page or
/// a slow broker makes the other side wait, which bounds its own queue.
struct BrokerRelay {
    private static let newline: UInt8 = 10
    /// The longest line of the broker.
    private static let lineLimit = 4_194_304

    let page: ByteStream
    let broker: AsyncSocket
    private let writer: FrameWriter

    init(page: ByteStream, broker: AsyncSocket) {
        self.page = page
        self.broker = broker
        writer = FrameWriter(page.socket)
    }

    /// Returns when one of the two has gone; the other is then disconnected.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await fromPage() }
            group.addTask { await fromBroker() }
            await group.next()
            group.cancelAll()
        }
    }

    private func fromPage() async {
        var socket = WebSocket(page)
        do {
            while true {
                switch try await socket.next() {
                // A line break within a message would end a frame of the broker early.
                case .text(let text):
                    try await broker.write(Data(text.map { $0 == Self.newline ? 32 : $0 } + [10]))
                case .ping(let payload): try await writer.write(.pong, payload)
                case .pong: break
                case .close: return
                }
            }
        } catch WebSocket.Failure.tooLong {
            try? await writer.write(.close, [3, 241])
        } catch WebSocket.Failure.protocolError {
            try? await writer.write(.close, [3, 234])
        } catch {
            return
        }
    }

    /// Sends all lines that are there as one message, so that the page draws once.
    private func fromBroker() async {
        var rest: [UInt8] = []
        do {
            while true {
                let bytes = try await broker.read(atMost: 65_536)
                guard !bytes.isEmpty else { break }
                rest += bytes
                if let end = rest.lastIndex(of: Self.newline) {
                    try await writer.write(.text, rest[..<end])
                    rest.removeFirst(end + 1)
                }
                guard rest.count <= Self.lineLimit else { break }
            }
        } catch {}
        try? await writer.write(.close, [3, 233])
    }
}

/// Writes one frame after another to a page.
private actor FrameWriter {
    private let socket: AsyncSocket
    private var last: Task<Void, any Error>?

    init(_ socket: AsyncSocket) {
        self.socket = socket
    }

    /// Returns when the frame is written, behind those before it.
    func write(_ opcode: WebSocket.Opcode, _ payload: some Collection<UInt8> & Sendable)
        async throws
    {
        let frame = WebSocket.frame(opcode, payload)
        let task = Task { [last, socket] in
            _ = await last?.result
            try await socket.write(frame)
        }
        last = task
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
