internal import CallModel

/// What the user has typed and nobody has sent yet. While characters of a call are on their way, those
/// that follow wait, and go together: fast fingers make few requests, and the order is that of the keys.
struct TypedText {
    private var waiting: [CallID: String] = [:]
    private var sending: Set<CallID> = []

    /// Adds characters. Returns true if the caller is to send what waits.
    mutating func add(_ characters: String, to call: CallID) -> Bool {
        waiting[call, default: ""] += characters
        return sending.insert(call).inserted
    }

    /// Returns what is to be sent next, at most as much as one request takes; nil once nothing waits.
    mutating func next(of call: CallID) -> String? {
        guard let text = waiting.removeValue(forKey: call), !text.isEmpty else {
            sending.remove(call)
            return nil
        }
        let start = text.prefix(CallText.bytesMax / 32)
        waiting[call] = String(text.dropFirst(start.count))
        return String(start)
    }

    /// Forgets what waits, after the call or its app has refused text.
    mutating func drop(_ call: CallID) {
        waiting[call] = nil
        sending.remove(call)
    }
}
