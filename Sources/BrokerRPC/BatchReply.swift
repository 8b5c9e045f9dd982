package import BrokerJSON

/// Collects the replies to one batch until the last of them is there.
///
/// The array must fit into one frame. Each reply still to come needs room for at least an error, so
/// a reply that would eat into that room is replaced by the error `reply_bytes`.
package struct BatchReply {
    /// Enough for the error `reply_bytes` with the longest id, escapes included.
    package static let errorBytesMax = 640

    private var writer = JSONWriter(Array("[".utf8))
    private var remaining: Int
    private let frameBytesMax: Int
    /// The ids of its requests; none may be used again before the batch is answered.
    package private(set) var heldIDs: [RequestID] = []

    /// - Parameter entries: of how many it is known that they are answered, or `skip`ped.
    package init(entries: Int, frameOutBytes: Int) {
        remaining = entries
        frameBytesMax = frameOutBytes
    }

    package var isComplete: Bool {
        remaining == 0
    }

    package mutating func hold(_ id: RequestID) {
        heldIDs.append(id)
    }

    /// One entry turned out to get no reply.
    package mutating func skip() {
        remaining -= 1
    }

    /// Adds one reply: what `write` appends, or the error if that is too long.
    package mutating func add(
        replyTo id: RequestID?, _ write: (inout JSONWriter) -> Void
    ) {
        remaining -= 1
        let start = writer.bytes.count
        write(&writer)
        let reserved = remaining * Self.errorBytesMax + 2
        guard writer.bytes.count + reserved > frameBytesMax else { return }
        writer.bytes.removeLast(writer.bytes.count - start)
        writer.reply(to: id, error: .replyBytes(frameBytesMax))
    }

    /// The frame, LF included; nil if there was nothing to answer, which is answered with nothing.
    package consuming func frame() -> [UInt8]? {
        guard writer.bytes.count > 1 else { return nil }
        writer.bytes.append(contentsOf: "]\n".utf8)
        return writer.bytes
    }
}

extension RPCError {
    /// A reply that would not fit into a frame.
    package static func replyBytes(_ frameOutBytes: Int) -> RPCError {
        frameLimit(.replyBytes, frameOutBytes, "the reply does not fit into one frame").with {
            $0.hint = "ask for less at once"
        }
    }
}
