package import CallArbitration

/// What the user lets a client do that sends a credential.
package struct Grant: Equatable, Sendable {
    /// The name by which the user revokes it.
    package var name: String
    /// The credential, which only the program has that it was issued for.
    package var credential: String
    /// The user whose programs may send it; nil for any.
    package var uid: Int?
    /// The identity that a client has to give with it; nil for any.
    package var identity: String?
    /// The words of the roles that the client may have.
    package var roles: [String]
    /// The calls that it sees and reaches.
    package var calls = RightsRule.Calls.all
    /// True if numbers and names of remote parties are kept from it.
    package var isRedacted = true
    /// The time at which it ends, in milliseconds of Unix time; nil if it does not.
    package var expiresAtMS: Int64?

    package init(name: String, credential: String, roles: [String]) {
        (self.name, self.credential, self.roles) = (name, credential, roles)
    }

    /// Returns whether it has ended.
    ///
    /// - Parameter nowMS: Unix time, in milliseconds.
    package func isOver(at nowMS: Int64) -> Bool {
        expiresAtMS.map { $0 <= nowMS } ?? false
    }
}

// MARK: - Stored

extension Grant: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(name, credential, roles)
        writer.write(uid, identity, calls, isRedacted, expiresAtMS.map { Int($0) })
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            name: try reader.read(), credential: try reader.read(), roles: try reader.read())
        uid = try reader.read()
        identity = try reader.read()
        calls = try reader.read()
        isRedacted = try reader.read()
        expiresAtMS = (try reader.read() as Int?).map { Int64($0) }
    }
}
