internal import CallModel
internal import CallPlugins
internal import CallProtocol

/// The ranking of sources that identify a caller: of several sources the same one always wins, in
/// whatever order they respond. Facts of two sources are never combined: they may be about two
/// people.
struct CallerRanking {
    let broker: Broker

    /// The rank of a source; the lowest one wins.
    private struct Rank: Comparable {
        let tier: Int
        let priority: Int
        let source: String

        static func < (one: Rank, other: Rank) -> Bool {
            (one.tier, -one.priority, one.source) < (other.tier, -other.priority, other.source)
        }
    }

    /// Returns the rank of a source: first the user's contacts, then directories by the priorities
    /// in their manifests and by their names, then the labels of screeners.
    private func rank(of source: String) -> Rank {
        guard source != Caller.contacts else { return Rank(tier: 0, priority: 0, source: source) }
        let manifest = broker.plugins[source]?.manifest
        let isScreener = manifest?.roles.isDisjoint(with: .directory) ?? false
        return Rank(
            tier: isScreener ? 2 : 1, priority: manifest?.directory?.priority ?? 0, source: source)
    }

    /// Returns the caller from the source with the best rank.
    func best(_ callers: [Caller]) -> Caller? {
        callers.min { rank(of: $0.source) < rank(of: $1.source) }
    }

    /// Returns true if a source takes precedence over the known caller. A source replaces its own
    /// earlier response.
    func isBetter(_ source: String, than caller: Caller?) -> Bool {
        guard let caller, caller.isKnown else { return true }
        return rank(of: source) <= rank(of: caller.source)
    }
}
