/// A setting that the network keeps for a line, such as where it forwards calls.
public struct LineSetting: Hashable, Sendable {
    /// Kinds of settings, by their words on the wire.
    public enum Kind: String, CaseIterable, Sendable {
        /// All calls are forwarded, and the line does not ring.
        case forwardAlways = "forward_always"
        /// Calls are forwarded while the line is in a call.
        case forwardBusy = "forward_busy"
        /// Calls are forwarded that are not answered in time.
        case forwardNoReply = "forward_no_reply"
        /// Calls are forwarded while the line cannot be reached.
        case forwardUnreachable = "forward_unreachable"
        /// A call that comes in during another one is announced; otherwise the line is busy.
        case callWaiting = "call_waiting"
        /// Those who are called do not see the line's number.
        case callerIDHidden = "caller_id_hidden"

        /// True if the setting says where calls are forwarded.
        public var isForwarding: Bool {
            switch self {
            case .forwardAlways, .forwardBusy, .forwardNoReply, .forwardUnreachable: true
            case .callWaiting, .callerIDHidden: false
            }
        }
    }

    /// What is set.
    public var kind: Kind
    /// Indicates whether the setting is on.
    public var isOn: Bool
    /// The address to which calls are forwarded.
    public var to: Handle?
    /// The time after which calls are forwarded that are not answered, in milliseconds; nil if the
    /// network's own time counts.
    public var afterMS: Int?

    /// Creates a setting.
    ///
    /// - Parameters:
    ///   - kind: what is set.
    ///   - isOn: whether it is on.
    ///   - to: the address to which calls are forwarded.
    ///   - afterMS: the time after which calls are forwarded that are not answered, in milliseconds.
    public init(_ kind: Kind, isOn: Bool, to: Handle? = nil, afterMS: Int? = nil) {
        self.kind = kind
        self.isOn = isOn
        self.to = to
        self.afterMS = afterMS
    }
}
