package import CallArbitration
package import CallModel

/// The policy for emergency calls: their numbers and providers, in addition to the calls that the
/// user marks (rule 20).
package struct EmergencyChoices: Equatable, Sendable {
    /// Emergency numbers in addition to those of the region, as they are dialed.
    package var numbers: [String] = []
    /// The providers that place a dialed emergency call first, in this order.
    package var providers: [ProviderID] = []
    /// The decisions about providers that claim emergencies. Claims of other providers are ignored.
    package var claims: [ProviderID: EmergencyClaims] = [:]

    package init() {}
}

/// The policy for a provider's claim that its call is an emergency.
package struct EmergencyClaims: Equatable, Sendable {
    /// Decisions about a claim.
    package enum Word: String, CaseIterable, Sendable {
        case allowed
        /// The user is to be asked; until a decision is made, the call is an ordinary one.
        case ask
        case denied
    }

    /// The decision for calls that the app starts on its own, or claims later.
    package var outgoing = Word.denied
    /// The decision for incoming calls.
    package var incoming = Word.denied

    package init() {}
}

// MARK: - Stored

extension EmergencyChoices: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(numbers, providers)
        writer.write(pairs: claims.sorted { $0.key < $1.key })
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init()
        numbers = try reader.read()
        providers = try reader.read()
        claims = try reader.readPairs()
    }
}

extension EmergencyClaims: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(outgoing, incoming)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init()
        outgoing = try reader.read()
        incoming = try reader.read()
    }
}
