package import BrokerJSON

/// The replies to one batch, collected until the last one has arrived.
///
/// The array must fit into one frame. Each outstanding reply needs room for at least an error, so a
/// reply that would take up that room is replaced by the error `reply_bytes`.
package struct BatchReply {
    /// The maximum length of an error `reply_bytes`, with the longest id and its escapes.
    package static let errorBytesMax = 640

    private var writer = JSONWriter(Array("[".utf8))
    private var remaining: Int
    private let frameBytesMax: Int
    /// The ids of the batch's requests; none may be reused before the batch is answered.
    package private(set) var heldIDs: [RequestID] = []

    /// - Parameter entries: The number of entries of the batch. Each is answered with `add` or
    ///   `skip`ped.
    package init(entries: Int, frameOutBytes: Int) {
        remaining = entries
        frameBytesMax = frameOutBytes
    }

    /// Indicates whether every entry has been answered or skipped.
    package var isComplete: Bool {
        remaining == 0
    }

    /// Adds the id of a request that will be answered later.
    package mutating func hold(_ id: RequestID) {
        heldIDs.append(id)
    }

    /// Records that an entry gets no reply.
    package mutating func skip() {
        remaining -= 1
    }

    /// Adds a reply: the output of `write`, or an error if that is too long.
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

    /// The frame, including LF; nil if there are no replies, as then nothing is sent.
    package consuming func frame() -> [UInt8]? {
        guard writer.bytes.count > 1 else { return nil }
        writer.bytes.append(contentsOf: "]\n".utf8)
        return writer.bytes
    }
}

extension RPCError {
    /// Returns the error for a reply that does not fit into a frame.
    package static func replyBytes(_ frameOutBytes: Int) -> RPCError {
        frameLimit(.replyBytes, frameOutBytes, "the reply does not fit into one frame").with {
            $0.hint = "request less at once"
        }
    }
}
