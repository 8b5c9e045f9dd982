package import BrokerRPC

/// One method or notification of the protocol: everything that routing, checking, documenting and
/// completing need to know about it.
package final class Method: Sendable {
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
    package let stage: Stage
    /// Who may call it: any of these; empty for everybody.
    package let roles: RoleSet
    /// Whether an entry of a batch may be this.
    package let isAllowedInBatch: Bool
    /// Served under `serve --test-mode` only.
    package let isForTests: Bool
    package let summary: String
    package let details: String
    package let params: [Member]
    package let errors: [ErrorCode]
    package let examples: [Example]
    /// The release that brought it.
    package let since: String

    package init(
        name: MethodName, direction: Direction, form: Form, stage: Stage = .afterHello,
        roles: RoleSet = [], isAllowedInBatch: Bool = true, isForTests: Bool = false,
        summary: String, details: String, params: [Member] = [], errors: [ErrorCode] = [],
        examples: [Example], since: String = "0.1"
    ) {
        self.name = name
        self.direction = direction
        self.form = form
        self.stage = stage
        self.roles = roles
        self.isAllowedInBatch = isAllowedInBatch
        self.isForTests = isForTests
        self.summary = summary
        self.details = details
        self.params = params
        self.errors = errors
        self.examples = examples
        self.since = since
    }

    /// Whether somebody with these roles may call it.
    package func isOpen(to granted: RoleSet) -> Bool {
        roles.isEmpty || !roles.isDisjoint(with: granted)
    }

    package var isNotification: Bool {
        if case .notification = form { true } else { false }
    }
}
