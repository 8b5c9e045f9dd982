package import CallArbitration
package import CallModel

/// Which calls are emergencies beside those that the user marks, and who places them (rule 20).
package struct EmergencyChoices: Equatable, Sendable {
    /// Numbers beside those of the region, as they are dialled.
    package var numbers: [String] = []
    /// Who is the first to place one that is dialled.
    package var providers: [ProviderID] = []
    /// Of the providers whose word the host has decided about; that of others does not count.
    package var claims: [ProviderID: EmergencyClaims] = [:]

    package init() {}
}

/// Whether the word of an app counts that its call is an emergency.
package struct EmergencyClaims: Equatable, Sendable {
    package enum Word: String, CaseIterable, Sendable {
        case allowed
        /// The user is to be asked. As long as nobody asks, the call at hand is an ordinary one.
        case ask
        case denied
    }

    /// A call that the app starts by itself, or says so of later.
    package var outgoing = Word.denied
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
