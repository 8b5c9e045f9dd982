internal import BrokerJSON
internal import BrokerRPC
internal import CallProtocol

/// The params of a client's hello.
struct ClientHello {
    var name = String(describing: Release.name)
    var version = Release.version
    var roles: RoleSet
    var identity: String?
    var credential: String?
    /// The words of every feature are known here; `presentation` is for apps that ring.
    var features = HelloParams.Feature.allCases.filter { $0 != .presentation }
    /// The earlier session to resume.
    var resume: SessionKey?
}

/// The credentials for resuming a session.
struct SessionKey {
    let session: String
    let secret: String
}

extension JSONWriter {
    /// Writes the params of a hello.
    mutating func value(_ hello: ClientHello) {
        object { $0.members(of: hello) }
    }

    mutating func members(of hello: ClientHello) {
        name("protocol")
        object { writer in
            writer.member("min", Release.protocolMajors.lowerBound)
            writer.member("max", Release.protocolMajors.upperBound)
        }
        name("client")
        object { writer in
            writer.member("name", hello.name)
            writer.member("version", hello.version)
        }
        member("roles", words: hello.roles.roles.map(\.rawValue))
        member("identity", ifSet: hello.identity)
        member("credential", ifSet: hello.credential)
        if !hello.features.isEmpty {
            member("features", words: hello.features.map(\.rawValue))
        }
        guard let resume = hello.resume else { return }
        name("resume")
        object { writer in
            writer.member("session", resume.session)
            writer.member("secret", resume.secret)
        }
    }

    /// Writes a frame: a request, or without an id a notification. `params` is the text of an
    /// object.
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
