internal import BrokerJSON
internal import BrokerRPC
internal import CallProtocol

/// Accessors of required params. These were checked against the method's row, which requires them;
/// a request whose row and code disagree still gets a reply.
extension Optional<JSONValue> {
    func required<Value>(
        _ member: StaticString, _ read: (JSONValue?) -> Value?
    ) throws(RPCError) -> Value {
        guard let value = read(self?[member]) else {
            throw RPCError(
                SchemaFault(
                    reason: .missingMember, message: "is required", pointer: "/\(member)"))
        }
        return value
    }

    /// Returns the params of a method that requires some.
    func required() throws(RPCError) -> JSONValue {
        guard let self else {
            throw RPCError(
                SchemaFault(reason: .missingMember, message: "is required", pointer: ""))
        }
        return self
    }

    /// Returns the value that all members together represent.
    func required<Value>(_ read: (JSONValue?) -> Value?) throws(RPCError) -> Value {
        guard let value = read(self) else {
            throw RPCError(
                SchemaFault(reason: .missingMember, message: "is required", pointer: ""))
        }
        return value
    }
}
