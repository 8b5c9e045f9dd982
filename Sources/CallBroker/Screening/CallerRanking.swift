internal import CallModel
internal import CallPlugins
internal import CallProtocol

/// Who says who somebody is: of several always the same one, whoever answers first. What it does not say
/// nobody adds: a name and a label of two sources are two people.
struct CallerRanking {
    let broker: Broker

    /// The lower one goes before the other.
    private struct Rank: Comparable {
        let tier: Int
        let priority: Int
        let source: String

        static func < (one: Rank, other: Rank) -> Bool {
            (one.tier, -one.priority, one.source) < (other.tier, -other.priority, other.source)
        }
    }

    /// The user's contacts, then directories by the priorities in their manifests and by their names, then
    /// what screeners have to say beside their verdicts.
    private func rank(of source: String) -> Rank {
        guard source != Caller.contacts else { return Rank(tier: 0, priority: 0, source: source) }
        let manifest = broker.plugins[source]?.manifest
        let isScreener = manifest?.roles.isDisjoint(with: .directory) ?? false
        return Rank(
            tier: isScreener ? 2 : 1, priority: manifest?.directory?.priority ?? 0, source: source)
    }

    /// Of all who know who somebody is the one that counts.
    func best(_ callers: [Caller]) -> Caller? {
        callers.min { rank(of: $0.source) < rank(of: $1.source) }
    }

    /// Whether what a source says now counts more than what is known; its own earlier word does not.
    func isBetter(_ source: String, than caller: Caller?) -> Bool {
        guard let caller, caller.isKnown else { return true }
        return rank(of: source) <= rank(of: caller.source)
    }
}
