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

    package init(policy: ArbitrationPolicy, defaultProviders: [String: ProviderID]) {
        self.policy = policy
        self.defaultProviders = defaultProviders
    }
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
        }
        writer.finishFlags()
    }

    package init(from reader: inout StateReader) throws(StateFault) {
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
        default: throw reader.unexpected(UInt64(number), expected: "an entry of a journal")
        }
    }
}

extension AskedRequest: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(id, key)
    }

    package init(from reader: inout StateReader) throws(StateFault) {
        self.init(id: try reader.read(), key: try reader.read())
    }
}

extension StoredSession: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(provider, id, secret)
    }

    package init(from reader: inout StateReader) throws(StateFault) {
        self.init(provider: try reader.read(), id: try reader.read(), secret: try reader.read())
    }
}

extension HostChoices: Storable {
    package func store(in writer: inout StateWriter) {
        let schemes = defaultProviders.keys.sorted()
        writer.write(policy, schemes, schemes.compactMap { defaultProviders[$0] })
    }

    package init(from reader: inout StateReader) throws(StateFault) {
        let policy: ArbitrationPolicy = try reader.read()
        let schemes: [String] = try reader.read()
        let providers: [ProviderID] = try reader.read()
        guard schemes.count == providers.count else {
            throw .notWhole("default providers without schemes")
        }
        let pairs = zip(schemes, providers)
        self.init(
            policy: policy, defaultProviders: Dictionary(pairs, uniquingKeysWith: { $1 }))
    }
}
