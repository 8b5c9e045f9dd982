internal import CallModel

/// All providers that are connected, lost or being started, with their calls.
struct ProviderTable: Equatable, Sendable {
    private(set) var records = Slots<ProviderRecord>()
    private(set) var callLinks = ChainLinks<CallRecord>()
    private var slots: [ProviderID: Slot<ProviderRecord>] = [:]

    init() {}

    /// All slots that are used, by number.
    var all: [Slot<ProviderRecord>] {
        records.all
    }

    /// All ids, sorted.
    var ids: [ProviderID] {
        slots.keys.sorted()
    }

    subscript(provider: Slot<ProviderRecord>) -> ProviderRecord {
        @inline(__always) _read { yield records[provider] }
        @inline(__always) _modify { yield &records[provider] }
    }

    @inline(__always)
    func slot(of id: ProviderID) -> Slot<ProviderRecord>? {
        slots[id]
    }

    @inline(__always)
    func contains(_ provider: Slot<ProviderRecord>) -> Bool {
        records.contains(provider)
    }

    @discardableResult
    mutating func insert(_ record: consuming ProviderRecord) -> Slot<ProviderRecord> {
        let id = record.id
        let provider = records.insert(record)
        slots[id] = provider
        return provider
    }

    mutating func remove(_ provider: Slot<ProviderRecord>) {
        slots[records[provider].id] = nil
        records.remove(provider)
    }

    // MARK: - Calls

    /// Returns the calls of a provider, oldest first.
    func calls(of provider: Slot<ProviderRecord>) -> ChainLinks<CallRecord>.Elements {
        callLinks.elements(of: records[provider].calls)
    }

    func calls(of provider: Slot<ProviderRecord>, most: Int) -> [Slot<CallRecord>] {
        callLinks.prefix(most, of: records[provider].calls)
    }

    mutating func append(_ call: Slot<CallRecord>, to provider: Slot<ProviderRecord>) {
        callLinks.append(call, to: &records[provider].calls)
    }

    mutating func remove(_ call: Slot<CallRecord>, from provider: Slot<ProviderRecord>) {
        callLinks.remove(call, from: &records[provider].calls)
    }
}

// MARK: - Stored

extension ProviderTable {
    init(records: Slots<ProviderRecord>, callLinks: ChainLinks<CallRecord>) {
        self.records = records
        self.callLinks = callLinks
        for provider in records.all { slots[records[provider].id] = provider }
    }

    var hasUniqueIDs: Bool {
        slots.count == records.count
    }
}
