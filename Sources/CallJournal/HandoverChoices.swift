package import CallArbitration

/// The policy for clients that may delay the audio of a call.
package struct HandoverChoices: Equatable, Sendable {
    /// The identities of the clients that are asked.
    package var observers: [String] = []
    /// The longest wait for them, in milliseconds.
    package var waitMS = 2_000

    package init() {}
}

extension HandoverChoices: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(observers, waitMS)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init()
        observers = try reader.read()
        waitMS = try reader.read()
    }
}
