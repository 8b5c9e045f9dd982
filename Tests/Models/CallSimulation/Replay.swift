internal import CallArbitration
internal import CallModel

/// A script, played again without the world that made it.
package enum Replay {
    /// The bench after the script and a quiet end. Steps that cannot happen (an answer to an action
    /// that does not exist, news from somebody who is not connected) are left out.
    package static func play(_ script: Script, checks: Checks = Checks()) -> Bench {
        var checks = checks
        checks.closeness = 1
        var bench = Bench(checks: checks)
        var directory = ActionDirectory()
        for step in script.steps {
            bench.fireTimers(upTo: step.timersUpTo) { directory.take($0, of: nil) }
            guard bench.complaint == nil else { return bench }
            guard let event = directory.event(of: step), bench.isPossible(event) else { continue }
            directory.take(bench.apply(event, at: step.at), of: step.number)
        }
        bench.fireTimers(upTo: script.end) { _ in }
        Closing.close(&bench, longestMS: World.longestMS)
        bench.checkReplay()
        return bench
    }
}

extension Bench {
    /// Whether its sender can speak: only who is connected says anything.
    fileprivate func isPossible(_ event: ArbiterEvent) -> Bool {
        switch event {
        case .incomingReported(let report): isConnected(report.provider)
        case .missedReported(let report): isConnected(report.provider)
        case .callReported(let report): isConnected(report.provider)
        case .actionFulfilled(_, let provider, _), .actionFailed(_, let provider, _),
            .actionExtended(_, let provider, _), .offerSettled(_, let provider, _),
            .providerLost(let provider), .providerUpdated(let provider, _),
            .providerUnregistered(let provider):
            isConnected(provider)
        case .providerStarting, .providerRegistered, .providerExited, .providerRevoked,
            .screeningSettled, .callerIdentified, .callerPrioritized, .transactionRequested,
            .swapRequested,
            .mergeRequested, .splitRequested, .buttonPressed, .silenceRequested,
            .prioritizeRequested,
            .cancelRequested, .timerFired, .policyChanged, .brokerRestarted:
            true
        }
    }
}
