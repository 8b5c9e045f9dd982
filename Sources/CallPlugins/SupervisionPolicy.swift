internal import CallModel

/// The times of supervision.
package struct SupervisionPolicy: Equatable, Sendable {
    /// From its start to its hello, and from there to its registration.
    package var helloMS = 10_000
    package var registerMS = 10_000
    /// The first pause; each further one is twice as long.
    package var backoffMS = 500
    package var backoffMaxMS = 60_000
    /// By how much a pause is longer or shorter, so that many plugins do not come at once.
    package var jitterPercent = 20
    /// So long without a failure, and the next pause is the first again.
    package var healthMS = 60_000
    /// So many failures within the window, and it is not tried again.
    package var failuresMax = 5
    package var failureWindowMS = 300_000
    /// Silence is broken after so long with live calls, and without.
    package var silenceWithCallsMS = 15_000
    package var silenceMS = 60_000
    /// How long the answer to a ping may take.
    package var pingMS = 10_000
    /// From asking a process to end, to ending it.
    package var killMS = 5_000

    package init() {}

    /// How long to wait before the next attempt, when so many have failed.
    func pauseMS(afterAttempts attempts: Int, random: UInt32) -> Int {
        let doubled = backoffMS << min(attempts, 20)
        let span = UInt32(2 * jitterPercent + 1)
        return min(doubled, backoffMaxMS) * (100 - jitterPercent + Int(random % span)) / 100
    }

    func silenceMS(hasCalls: Bool) -> Int {
        hasCalls ? silenceWithCallsMS : silenceMS
    }
}
