package import BrokerRPC

/// One method or notification of the protocol: everything that routing, checking, documenting and
/// completing need to know about it.
package struct Method: Sendable {
    package enum Direction: String, Sendable {
        case toBroker = "to_broker"
        case toClient = "to_client"
        case both
    }

    package enum Form: Sendable {
        /// Answered within `deadlineMS` unless the method says otherwise.
        case request(result: [Member], deadlineMS: Int)
        /// A request whose result is a document of its own shape.
        case document(deadlineMS: Int)
        case notification
    }

    /// When a client may call it.
    package enum Stage: Sendable {
        /// At any time, before the hello too.
        case always
        case afterHello
    }

    /// A call that works as it stands, params and result as JSON.
    package struct Example: Sendable {
        package let name: String
        package let params: String
        package let result: String?

        package init(_ name: String, params: String, result: String? = nil) {
            self.name = name
            self.params = params
            self.result = result
        }
    }

    package let name: MethodName
    package let direction: Direction
    package let form: Form
    package var stage = Stage.afterHello
    /// Who may call it; nil for everybody.
    package var role: Role?
    /// Whether an entry of a batch may be this.
    package var isAllowedInBatch = true
    /// Served under `serve --test-mode` only.
    package var isForTests = false
    package let summary: String
    package let details: String
    package var params: [Member] = []
    package var errors: [ErrorCode] = []
    package let examples: [Example]
    /// The release that brought it.
    package var since = "0.1"

    package var isNotification: Bool {
        if case .notification = form { true } else { false }
    }
}
