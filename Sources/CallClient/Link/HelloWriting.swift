internal import BrokerJSON
internal import BrokerRPC
internal import CallProtocol

/// What a client says of itself in its hello.
struct Greeting {
    var name = String(describing: Release.name)
    var version = Release.version
    var roles: RoleSet
    var identity: String?
    var credential: String?
    var features: [HelloParams.Feature] = []
    /// An earlier session that goes on.
    var resume: SessionKey?
}

/// What it takes to go on with a session.
struct SessionKey {
    let session: String
    let secret: String
}

extension JSONWriter {
    /// The params of a hello.
    mutating func hello(_ greeting: Greeting) {
        object { $0.members(of: greeting) }
    }

    mutating func members(of greeting: Greeting) {
        name("protocol")
        object { writer in
            writer.member("min", Release.protocolMajors.lowerBound)
            writer.member("max", Release.protocolMajors.upperBound)
        }
        name("client")
        object { writer in
            writer.member("name", greeting.name)
            writer.member("version", greeting.version)
        }
        member("roles", words: greeting.roles.roles.map(\.rawValue))
        member("identity", ifSet: greeting.identity)
        member("credential", ifSet: greeting.credential)
        if !greeting.features.isEmpty {
            member("features", words: greeting.features.map(\.rawValue))
        }
        guard let resume = greeting.resume else { return }
        name("resume")
        object { writer in
            writer.member("session", resume.session)
            writer.member("secret", resume.secret)
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
