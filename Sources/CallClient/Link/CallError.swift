internal import BrokerJSON
internal import BrokerSocket
public import CallModel
internal import CallProtocol

/// The error of a request that failed. Programs decide by `code` and `reason`, which are stable;
/// the message is for people.
public struct CallError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of an error: a code of the broker, of JSON-RPC 2.0, or of this client. Later
    /// releases may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number on the wire; codes of this client are not negative.
        public let rawValue: Int

        /// Makes a code of any number, for codes without a name here.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// There is no session, or it was lost before the reply. In the second case the request may
        /// have been performed.
        public static let disconnected = Code(rawValue: 0)
        /// The client was closed before the reply.
        public static let closed = Code(rawValue: 1)
        /// This release cannot read the broker's reply.
        public static let unreadable = Code(rawValue: 2)

        /// The broker could not parse a frame as JSON.
        public static let parseError = Code(rawValue: -32_700)
        /// A frame is not a JSON-RPC 2.0 request.
        public static let invalidRequest = Code(rawValue: -32_600)
        /// The broker has no such method.
        public static let methodNotFound = Code(rawValue: -32_601)
        /// A parameter is missing, unknown or invalid; `field` points to it.
        public static let invalidParams = Code(rawValue: -32_602)
        /// An error inside the broker, such as a lack of memory.
        public static let internalError = Code(rawValue: -32_603)
        /// Any other error, and the code with which an app refuses an action.
        public static let brokerError = Code(rawValue: -32_000)
        /// The first request was not `broker.hello`.
        public static let helloRequired = Code(rawValue: -32_002)
        /// The session lacks the role for the method, or the call is another app's.
        public static let permissionDenied = Code(rawValue: -32_003)
        /// There is no such call, provider or entry.
        public static let notFound = Code(rawValue: -32_004)
        /// The identity or the id is in use.
        public static let alreadyExists = Code(rawValue: -32_005)
        /// The request is not possible now; `blocking` names the calls in the way.
        public static let invalidState = Code(rawValue: -32_006)
        /// The request would exceed a limit; `limit` names it.
        public static let limitReached = Code(rawValue: -32_007)
        /// An incoming call must not ring: it is blocked, or do-not-disturb is on.
        public static let filtered = Code(rawValue: -32_008)
        /// The app did not complete an action in time.
        public static let deadlineExceeded = Code(rawValue: -32_009)
        /// The request was cancelled, or superseded by another one.
        public static let cancelled = Code(rawValue: -32_010)
        /// A frame is too long, or its JSON too deep.
        public static let frameLimit = Code(rawValue: -32_011)
        /// Too many requests are open, or came at once; retry later.
        public static let overloaded = Code(rawValue: -32_012)
        /// The app failed an action; `failure` is its error.
        public static let providerFailed = Code(rawValue: -32_013)
        /// The app disconnected before it completed an action.
        public static let providerGone = Code(rawValue: -32_014)
        /// The broker does not support the protocol version of this release.
        public static let versionUnsupported = Code(rawValue: -32_015)
        /// The broker is stopping; retry after it has restarted.
        public static let stopping = Code(rawValue: -32_018)
    }

    /// The kind of the error.
    public let code: Code
    /// A stable word in snake_case, such as `cannot_hold`.
    public let reason: String
    /// A sentence in English, for people.
    public let message: String
    /// True if the same request can succeed later.
    public var isRetryable = false
    /// The time to wait before retrying, in milliseconds, if the broker states one.
    public var retryAfterMS: Int?
    /// A JSON pointer (RFC 6901) to the parameter in question.
    public var field: String?
    /// The rule of arbitration that refused the request.
    public var rule: Rule?
    /// The limit that the request would exceed.
    public var limit: Refusal.Limit?
    /// The calls that prevent the request.
    public var blocking: [Refusal.Blocker] = []
    /// A suggestion for the user or the developer, in English.
    public var hint: String?
    /// The error of the app that failed the action.
    public var failure: ReportedFailure?
    /// The CallKit error that corresponds to this one.
    public var callKit: CallKitCode?

    /// Makes an error without details, such as a stub in a test.
    public init(_ code: Code, reason: String, _ message: String) {
        self.code = code
        self.reason = reason
        self.message = message
    }

    /// The message, with the reason in parentheses.
    public var description: String {
        reason.isEmpty ? message : "\(message) (\(reason))"
    }

    static let disconnected = CallError(
        .disconnected, reason: "disconnected",
        "the connection to the broker was lost before it replied")
    static let closed = CallError(.closed, reason: "closed", "the client was closed")
    static let cancelled = CallError(.cancelled, reason: "cancelled", "the request was cancelled")

    static func unreadable(_ method: String) -> CallError {
        CallError(
            .unreadable, reason: "unreadable",
            "this release cannot read the reply of the broker to \(method): update it")
    }
}

extension CallError {
    init(_ error: SocketError) {
        self.init(.disconnected, reason: "no_connection", error.description)
        isRetryable = true
    }

    /// Reads the error object of a reply.
    init(_ error: JSONValue) {
        let data = error["data"]
        self.init(
            Code(rawValue: error["code"]?.integer.map(Int.init) ?? Code.brokerError.rawValue),
            reason: data?["reason"]?.string ?? "",
            error["message"]?.string ?? "the broker stated no reason")
        guard let data else { return }
        isRetryable = data["retryable"]?.boolean ?? false
        retryAfterMS = data["retry_after_ms"]?.integer.map(Int.init)
        field = data["field"]?.string
        rule = Rule(data["rule"])
        hint = data["hint"]?.string
        limit = Refusal.Limit(data["limit"])
        blocking = data["blocking"].map { $0.elements.compactMap(Refusal.Blocker.init) } ?? []
        failure = ReportedFailure(data["provider_error"])
        callKit = CallKitCode(data["callkit"])
    }
}

extension Refusal.Limit {
    fileprivate init?(_ value: JSONValue?) {
        guard let value, let name = value["name"]?.string, let number = value["value"]?.integer
        else { return nil }
        self.init(name: name, value: Int(number))
    }
}

extension Refusal.Blocker {
    init?(_ value: JSONValue) {
        guard let call = CallID(value["call"]), let provider = ProviderID(value["provider"]) else {
            return nil
        }
        self.init(call: call, provider: provider)
    }
}

extension CallKitCode {
    fileprivate init?(_ value: JSONValue?) {
        guard let value, let domain = value["domain"]?.string, let code = value["code"]?.integer
        else { return nil }
        self.init(domain: domain, number: Int(code), name: value["name"]?.string ?? "")
    }
}
