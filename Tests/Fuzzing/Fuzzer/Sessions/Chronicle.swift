internal import CallTesting

/// The list of calls as somebody knows it who only reads the events.
struct Chronicle {
    private var calls: [String: JSONTree] = [:]
    /// Where the next subscription goes on; nil before the first.
    private(set) var cursor: (epoch: String, seq: Int)?

    /// The reply to a subscription: its state, unless it goes on where the last one ended.
    mutating func begin(with result: JSONTree) {
        if cursor == nil || result["resync"]?.boolean == true {
            calls = [:]
            for call in result["snapshot"]?["calls"]?.elements ?? [] { note(call) }
            cursor = (result["epoch"]?.string ?? "", result["seq"]?.integer ?? 0)
        }
    }

    mutating func take(_ event: JSONTree) throws(Finding) {
        guard event["subscription"] != nil, let seq = event["seq"]?.integer, let known = cursor
        else { return }
        try require(event["prev"]?.integer == known.seq, "prev is not \(known.seq): \(event)")
        cursor?.seq = seq
        switch event["topic"]?.string {
        case "call.added", "call.changed": note(event["data"] ?? .null)
        case "call.removed": calls[event["data"]?["call"]?.string ?? ""] = nil
        default: break
        }
    }

    private mutating func note(_ call: JSONTree) {
        calls[call["call"]?.string ?? ""] = call
    }

    /// Compares with a list of the broker's.
    func check(_ list: [JSONTree]) throws(Finding) {
        try require(
            list.count == calls.count, "\(calls.count) calls by events, \(list.count) listed")
        for call in list {
            let known = calls[call["call"]?.string ?? ""]
            for name in ["state", "group", "provider", "muted", "held_because_of"] {
                try require(
                    known?[name] == call[name],
                    "\(name) by events: \(String(describing: known)), listed: \(call)")
            }
        }
    }
}
