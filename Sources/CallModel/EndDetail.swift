/// The reason for the end of a call as its app, or the network behind the app, states it. More
/// precise than `EndReason`, which decides; no rule depends on a detail.
public struct EndDetail: Hashable, Sendable {
    /// The maximum length of a reason, in bytes.
    public static let reasonBytesMax = 64
    /// The maximum length of a text, in bytes of UTF-8.
    public static let textBytesMax = 256
    /// The maximum length of a code, in bytes of UTF-8.
    public static let codeBytesMax = 64

    /// The reason as a word.
    public var reason: Reason?
    /// A sentence for people, in one line.
    public var text: String?
    /// The code of the protocol or network, such as `SIP 486` or `Q.850 17`.
    public var code: String?

    /// Creates a detail. Where only a code is given, the reason is that of the code, if it is known.
    public init(_ reason: Reason? = nil, text: String? = nil, code: String? = nil) {
        self.reason = reason ?? code.flatMap(Reason.init(code:))
        self.text = text
        self.code = code
    }

    /// Indicates whether the detail says nothing.
    package var isEmpty: Bool {
        reason == nil && text == nil && code == nil
    }
}

extension EndDetail {
    /// A word for the end of a call: one of `all`, or another of an app's own, in snake case.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The word on the wire.
        public let rawValue: String

        /// Creates a reason from its word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The remote party is in another call.
        public static let busy = Reason(rawValue: "busy")
        /// The remote party declined.
        public static let rejected = Reason(rawValue: "rejected")
        /// The remote side rang, and nobody answered.
        public static let noAnswer = Reason(rawValue: "no_answer")
        /// The remote device is off, out of reach or not registered.
        public static let unreachable = Reason(rawValue: "unreachable")
        /// The number or address does not exist, or is incomplete.
        public static let invalidNumber = Reason(rawValue: "invalid_number")
        /// The network does not allow the call: barred, or the account may not place it.
        public static let notAllowed = Reason(rawValue: "not_allowed")
        /// The account has no credit left.
        public static let noCredit = Reason(rawValue: "no_credit")
        /// The app's own account is not registered with its server.
        public static let notRegistered = Reason(rawValue: "not_registered")
        /// The call was transferred to another party.
        public static let transferred = Reason(rawValue: "transferred")
        /// The call was sent to another address before an answer.
        public static let deflected = Reason(rawValue: "deflected")
        /// The call continues on another device of the user.
        public static let pulled = Reason(rawValue: "pulled")
        /// The user answered on another device.
        public static let answeredElsewhere = Reason(rawValue: "answered_elsewhere")
        /// The user declined on another device.
        public static let declinedElsewhere = Reason(rawValue: "declined_elsewhere")
        /// The network failed, or was congested.
        public static let networkError = Reason(rawValue: "network_error")
        /// The two sides have no common media, or the media stopped.
        public static let mediaError = Reason(rawValue: "media_error")
        /// A server of the app's service failed.
        public static let serviceError = Reason(rawValue: "service_error")

        /// The word of a failed action whose app gave no reason; never that of an end.
        package static let unspecified = Reason(rawValue: "unspecified")

        /// The words that the protocol defines.
        public static let all: [Reason] = [
            .busy, .rejected, .noAnswer, .unreachable, .invalidNumber, .notAllowed, .noCredit,
            .notRegistered, .transferred, .deflected, .pulled, .answeredElsewhere,
            .declinedElsewhere, .networkError, .mediaError, .serviceError,
        ]

        /// The `EndReason` that a provider reports with the word. An app's own word counts as a
        /// failure.
        public var endReason: EndReason {
            switch self {
            case .busy, .rejected, .transferred, .deflected, .pulled: .remoteEnded
            case .noAnswer: .unanswered
            case .answeredElsewhere: .answeredElsewhere
            case .declinedElsewhere: .declinedElsewhere
            default: .failed
            }
        }
    }
}

// MARK: - Codes

extension EndDetail.Reason {
    /// Creates the reason for a code of SIP (RFC 3261, section 21) or of ISDN and mobile networks
    /// (ITU-T Q.850), written as in the Reason header of RFC 3326: the protocol, a space and the
    /// number. Nil if the code is unknown, or says nothing but that the call is over.
    public init?(code: String) {
        let parts = code.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[1]) else { return nil }
        let reason: EndDetail.Reason? =
            switch parts[0] {
            case "SIP": .sip(number)
            case "Q.850": .q850(number)
            default: nil
            }
        guard let reason else { return nil }
        self = reason
    }

    private static func sip(_ status: Int) -> EndDetail.Reason? {
        switch status {
        case 300...399: .deflected
        case 402: .noCredit
        case 401, 403, 405, 407, 433: .notAllowed
        case 404, 410, 416, 484, 485, 604: .invalidNumber
        case 408, 430, 480: .unreachable
        case 415, 488, 606: .mediaError
        case 486, 600: .busy
        case 500...599: .serviceError
        case 603, 607, 608: .rejected
        default: nil
        }
    }

    /// The causes, as RFC 3398, section 7.2.4.1 relates them to the status codes of SIP.
    private static func q850(_ cause: Int) -> EndDetail.Reason? {
        switch cause {
        case 1, 5, 22, 28: .invalidNumber
        case 2, 3, 20, 27: .unreachable
        case 17: .busy
        case 18, 19: .noAnswer
        case 21: .rejected
        case 23: .deflected
        case 34, 38, 41, 42, 43, 44, 46, 47, 102: .networkError
        case 50, 52, 53, 54, 55, 57, 87: .notAllowed
        case 58, 65, 70, 79, 88: .mediaError
        case 63, 69, 127: .serviceError
        default: nil
        }
    }
}
