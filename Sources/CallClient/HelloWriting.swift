internal import BrokerJSON
internal import BrokerRPC
internal import CallProtocol

extension JSONWriter {
    /// The params of our hello.
    mutating func hello(_ roles: RoleSet) {
        object { writer in
            writer.name("protocol")
            writer.object { writer in
                writer.member("min", Release.protocolMajors.lowerBound)
                writer.member("max", Release.protocolMajors.upperBound)
            }
            writer.name("client")
            writer.object { writer in
                writer.member("name", Release.name)
                writer.member("version", Release.version)
            }
            writer.name("roles")
            writer.array { writer in for role in roles.roles { writer.value(role.rawValue) } }
        }
    }

    /// One frame: a request, or without an id a notification. `params` is the text of an object.
    mutating func frame(_ method: String, id: RequestID?, params: [UInt8]) {
        object { writer in
            writer.member("jsonrpc", "2.0" as StaticString)
            if let id {
                writer.name("id")
                writer.value(id)
            }
            writer.member("method", method)
            writer.name("params")
            writer.value(json: params)
        }
        endLine()
    }
}
