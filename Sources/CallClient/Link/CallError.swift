internal import BrokerJSON
internal import BrokerSocket
public import CallModel
internal import CallProtocol

/// Why a request came to nothing. Decide by `code` and `reason`; the message is for people.
public struct CallError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the error's kind: the broker's, of JSON-RPC, or one of our own. Open.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// There is no session, or it was lost before the reply: the request may have been done.
        public static let disconnected = Code(rawValue: 0)
        /// The client was closed.
        public static let closed = Code(rawValue: 1)
        /// The broker's answer could not be read.
        public static let unreadable = Code(rawValue: 2)

        public static let parseError = Code(rawValue: -32_700)
        public static let invalidRequest = Code(rawValue: -32_600)
        public static let methodNotFound = Code(rawValue: -32_601)
        public static let invalidParams = Code(rawValue: -32_602)
        public static let internalError = Code(rawValue: -32_603)
        public static let brokerError = Code(rawValue: -32_000)
        public static let helloRequired = Code(rawValue: -32_002)
        public static let permissionDenied = Code(rawValue: -32_003)
        public static let notFound = Code(rawValue: -32_004)
        public static let alreadyExists = Code(rawValue: -32_005)
        public static let invalidState = Code(rawValue: -32_006)
        public static let limitReached = Code(rawValue: -32_007)
        public static let filtered = Code(rawValue: -32_008)
        public static let deadlineExceeded = Code(rawValue: -32_009)
        public static let cancelled = Code(rawValue: -32_010)
        public static let frameLimit = Code(rawValue: -32_011)
        public static let overloaded = Code(rawValue: -32_012)
        public static let providerFailed = Code(rawValue: -32_013)
        public static let providerGone = Code(rawValue: -32_014)
        public static let versionUnsupported = Code(rawValue: -32_015)
        public static let stopping = Code(rawValue: -32_018)
    }

    public let code: Code
    /// A stable word in snake_case, such as `cannot_hold`.
    public let reason: String
    /// English, for people.
    public let message: String
    /// Whether the same request may succeed later.
    public var isRetryable = false
    /// Milliseconds to wait before that, where the broker knows.
    public var retryAfterMS: Int?
    /// A JSON pointer to the member of the params in question.
    public var field: String?
    /// The rule of arbitration that decided.
    public var rule: Rule?
    /// The limit in the way.
    public var limit: Refusal.Limit?
    /// The calls in the way.
    public var blocking: [Refusal.Blocker] = []
    /// What to do about it.
    public var hint: String?
    /// What the app says that would not do it.
    public var failure: ReportedFailure?
    /// What CallKit would say.
    public var callKit: CallKitCode?

    public init(_ code: Code, reason: String, _ message: String) {
        self.code = code
        self.reason = reason
        self.message = message
    }

    public var description: String {
        reason.isEmpty ? message : "\(message) (\(reason))"
    }

    static let disconnected = CallError(
        .disconnected, reason: "disconnected",
        "the connection to the broker was lost before it answered")
    static let closed = CallError(.closed, reason: "closed", "the client was closed")
    static let cancelled = CallError(.cancelled, reason: "cancelled", "the request was taken back")

    static func unreadable(_ method: String) -> CallError {
        CallError(
            .unreadable, reason: "unreadable",
            "the broker answered \(method) with something that this release cannot read")
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
            error["message"]?.string ?? "the broker gave no reason")
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
