package import CallArbitration
package import CallModel

/// What can be seen of the host as a whole.
package struct HostSummary: Sendable {
    package var facts: HostFacts
    package var audioGroup: CallID?
    package var limits: ArbitrationPolicy.Limits
    /// Whether anything is under way: an action, a transaction, a request.
    package var isWorking: Bool

    package init(
        facts: HostFacts = HostFacts(), audioGroup: CallID? = nil,
        limits: ArbitrationPolicy.Limits = ArbitrationPolicy.Limits(), isWorking: Bool = false
    ) {
        self.facts = facts
        self.audioGroup = audioGroup
        self.limits = limits
        self.isWorking = isWorking
    }
}
