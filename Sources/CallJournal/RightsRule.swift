package import CallArbitration

/// A rule of the policy about what programs may do. It applies to a client if all of its conditions
/// hold.
package struct RightsRule: Equatable, Sendable {
    /// The sandbox of a program, as a condition.
    package enum Place: String, CaseIterable, Sendable {
        case none
        case flatpak
        case snap
        case other
        case unknown
        /// Any sandbox; not none, and not an unknown one.
        case any
    }

    /// The calls that a program sees and reaches.
    package enum Calls: String, CaseIterable, Sendable {
        case all
        /// Those that its own connection provides.
        case own
    }

    /// The identity of its hello; nil for any.
    package var identity: String?
    /// The path of its executable; nil for any.
    package var executable: String?
    /// The sandbox; nil for the one that an app of that name has, or for none.
    package var sandbox: Place?
    /// The id of its Flatpak, or the name of its snap; nil for any.
    package var app: String?
    /// Its unit of systemd, or the beginning of the name and `*`; nil for any.
    package var unit: String?
    /// The words of the roles that it may have; nil for all.
    package var roles: [String]?
    package var calls = Calls.all
    /// Indicates that the program does not get the numbers and names of remote parties.
    package var isRedacted = false

    package init() {}
}

// MARK: - Stored

extension RightsRule: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(identity, executable, sandbox)
        writer.write(app, unit, roles, calls, isRedacted)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init()
        identity = try reader.read()
        executable = try reader.read()
        sandbox = try reader.read()
        app = try reader.read()
        unit = try reader.read()
        roles = try reader.read()
        calls = try reader.read()
        isRedacted = try reader.read()
    }
}

extension RightsRule.Place: StoredWord {
    package static let stored: [RightsRule.Place] = [
        .none, .flatpak, .snap, .other, .unknown, .any,
    ]
}

extension RightsRule.Calls: StoredWord {
    package static let stored: [RightsRule.Calls] = [.all, .own]
}
