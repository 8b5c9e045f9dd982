package import CallModel

/// A connection of a story.
package enum Client: Hashable, Sendable {
    /// A controller without identity, and the one who sets the policy.
    case user
    /// Subscribed to everything.
    case observer
    /// A provider on its first, second … connection. Its app asks on the same one.
    case provider(ProviderID, connection: Int)
    /// Connected while calls are looked at.
    case filter(Filter)
}

/// What is done to a shell.
package enum Move: Sendable {
    /// The hello of a provider's or a filter's connection.
    /// - Parameter mayExit: its process ends later in the story.
    case connect(Client, mayExit: Bool)
    case send(Client, Wire)
    /// The client's end, or only its writing side.
    case close(Client, isHalf: Bool)
    /// The process of a provider ends, but its last connection lives on in a child of it.
    case exit(ProviderID)
    /// The broker is killed, and another one goes on; user and observer come back at once.
    /// - Parameter seq: of the last event that the observer has.
    case restart(seq: Int64)
    /// What was sent before is handled before anything else is sent.
    case settle
    /// The clock moves to a time since the start; what is due on the way fires.
    case advance(toMS: Int)
}

/// What happens at once, and the frames that must come out of it, for each client in order.
package struct Act: Sendable {
    package var moves: [Move] = []
    package internal(set) var frames: [Client: [Wire]] = [:]
    /// The line of the transcript.
    package let line: Int

    mutating func expect(_ frame: Wire, at client: Client) {
        frames[client, default: []].append(frame)
    }

    mutating func expectReply(to id: UInt64, _ result: Wire, at client: Client) {
        expect(["jsonrpc": "2.0", "id": .int(Int64(id)), "result": result], at: client)
    }

    mutating func expectError(to id: UInt64, _ error: Wire, at client: Client) {
        expect(["jsonrpc": "2.0", "id": .int(Int64(id)), "error": error], at: client)
    }

    mutating func expectNotice(_ method: String, _ params: Wire, at client: Client) {
        expect(["jsonrpc": "2.0", "method": .string(method), "params": params], at: client)
    }
}

extension Wire {
    static func request(_ id: UInt64, _ method: String, _ params: Wire) -> Wire {
        [
            "jsonrpc": "2.0", "id": .int(Int64(id)), "method": .string(method), "params": params,
        ]
    }

    static func notification(_ method: String, _ params: Wire) -> Wire {
        ["jsonrpc": "2.0", "method": .string(method), "params": params]
    }
}
