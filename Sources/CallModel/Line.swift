/// An account of an app that has calls of its own, such as a SIP address or a SIM card.
public struct Line: Hashable, Sendable {
    /// The maximum number of lines of a provider.
    public static let countMax = 32
    /// The maximum length of an id, in bytes of UTF-8.
    public static let idBytesMax = 64
    /// The maximum length of a label or a reason, in bytes of UTF-8.
    public static let textBytesMax = 128

    /// States of a line at its network, by their words on the wire.
    public enum State: String, CaseIterable, Sendable {
        /// The line can have calls.
        case registered
        /// The app is registering the line.
        case registering
        /// The line cannot have calls: see its reason.
        case failed
        /// The line is turned off in its app.
        case off
    }

    /// The id of the line, unique in its app.
    public var id: String
    /// The name of the line as people see it.
    public var label: String
    /// The line's own address.
    public var handle: Handle?
    /// The URL schemes that the line can dial; those of the app if empty.
    public var urlSchemes: [String] = []
    /// Indicates the line of calls for which none is named. At most one of an app.
    public var isDefault = false
    /// The state at the network.
    public var state = State.registered
    /// The network's words for the state, such as `403 Forbidden`.
    public var reason: String?
    /// The maximum number of calls on the line; nil for no limit but the app's.
    public var maxCalls: Int?
    /// The number of messages that wait for the user; nil if it is not known.
    public var messagesWaiting: Int?
    /// The address of the voicemail.
    public var voicemail: Handle?
    /// What the network keeps for the line and the user can change, at most one of a kind.
    public var settings: [LineSetting] = []

    /// Creates a registered line without an address of its own.
    public init(id: String, label: String) {
        self.id = id
        self.label = label
    }
}
