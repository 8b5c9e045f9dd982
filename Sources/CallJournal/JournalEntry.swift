package import CallArbitration
package import CallModel

/// One thing that the journal keeps, with its moment.
package struct JournalEntry: Equatable, Sendable {
    package enum Matter: Equatable, Sendable {
        /// The arbiter decided about it.
        case event(ArbiterEvent)
        /// Comes in front of the event that asks for it.
        case asked(AskedRequest)
        /// A provider registers under this key.
        case session(StoredSession)
        /// Somebody set the policy.
        case choices(HostChoices)
        /// From now on events of these topics are written down too. A set of bits.
        case topics(UInt64)
        /// The broker says goodbye.
        case stopping
        /// So many missed calls are new to the user.
        case missed(Int)
        /// A plugin's state was told: of that only the event's number is kept.
        case pluginTold
        /// The host has slept for so many milliseconds.
        case slept(Int)
        /// What counts while the store cannot be asked.
        case screeningCopy(ScreeningCopy.Change)
        /// It was told that an address is not called: of that, too, only the number is kept.
        case dialRefusedTold
        /// A provider gave no sign of life, and that was told.
        case hungTold(ProviderID)
        /// A provider says of a call that it is an emergency, which does not count, and that was told.
        case claimTold(CallID, by: ProviderID)
        /// The user has dialled an emergency, or it is another app's turn to place it.
        case dialled(StoredDial)
    }

    package var matter: Matter
    package var at: Instant

    package init(_ matter: Matter, at: Instant) {
        self.matter = matter
        self.at = at
    }
}

/// A request for a transaction whose id the client chose: who asks for the same again gets the same
/// reply.
package struct AskedRequest: Equatable, Sendable {
    package var id: TransactionID
    /// What was asked for, without what differs when the same is asked for again.
    package var key: ArbiterEvent

    package init(id: TransactionID, key: ArbiterEvent) {
        self.id = id
        self.key = key
    }
}

/// An emergency that the user has dialled, and that nobody has reached the far end with.
package struct StoredDial: Equatable, Sendable {
    package var call: CallID
    package var start: StartArguments
    /// Those that have been asked to place it.
    package var tried: [ProviderID]

    package init(call: CallID, start: StartArguments, tried: [ProviderID]) {
        (self.call, self.start, self.tried) = (call, start, tried)
    }
}

/// What a provider has to show to go on with its session.
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

/// What the user chose for the host.
package struct HostChoices: Equatable, Sendable {
    package var policy: ArbitrationPolicy
    /// Whose call an address becomes, by its scheme.
    package var defaultProviders: [String: ProviderID]
    package var screening = ScreeningPolicy()
    /// Of the providers that the user has spoken about.
    package var authorizations: [ProviderID: Authorization] = [:]
    /// What becomes of the others.
    package var newProviders = NewProviders.allow
    package var retention = HistoryRetention()
    /// For so long a provider with calls may be silent before it is asked for a sign of life; 0: for ever.
    package var heartbeatMS = 10_000
    package var emergency = EmergencyChoices()

    package init(
        policy: ArbitrationPolicy = ArbitrationPolicy(),
        defaultProviders: [String: ProviderID] = [:]
    ) {
        self.policy = policy
        self.defaultProviders = defaultProviders
    }

    package func authorization(of provider: ProviderID) -> Authorization {
        authorizations[provider] ?? newProviders.authorization
    }

    /// Whether an app may have calls.
    package func isAuthorized(_ provider: ProviderID) -> Bool {
        authorization(of: provider) == .authorized
    }
}

/// How much of the history is kept: what is older, or too much, goes.
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
        case .pluginTold: writer.write(UInt8(7), at)
        case .slept(let milliseconds): writer.write(UInt8(8), at, milliseconds)
        case .screeningCopy(let change): writer.write(UInt8(9), at, change)
        case .dialRefusedTold: writer.write(UInt8(10), at)
        case .hungTold(let provider): writer.write(UInt8(11), at, provider)
        case .claimTold(let call, let provider): writer.write(UInt8(12), at, call, provider)
        case .dialled(let dial): writer.write(UInt8(13), at, dial)
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
        case 7: self.init(.pluginTold, at: at)
        case 8: self.init(.slept(try reader.read()), at: at)
        case 9: self.init(.screeningCopy(try reader.read()), at: at)
        case 10: self.init(.dialRefusedTold, at: at)
        case 11: self.init(.hungTold(try reader.read()), at: at)
        case 12: self.init(.claimTold(try reader.read(), by: try reader.read()), at: at)
        case 13: self.init(.dialled(try reader.read()), at: at)
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
        writer.write(retention.days, retention.entries, heartbeatMS, emergency)
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
