internal import CallModel

/// The sessions of providers, and the sorted names of the registered ones, so that a page of them costs
/// the same however many there are.
struct SessionTable {
    private var sessions: [ProviderID: ProviderSession] = [:]
    private(set) var registered: [ProviderID] = []

    var all: some Collection<ProviderSession> {
        sessions.values
    }

    subscript(provider: ProviderID) -> ProviderSession? {
        get { sessions[provider] }
        set {
            sessions[provider] = newValue
            list(provider, newValue?.isRegistered ?? false)
        }
    }

    /// Records that the provider of a session was registered or removed.
    mutating func setRegistered(_ session: ProviderSession, _ isRegistered: Bool) {
        session.isRegistered = isRegistered
        if sessions[session.provider] === session { list(session.provider, isRegistered) }
    }

    /// The registered providers behind a name, in order.
    func registered(after name: String?) -> ArraySlice<ProviderID> {
        guard let name else { return registered[...] }
        let place = place(of: ProviderID(name))
        return registered[place...].drop { $0.name == name }
    }

    private mutating func list(_ provider: ProviderID, _ isRegistered: Bool) {
        let place = place(of: provider)
        let isListed = place < registered.count && registered[place] == provider
        if isRegistered, !isListed { registered.insert(provider, at: place) }
        if !isRegistered, isListed { registered.remove(at: place) }
    }

    private func place(of provider: ProviderID) -> Int {
        var (low, high) = (0, registered.count)
        while low < high {
            let middle = (low + high) / 2
            if registered[middle] < provider { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
