import CallKit

/// A call of the app, and what it looks like to its user.
final class SpeakerboxCall {
    let uuid: UUID
    let isOutgoing: Bool
    let handle: String
    var hasConnected = false
    var isOnHold = false

    init(uuid: UUID, isOutgoing: Bool = false, handle: String) {
        self.uuid = uuid
        self.isOutgoing = isOutgoing
        self.handle = handle
    }

    var description: String {
        let state = isOnHold ? "on hold" : hasConnected ? "connected" : "connecting"
        return "\(handle), \(isOutgoing ? "outgoing" : "incoming"), \(state)"
    }
}
