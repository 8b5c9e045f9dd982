package import BrokerJSON

/// A JSON-RPC 2.0 message, classified and in place: method and params point into the document it
/// was read from.
package enum Message {
    case request(RequestID, Call)
    case notification(Call)
    /// A reply to a request of the receiver, or an object shaped like one. It is never answered.
    case response(Response)
    /// An invalid message. The sender gets the error, with the id if that could be read.
    case invalid(RPCError, id: RequestID?)

    /// The common part of a request and a notification.
    package struct Call {
        package let method: UnsafeBufferPointer<UInt8>
        package let params: Params
    }

    /// The params of a call.
    package enum Params {
        case none
        case named(JSONValue)
        /// A non-empty array. The protocol has named params only.
        case positional
        /// Null or a scalar, which JSON-RPC does not allow.
        case malformed
    }

    /// A reply.
    package struct Response {
        /// The id; nil if it is not an integer, which the receiver never sends.
        package let id: Int64?
        package let outcome: Outcome
    }

    package enum Outcome {
        case result(JSONValue)
        case error(JSONValue)
    }

    /// Classifies an entry: the top of a frame, or an element of a batch.
    package init(_ value: JSONValue, limits: FrameLimits) {
        guard value.kind == .object else {
            self = .invalid(.invalid(.object, "expected a request object"), id: nil)
            return
        }
        if value["method"] == nil, let response = Response(value) {
            self = .response(response)
            return
        }
        let idValue = value["id"]
        let id = idValue.flatMap { RequestID($0, bytesMax: limits.idBytes) }
        do throws(RPCError) {
            let call = try Call(value)
            if let id {
                self = try Self.accepted(id, call, limits: limits)
            } else if let idValue {
                throw Self.badID(idValue, limits: limits)
            } else {
                self = .notification(call)
            }
        } catch {
            self = .invalid(error, id: id)
        }
    }

    private static func accepted(
        _ id: RequestID, _ call: Call, limits: FrameLimits
    ) throws(RPCError) -> Message {
        guard call.method.count <= limits.methodBytes else {
            throw RPCError.invalid(.methodBytes, "the name of the method is too long").with {
                $0.limit = RPCError.Limit(name: "method_bytes", value: limits.methodBytes)
            }
        }
        switch call.params {
        case .none, .named: return .request(id, call)
        case .positional:
            throw RPCError(
                .invalidParams, reason: .positionalParams, "expected params by name, in an object"
            )
        case .malformed:
            throw RPCError.invalid(.params, "expected params to be an object, or to be left out")
        }
    }

    private static func badID(_ value: JSONValue, limits: FrameLimits) -> RPCError {
        guard value.kind == .string else {
            return .invalid(.id, "expected id to be a string, or an integer without a fraction")
        }
        return RPCError.invalid(.idBytes, "the id is too long").with {
            $0.limit = RPCError.Limit(name: "id_bytes", value: limits.idBytes)
        }
    }
}

extension Message.Call {
    fileprivate init(_ value: JSONValue) throws(RPCError) {
        guard let version = value["jsonrpc"]?.utf8, version.elementsEqual("2.0".utf8) else {
            throw RPCError.invalid(.jsonrpc, "expected jsonrpc to be \"2.0\"")
        }
        guard let method = value["method"]?.utf8 else {
            throw RPCError.invalid(.method, "expected method to be a string")
        }
        self.init(method: method, params: Message.Params(value["params"]))
    }
}

extension Message.Params {
    fileprivate init(_ value: JSONValue?) {
        switch value?.kind {
        case nil: self = .none
        case .object: self = value.map(Self.named) ?? .none
        case .array: self = value?.count == 0 ? .none : .positional
        case .string, .integer, .real, .boolean, .null: self = .malformed
        }
    }
}

extension Message.Response {
    /// Creates a reply; nil for an object that has neither a result nor an error.
    fileprivate init?(_ value: JSONValue) {
        if let error = value["error"] {
            outcome = .error(error)
        } else if let result = value["result"] {
            outcome = .result(result)
        } else {
            return nil
        }
        id = value["id"]?.integer
    }
}

extension RPCError {
    fileprivate static func invalid(_ reason: ErrorReason, _ message: String) -> RPCError {
        RPCError(.invalidRequest, reason: reason, message)
    }
}
