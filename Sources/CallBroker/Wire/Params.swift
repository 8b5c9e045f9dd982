internal import BrokerJSON
internal import BrokerRPC
internal import CallProtocol

/// Reading params. They were checked against the method's row, which requires these members; a request whose
/// row and code disagree is still answered.
extension Optional<JSONValue> {
    func required<Value>(
        _ member: StaticString, _ read: (JSONValue?) -> Value?
    ) throws(RPCError) -> Value {
        guard let value = read(self?[member]) else {
            throw RPCError(
                SchemaFault(
                    reason: "missing_member", message: "is required", pointer: "/\(member)"))
        }
        return value
    }

    /// The params of a method that has required ones.
    func required() throws(RPCError) -> JSONValue {
        guard let self else {
            throw RPCError(
                SchemaFault(reason: "missing_member", message: "is required", pointer: ""))
        }
        return self
    }

    /// What all members together stand for.
    func required<Value>(_ read: (JSONValue?) -> Value?) throws(RPCError) -> Value {
        guard let value = read(self) else {
            throw RPCError(
                SchemaFault(reason: "missing_member", message: "is required", pointer: ""))
        }
        return value
    }
}
