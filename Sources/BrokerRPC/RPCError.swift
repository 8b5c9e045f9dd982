package import BrokerJSON

/// Error codes of the protocol. A number is never reused; those that JSON-RPC 2.0 does not define
/// are in -32000…-32019.
package enum ErrorCode: Int, CaseIterable, Sendable {
    case parseError = -32_700
    case invalidRequest = -32_600
    case methodNotFound = -32_601
    case invalidParams = -32_602
    case `internal` = -32_603
    case brokerError = -32_000
    case helloRequired = -32_002
    case permissionDenied = -32_003
    case notFound = -32_004
    case alreadyExists = -32_005
    case invalidState = -32_006
    case limitReached = -32_007
    case filtered = -32_008
    case deadlineExceeded = -32_009
    case cancelled = -32_010
    case frameLimit = -32_011
    case overloaded = -32_012
    case providerFailed = -32_013
    case providerGone = -32_014
    case versionUnsupported = -32_015
    case stopping = -32_018

    /// The name, for people; the wire carries the number.
    package var name: String {
        switch self {
        case .parseError: "parse_error"
        case .invalidRequest: "invalid_request"
        case .methodNotFound: "method_not_found"
        case .invalidParams: "invalid_params"
        case .internal: "internal"
        case .brokerError: "broker_error"
        case .helloRequired: "hello_required"
        case .permissionDenied: "permission_denied"
        case .notFound: "not_found"
        case .alreadyExists: "already_exists"
        case .invalidState: "invalid_state"
        case .limitReached: "limit_reached"
        case .filtered: "filtered"
        case .deadlineExceeded: "deadline_exceeded"
        case .cancelled: "cancelled"
        case .frameLimit: "frame_limit"
        case .overloaded: "overloaded"
        case .providerFailed: "provider_failed"
        case .providerGone: "provider_gone"
        case .versionUnsupported: "version_unsupported"
        case .stopping: "stopping"
        }
    }

    /// Indicates whether a frame that causes this error counts as bad. Only errors of a peer that
    /// does not speak the protocol count; an unknown method is merely a mistake.
    package var isBadFrame: Bool {
        self == .parseError || self == .invalidRequest || self == .frameLimit
    }
}

/// An error on the wire: `message` for people, everything else for programs.
package struct RPCError: Error, Equatable, Sendable {
    /// The limit that was exceeded.
    package struct Limit: Equatable, Sendable {
        package let name: String
        package let value: Int

        package init(name: String, value: Int) {
            self.name = name
            self.value = value
        }
    }

    /// The code.
    package let code: ErrorCode
    /// The text for people, in English; not to be parsed, and never containing the peer's own text.
    package let message: String
    /// The reason as a stable word in snake_case, for programs.
    package let reason: ErrorReason
    /// Indicates whether the same request may succeed later.
    package var retryable = false
    /// The time after which to retry, in milliseconds.
    package var retryAfterMS: Int?
    /// A JSON pointer to the offending member of `params`.
    package var field: String?
    /// The position of the fault in a text that is not valid JSON.
    package var position: JSONPosition?
    /// The limit that was exceeded.
    package var limit: Limit?
    /// The id of the request that this one conflicts with.
    package var request: RequestID?
    /// The major versions of the protocol that are supported.
    package var supported: ClosedRange<Int>?
    /// Advice on what to do.
    package var hint: String?
    /// Further members of `data` as JSON: names and values, without the braces.
    package var extra: [UInt8] = []

    package init(_ code: ErrorCode, reason: ErrorReason, _ message: String) {
        self.code = code
        self.reason = reason
        self.message = message
    }

    /// Returns the error with some of its properties changed.
    package func with(_ change: (inout RPCError) -> Void) -> RPCError {
        var copy = self
        change(&copy)
        return copy
    }
}

extension RPCError {
    /// A frame, or a part of one, beyond a limit, which has the same name as the reason.
    package static func frameLimit(
        _ reason: ErrorReason, _ value: Int, _ message: String
    ) -> RPCError {
        RPCError(.frameLimit, reason: reason, message).with {
            $0.limit = Limit(name: reason.rawValue, value: value)
        }
    }

    /// A frame that the JSON parser rejected.
    package init(_ fault: JSONFault, limits: JSONLimits) {
        switch fault.reason {
        case .depth:
            self = .frameLimit(.depth, limits.depth, "containers are nested too deeply")
        case .values: self = .frameLimit(.values, limits.values, "too many values in one frame")
        case .outOfMemory: self.init(.internal, reason: .outOfMemory, fault.message)
        case .syntax: self.init(.parseError, reason: .syntax, fault.message)
        case .invalidUTF8: self.init(.parseError, reason: .invalidUtf8, fault.message)
        case .nulCharacter: self.init(.parseError, reason: .nulCharacter, fault.message)
        case .loneSurrogate: self.init(.parseError, reason: .loneSurrogate, fault.message)
        case .duplicateMember: self.init(.parseError, reason: .duplicateMember, fault.message)
        case .numberRange: self.init(.parseError, reason: .numberRange, fault.message)
        }
        position = fault.position
    }
}

extension JSONWriter {
    /// Writes the error object, with its members in a fixed order; those without a value are left
    /// out.
    package mutating func value(_ error: RPCError) {
        object { writer in
            writer.member("code", error.code.rawValue)
            writer.member("message", error.message)
            writer.name("data")
            writer.data(of: error)
        }
    }

    private mutating func data(of error: RPCError) {
        object { writer in
            writer.member("reason", error.reason.rawValue)
            writer.member("retryable", error.retryable)
            writer.member("retry_after_ms", ifSet: error.retryAfterMS)
            writer.member("field", ifSet: error.field)
            if let position = error.position { writer.member("position", position) }
            if let limit = error.limit { writer.member("limit", limit) }
            if let request = error.request {
                writer.name("request")
                writer.value(request)
            }
            if let supported = error.supported { writer.member("supported", supported) }
            writer.member("hint", ifSet: error.hint)
            if !error.extra.isEmpty { writer.value(json: error.extra) }
        }
    }

    private mutating func member(_ name: StaticString, _ position: JSONPosition) {
        self.name(name)
        object { writer in
            writer.member("line", position.line)
            writer.member("column", position.column)
            writer.member("byte", position.byte)
        }
    }

    private mutating func member(_ name: StaticString, _ limit: RPCError.Limit) {
        self.name(name)
        object { writer in
            writer.member("name", limit.name)
            writer.member("value", limit.value)
        }
    }

    private mutating func member(_ name: StaticString, _ range: ClosedRange<Int>) {
        self.name(name)
        object { writer in
            writer.member("min", range.lowerBound)
            writer.member("max", range.upperBound)
        }
    }
}
