/// A call of the past, in an intent to call back. The host makes none: it passes the address.
open class INCallRecord: NSObject {
    private struct Facts {
        let identifier: String
        let dateCreated: Date?
        let type: INCallRecordType
        let capability: INCallCapability
        let duration: Double?
        let isUnseen: Bool?
    }

    private let facts: Facts

    /// The id that `init` received.
    open var identifier: String { facts.identifier }
    /// The date that `init` received.
    open var dateCreated: Date? { facts.dateCreated }
    /// The type that `init` received.
    open var callRecordType: INCallRecordType { facts.type }
    /// The capability that `init` received.
    open var callCapability: INCallCapability { facts.capability }
    /// The duration that `init` received, in seconds.
    open var callDuration: Double? { facts.duration }
    /// The mark that `init` received.
    open var unseen: Bool? { facts.isUnseen }

    /// Stores the arguments unchanged.
    public init(
        identifier: String, dateCreated: Date?, callRecordType: INCallRecordType,
        callCapability: INCallCapability, callDuration: Double?, unseen: Bool?
    ) {
        facts = Facts(
            identifier: identifier, dateCreated: dateCreated, type: callRecordType,
            capability: callCapability, duration: callDuration, isUnseen: unseen)
    }
}

/// The type of a call of the past. Raw values are Apple's, as in PyObjC.
public enum INCallRecordType: Int, Sendable {
    /// Not stated.
    case unknown = 0
    /// The user called.
    case outgoing = 1
    /// Nobody answered.
    case missed = 2
    /// The user answered.
    case received = 3
    /// The latest call.
    case latest = 4
    /// A message in the voicemail.
    case voicemail = 5
    /// A call that rings.
    case ringing = 6
    /// A call that goes on.
    case inProgress = 7
    /// A call that is held.
    case onHold = 8
}

/// Types of calls of the past.
public struct INCallRecordTypeOptions: OptionSet, Sendable {
    /// The bits, with Apple's values, as in PyObjC.
    public let rawValue: UInt

    /// Accepts any bits, unnamed ones included.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The user called.
    public static let outgoing = INCallRecordTypeOptions(rawValue: 1)
    /// Nobody answered.
    public static let missed = INCallRecordTypeOptions(rawValue: 2)
    /// The user answered.
    public static let received = INCallRecordTypeOptions(rawValue: 4)
    /// The latest call.
    public static let latest = INCallRecordTypeOptions(rawValue: 8)
    /// A message in the voicemail.
    public static let voicemail = INCallRecordTypeOptions(rawValue: 16)
    /// A call that rings.
    public static let ringing = INCallRecordTypeOptions(rawValue: 32)
    /// A call that goes on.
    public static let inProgress = INCallRecordTypeOptions(rawValue: 64)
    /// A call that is held.
    public static let onHold = INCallRecordTypeOptions(rawValue: 128)
}

/// A choice of calls of the past. The host makes none.
open class INCallRecordFilter: NSObject {
    private let facts: (participants: [INPerson]?, types: INCallRecordTypeOptions)

    /// The people that `init` received.
    open var participants: [INPerson]? { facts.participants }
    /// The types that `init` received.
    open var callTypes: INCallRecordTypeOptions { facts.types }
    /// The capability that `init` received.
    public let callCapability: INCallCapability

    /// Stores the arguments unchanged.
    public init(
        participants: [INPerson]?, callTypes: INCallRecordTypeOptions,
        callCapability: INCallCapability
    ) {
        facts = (participants, callTypes)
        self.callCapability = callCapability
    }
}

/// The audio device of a call to start. The host always leaves it open.
/// Raw values are Apple's, as in PyObjC.
public enum INCallAudioRoute: Int, Sendable {
    /// Not stated.
    case unknown = 0
    /// The loudspeaker.
    case speakerphoneAudioRoute = 1
    /// A Bluetooth device.
    case bluetoothAudioRoute = 2
}
