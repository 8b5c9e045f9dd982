internal import BrokerJSON
public import CallModel
internal import CallProtocol

/// Somebody whose calls shall not ring.
public struct CallBlock: Hashable, Sendable {
    public enum Who: Hashable, Sendable {
        /// One number or address.
        case handle(Handle)
        /// Every one of that kind that begins so.
        case prefix(Handle)
    }

    public let who: Who
    /// For the user.
    public let reason: String?
    /// Unix time in milliseconds.
    public let addedAtMS: Int64
}

extension CallController {
    /// Calls of somebody shall not ring: their app hears that they are blocked, the history says who
    /// called. What is blocked already gets the new reason.
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

    /// Calls of somebody may ring again.
    ///
    /// - Returns: whether there was such a block.
    @discardableResult
    public func unblock(_ who: CallBlock.Who) async throws(CallError) -> Bool {
        try await link.request(.removeBlock, { $0.member(who) }) { $0["removed"]?.boolean }
    }

    /// Who is blocked, the oldest block first.
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
