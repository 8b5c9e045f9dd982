internal import CallArbitration
internal import CallModel

/// What the end of a run, and a replay, have to know.
extension Bench {
    /// Providers whose calls wait for them, with what they said of themselves.
    var lostProviders: [(ProviderID, ProviderConfiguration)] {
        watch.providers.filter { !$0.value }.keys.sorted().map {
            ($0, configurations[$0] ?? ProviderConfiguration(displayName: "", handleKinds: []))
        }
    }

    func isConnected(_ provider: ProviderID) -> Bool {
        watch.providers[provider] == true
    }

    var openRequest: RequestToken? {
        watch.requests.open.first
    }

    var timersLeft: [TimerID] {
        watch.timers.armed.map(\.timer)
    }

    var outstanding: [ActionID] {
        watch.work.outstanding.map(\.action)
    }
}
