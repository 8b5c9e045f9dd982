package import CallArbitration
package import CallModel

/// An entry of the journal, with its time.
package struct JournalEntry: Equatable, Sendable {
    /// The content of an entry.
    package enum Matter: Equatable, Sendable {
        /// An event that the arbiter processed.
        case event(ArbiterEvent)
        /// A request with an id chosen by the client; precedes the event of the request.
        case asked(AskedRequest)
        /// A registration of a provider, with the key of its session.
        case session(StoredSession)
        /// A new policy.
        case choices(HostChoices)
        /// Topics whose events are recorded from now on, as a set of bits.
        case topics(UInt64)
        /// A regular shutdown of the broker.
        case stopping
        /// The number of missed calls that the user has not seen.
        case missed(Int)
        /// An event about a plugin's state was published; only its number is needed.
        case pluginPublished
        /// A suspension of the host, in milliseconds.
        case slept(Int)
        /// A change of the data used while the store is unavailable.
        case screeningCopy(ScreeningCopy.Change)
        /// An event about a refused dial was published; only its number is needed.
        case dialRefusedPublished
        /// An event about an unresponsive provider was published.
        case hungPublished(ProviderID)
        /// An event about a provider's ignored claim of an emergency was published.
        case claimPublished(CallID, by: ProviderID)
        /// An emergency call that the user dialed, or that the next app is to place.
        case dialled(StoredDial)
        /// All credentials that the user has issued and not revoked.
        case grants([Grant])
        /// The audio endpoints of the host were published, or that there are none.
        case endpointsPublished(hasAny: Bool)
        /// The user's choice of an audio endpoint of the host.
        case endpointChosen(String)
        /// The participants of a conference were published, or that none are known.
        case participantsPublished(CallID, hasAny: Bool)
        /// An event with real-time text was published; only its number is needed.
        case textPublished
        /// The primary screen was published, or that there is none.
        case screenPublished(hasAny: Bool)
    }

    package var matter: Matter
    package var at: Instant

    package init(_ matter: Matter, at: Instant) {
        self.matter = matter
        self.at = at
    }
}

/// A request for a transaction whose id the client chose. A repeated request gets the same reply.
package struct AskedRequest: Equatable, Sendable {
    package var id: TransactionID
    /// The request without the parts that differ when it is repeated.
    package var key: ArbiterEvent

    package init(id: TransactionID, key: ArbiterEvent) {
        self.id = id
        self.key = key
    }
}

/// An emergency call that the user dialed and that has not reached the remote side.
package struct StoredDial: Equatable, Sendable {
    package var call: CallID
    package var start: StartArguments
    /// The providers that have been asked to place it.
    package var tried: [ProviderID]

    package init(call: CallID, start: StartArguments, tried: [ProviderID]) {
        (self.call, self.start, self.tried) = (call, start, tried)
    }
}

/// The credentials with which a provider resumes its session.
package struct StoredSession: Equatable, Sendable {
    package var provider: ProviderID
    package var id: String
    package var secret: String

    package init(provider: ProviderID, id: String, secret: String) {
        self.provider = provider
        self.id = id
        self.secret = secret
    }
}

/// The host's policy as the user set it.
package struct HostChoices: Equatable, Sendable {
    package var policy: ArbitrationPolicy
    /// The default providers, by the URL scheme of the address.
    package var defaultProviders: [String: ProviderID]
    package var screening = ScreeningPolicy()
    /// The user's decisions about providers.
    package var authorizations: [ProviderID: Authorization] = [:]
    /// The authorization of all other providers.
    package var newProviders = NewProviders.allow
    package var retention = HistoryRetention()
    /// The silence after which a provider with calls is pinged, in milliseconds; 0 for never.
    package var heartbeatMS = 10_000
    package var emergency = EmergencyChoices()
    package var handover = HandoverChoices()
    /// The rules about programs; the first that applies to a client counts.
    package var rights: [RightsRule] = []

    package init(
        policy: ArbitrationPolicy = ArbitrationPolicy(),
        defaultProviders: [String: ProviderID] = [:]
    ) {
        self.policy = policy
        self.defaultProviders = defaultProviders
    }

    /// Returns the authorization of a provider.
    package func authorization(of provider: ProviderID) -> Authorization {
        authorizations[provider] ?? newProviders.authorization
    }

    /// Returns whether a provider may have calls.
    package func isAuthorized(_ provider: ProviderID) -> Bool {
        authorization(of: provider) == .authorized
    }
}

/// The limits of the history; older entries and excess ones are removed.
package struct HistoryRetention: Hashable, Sendable {
    package var days = 365
    package var entries = 100_000

    package init() {}
}

// MARK: - Stored

extension JournalEntry: Storable {
    package func store(in writer: inout StateWriter) {
        writer.finishFlags()
        switch matter {
        case .event(let event):
            writer.write(UInt8(0))
            writer.write(event, at: at)
        case .asked(let request): writer.write(UInt8(1), at, request)
        case .session(let session): writer.write(UInt8(2), at, session)
        case .choices(let choices): writer.write(UInt8(3), at, choices)
        case .topics(let bits): writer.write(UInt8(4), at, bits)
        case .stopping: writer.write(UInt8(5), at)
        case .missed(let missed): writer.write(UInt8(6), at, missed)
        case .pluginPublished: writer.write(UInt8(7), at)
        case .slept(let milliseconds): writer.write(UInt8(8), at, milliseconds)
        case .screeningCopy(let change): writer.write(UInt8(9), at, change)
        case .dialRefusedPublished: writer.write(UInt8(10), at)
        case .hungPublished(let provider): writer.write(UInt8(11), at, provider)
        case .claimPublished(let call, let provider): writer.write(UInt8(12), at, call, provider)
        case .dialled(let dial): writer.write(UInt8(13), at, dial)
        case .grants(let grants): writer.write(UInt8(14), at, grants)
        case .endpointsPublished(let hasAny): writer.write(UInt8(18), at, hasAny)
        case .endpointChosen(let endpoint): writer.write(UInt8(19), at, endpoint)
        case .participantsPublished(let call, let hasAny):
            writer.write(UInt8(20), at, call, hasAny)
        case .textPublished: writer.write(UInt8(21), at)
        case .screenPublished(let hasAny): writer.write(UInt8(22), at, hasAny)
        }
        writer.finishFlags()
    }

    package init(from reader: inout StateReader) throws(StateError) {
        reader.finishFlags()
        defer { reader.finishFlags() }
        let number: UInt8 = try reader.read()
        guard number != 0 else {
            let (event, at) = try reader.readEvent()
            self.init(.event(event), at: at)
            return
        }
        let at: Instant = try reader.read()
        switch number {
        case 1: self.init(.asked(try reader.read()), at: at)
        case 2: self.init(.session(try reader.read()), at: at)
        case 3: self.init(.choices(try reader.read()), at: at)
        case 4: self.init(.topics(try reader.read()), at: at)
        case 5: self.init(.stopping, at: at)
        case 6: self.init(.missed(try reader.read()), at: at)
        case 7: self.init(.pluginPublished, at: at)
        case 8: self.init(.slept(try reader.read()), at: at)
        case 9: self.init(.screeningCopy(try reader.read()), at: at)
        case 10: self.init(.dialRefusedPublished, at: at)
        case 11: self.init(.hungPublished(try reader.read()), at: at)
        case 12: self.init(.claimPublished(try reader.read(), by: try reader.read()), at: at)
        case 13: self.init(.dialled(try reader.read()), at: at)
        case 14: self.init(.grants(try reader.read()), at: at)
        case 18: self.init(.endpointsPublished(hasAny: try reader.read()), at: at)
        case 19: self.init(.endpointChosen(try reader.read()), at: at)
        case 20:
            self.init(
                .participantsPublished(try reader.read(), hasAny: try reader.read()), at: at)
        case 21: self.init(.textPublished, at: at)
        case 22: self.init(.screenPublished(hasAny: try reader.read()), at: at)
        default: throw reader.unexpected(UInt64(number), expected: "an entry of a journal")
        }
    }
}

extension AskedRequest: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(id, key)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(id: try reader.read(), key: try reader.read())
    }
}

extension StoredDial: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(call, start, tried)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            call: try reader.read(), start: try reader.read(), tried: try reader.read())
    }
}

extension StoredSession: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(provider, id, secret)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(provider: try reader.read(), id: try reader.read(), secret: try reader.read())
    }
}

extension HostChoices: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(policy)
        writer.write(pairs: defaultProviders.sorted { $0.key < $1.key })
        writer.write(screening, newProviders)
        writer.write(pairs: authorizations.sorted { $0.key < $1.key })
        writer.write(retention.days, retention.entries, heartbeatMS, emergency, rights)
        writer.write(screening.doNotDisturb.letsPriorityCallersPass)
        writer.write(handover)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(policy: try reader.read())
        defaultProviders = try reader.readPairs()
        screening = try reader.read()
        newProviders = try reader.read()
        authorizations = try reader.readPairs()
        retention.days = try reader.read()
        retention.entries = try reader.read()
        if reader.fileForm >= 4 { heartbeatMS = try reader.read() }
        if reader.fileForm >= 5 { emergency = try reader.read() }
        guard reader.fileForm >= 6 else { return }
        rights = try reader.read()
        screening.doNotDisturb.letsPriorityCallersPass = try reader.read()
        handover = try reader.read()
    }
}

extension StateWriter {
    mutating func write<Key: Storable, Value: Storable>(
        pairs: [(key: Key, value: Value)]
    ) {
        write(pairs.map(\.key), pairs.map(\.value))
    }
}

extension StateReader {
    mutating func readPairs<Key: Storable & Hashable, Value: Storable>()
        throws(StateError) -> [Key: Value]
    {
        let keys: [Key] = try read()
        let values: [Value] = try read()
        guard keys.count == values.count else { throw .inconsistent("keys without values") }
        return Dictionary(zip(keys, values), uniquingKeysWith: { $1 })
    }
}
