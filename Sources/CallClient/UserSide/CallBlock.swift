internal import BrokerJSON
public import CallModel
internal import CallProtocol

/// An entry of the user's block list, whose calls do not ring.
public struct CallBlock: Hashable, Sendable {
    /// The callers that an entry blocks.
    public enum Who: Hashable, Sendable {
        /// One number or address.
        case handle(Handle)
        /// All addresses of the handle's kind that start with its value.
        case prefix(Handle)
    }

    /// The blocked callers.
    public let who: Who
    /// A note for the user.
    public let reason: String?
    /// The time at which the entry was added: Unix time in milliseconds.
    public let addedAtMS: Int64
}

extension CallController {
    /// Blocks callers: their calls do not ring, the app's report is refused as `filtered`, and the
    /// history shows the call. An existing entry gets the new reason.
    @discardableResult
    public func block(
        _ who: CallBlock.Who, reason: String? = nil
    ) async throws(CallError) -> CallBlock {
        try await link.request(
            .addBlock,
            { writer in
                writer.member(who)
                writer.member("reason", ifSet: reason)
            }
        ) { CallBlock($0) }
    }

    /// Removes an entry of the block list.
    ///
    /// - Returns: whether there was such an entry.
    @discardableResult
    public func unblock(_ who: CallBlock.Who) async throws(CallError) -> Bool {
        try await link.request(.removeBlock, { $0.member(who) }) { $0["removed"]?.boolean }
    }

    /// Returns the block list, oldest entry first.
    public func blocks() async throws(CallError) -> [CallBlock] {
        try await all(.listBlocks, "blocks") { CallBlock($0) }
    }
}

extension CallBlock {
    fileprivate init?(_ value: JSONValue) {
        if let handle = value["handle"] {
            who = .handle(Handle(checked: handle))
        } else if let prefix = value["prefix"] {
            who = .prefix(Handle(checked: prefix))
        } else {
            return nil
        }
        reason = value["reason"]?.string
        addedAtMS = value["added_at_ms"]?.integer ?? 0
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ who: CallBlock.Who) {
        switch who {
        case .handle(let handle): member("handle", handle)
        case .prefix(let prefix): member("prefix", prefix)
        }
    }
}
