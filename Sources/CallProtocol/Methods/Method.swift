package import BrokerRPC

/// A method or notification of the protocol: the single source for routing, checks, decoding,
/// documentation and completion.
package final class Method: Sendable {
    package enum Direction: String, Sendable {
        case toBroker = "to_broker"
        case toClient = "to_client"
        case both
    }

    /// The direction of a row: one that the broker receives has the decoding of its params.
    package enum Way: Sendable {
        case toBroker(Decoding)
        case toClient
        case both(Decoding)
    }

    package enum Form: Sendable {
        /// A request, answered within `deadlineMS` unless the method says otherwise.
        case request(result: [Member], deadlineMS: Int)
        /// A request whose result is a document.
        case document(deadlineMS: Int)
        case notification
    }

    /// The stages of a session in which a client may send the method.
    package enum Stage: Sendable {
        /// Any stage, even before the hello.
        case always
        case afterHello
    }

    /// An example that works as it stands: params and result as JSON.
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
    /// The decoding of the params that the broker receives; nil if only the broker sends the method.
    package let decoding: Decoding?
    package let form: Form
    package let stage: Stage
    /// The roles of which a client needs one; empty for all clients.
    package let roles: RoleSet
    /// True if a batch may contain the method.
    package let isAllowedInBatch: Bool
    /// True if only `serve --test-mode` serves the method.
    package let isForTests: Bool
    package let summary: String
    package let details: String
    package let params: [Member]
    package let errors: [ErrorCode]
    package let examples: [Example]
    /// The release that introduced the method.
    package let since: String

    package init(
        name: MethodName, direction way: Way, form: Form, stage: Stage = .afterHello,
        roles: RoleSet = [], isAllowedInBatch: Bool = true, isForTests: Bool = false,
        summary: String, details: String, params: [Member] = [], errors: [ErrorCode] = [],
        examples: [Example], since: String = "0.1"
    ) {
        self.name = name
        switch way {
        case .toBroker(let received):
            direction = .toBroker
            decoding = received
        case .toClient:
            direction = .toClient
            decoding = nil
        case .both(let received):
            direction = .both
            decoding = received
        }
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

    /// True if a client with these roles may send the method.
    package func isOpen(to granted: RoleSet) -> Bool {
        roles.isEmpty || !roles.isDisjoint(with: granted)
    }

    package var isNotification: Bool {
        if case .notification = form { true } else { false }
    }
}
