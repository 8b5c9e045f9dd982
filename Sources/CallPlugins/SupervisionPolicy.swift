/// The times and limits of supervision, in milliseconds.
package struct SupervisionPolicy: Equatable, Sendable {
    /// The time from the start to `broker.hello`, and from there to the registration.
    package var helloMS = 10_000
    package var registerMS = 10_000
    /// The first pause before a restart; each further one is twice as long.
    package var backoffMS = 500
    package var backoffMaxMS = 60_000
    /// The random variation of a pause, so that many plugins do not start at once.
    package var jitterPercent = 20
    /// The time without a failure after which the next pause is the first again.
    package var healthMS = 60_000
    /// The number of failures within the window after which the plugin is not restarted.
    package var failuresMax = 5
    package var failureWindowMS = 300_000
    /// The silence after which a plugin with calls is pinged, and one without.
    package var silenceWithCallsMS = 15_000
    package var silenceMS = 60_000
    /// The deadline of the reply to a ping.
    package var pingMS = 10_000
    /// The time between SIGTERM and SIGKILL.
    package var killMS = 5_000

    package init() {}

    /// Returns the pause before the next start, after that many failed ones.
    func pauseMS(afterAttempts attempts: Int, random: UInt32) -> Int {
        let doubled = backoffMS << min(attempts, 20)
        let span = UInt32(2 * jitterPercent + 1)
        return min(doubled, backoffMaxMS) * (100 - jitterPercent + Int(random % span)) / 100
    }

    func silenceMS(hasCalls: Bool) -> Int {
        hasCalls ? silenceWithCallsMS : silenceMS
    }
}
