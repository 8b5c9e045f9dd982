package import BrokerJSON
internal import BrokerRPC
package import CallModel

/// The params of a method, decoded into a type of its own.
package protocol MethodParams: SendableMetatype {
    /// Reads params that passed the check against the method's row. Throws if a member is missing
    /// that this type needs and the row does not require.
    init(checked params: JSONValue?) throws(SchemaFault)
}

/// The decoding of a message that the broker receives: from params that passed the check against
/// the method's row to the type that its code reads.
package enum Decoding: Sendable {
    case toRequest(@Sendable (JSONValue?) throws(SchemaFault) -> ClientRequest)
    case toNotification(@Sendable (JSONValue?) throws(SchemaFault) -> ClientNotification)

    /// The decoding of a request with params.
    static func request<Params: MethodParams>(
        _ request: @escaping @Sendable (Params) -> ClientRequest
    ) -> Decoding {
        .toRequest { (params) throws(SchemaFault) in request(try Params(checked: params)) }
    }

    /// The decoding of a request without params, or with params that have no effect.
    static func bare(
        _ request: @autoclosure @escaping @Sendable () -> ClientRequest
    ) -> Decoding {
        .toRequest { _ in request() }
    }

    /// The decoding of a notification with params.
    static func notification<Params: MethodParams>(
        _ notification: @escaping @Sendable (Params) -> ClientNotification
    ) -> Decoding {
        .toNotification { (params) throws(SchemaFault) in
            notification(try Params(checked: params))
        }
    }
}

/// Accessors of required params. The row requires them, too; if row and type disagree, the request
/// still gets a reply.
extension Optional<JSONValue> {
    func required<Value>(
        _ member: StaticString, _ read: (JSONValue?) -> Value?
    ) throws(SchemaFault) -> Value {
        guard let value = read(self?[member]) else {
            throw SchemaFault(
                reason: .missingMember, message: "is required", pointer: "/\(member)")
        }
        return value
    }

    /// Returns the params of a method that requires some.
    func required() throws(SchemaFault) -> JSONValue {
        guard let self else {
            throw SchemaFault(reason: .missingMember, message: "is required", pointer: "")
        }
        return self
    }
}

extension JSONValue {
    /// The number as an `Int`; nil if the value is not an integer.
    var int: Int? {
        integer.map { Int($0) }
    }
}

/// The params of a method that needs the id of a call only.
package struct NamedCall: MethodParams {
    package let call: CallID

    package init(checked params: JSONValue?) throws(SchemaFault) {
        call = try params.required("call", CallID.init)
    }
}

/// The params of a method that lists something page by page.
package struct PageParams: MethodParams {
    /// `next` of the page before; nil for the first page.
    package let after: String?
    /// The greatest number of entries; nil if the client has set none.
    package let limit: Int?

    package init(checked params: JSONValue?) {
        after = params?["after"]?.string
        limit = params?["limit"]?.int
    }
}
