/// Why a section ends early, or is not played at all, where there is a wire: the one list of all
/// that transcripts can say and clients cannot.
package enum Unplayable: String, Error, CaseIterable, Sendable {
    /// A call that filters do not look at, while they look at another: the broker asks those that are
    /// connected about each call.
    case alsoScreened
    /// `screening_settled` with `do_not_disturb` while another call sounds: the user's change of the
    /// policy silences that one.
    case alsoSilenced
    /// `screening_settled` with `ring_in_call`: the user's contacts say it, not filters.
    case favorite
    /// `caller_prioritized` of a call that no filter looks at: the user's contacts say it.
    case latePriority
    /// `caller_identified` of a call about which nobody is asked: it is over.
    case nobodyAsks
    /// `provider_starting`: no client says it, but the broker when it starts a plugin for a call.
    case starting
    /// `provider_revoked`: `policy.set` says it, and tells more than what follows from it.
    case revocation
    /// `broker_restarted` after the host was started anew: what ends then is over, and is no event of
    /// the new epoch.
    case anotherBoot
    /// `broker_restarted` while somebody waits who cannot ask again: the shell withdraws his request.
    case abandonedByRestart
    /// `missed_reported` with several reasons: its method takes one.
    case severalMissedReasons
    /// A value beyond the limits of the method: the frame is refused before anybody decides.
    case refusedFrame
    /// Something comes when a timer is due that has not fired: the test clock fires what is due
    /// before anything that comes at that time.
    case timerIsDue
    /// `timer_fired` of one that is not due then, or not the first of those that are.
    case timerIsNotDue
    /// A time with a fraction of a millisecond.
    case fractionOfMillisecond
    /// `cancel_requested` for a request that is done, or never was one.
    case repliedAlready
    /// `action_extended` without an open `provider.perform`: there is no request to name.
    case noOpenPerform
    /// `offer_settled` without an open `provider.execute`.
    case noOpenOffer
    /// `provider_lost` of one that is away: a connection ends once.
    case lostAlready
    /// `provider_exited` of one whose process nobody watches: it never registered, or was removed.
    case unwatchedProcess
    /// `start` without a provider, or of an emergency at one that is not there: then the shell chooses one.
    case providerIsChosen
    /// A dialled emergency fails that another app could place: the shell lets it.
    case emergencyGoesOn
    /// What the shell answers itself because the provider is not registered.
    case notRegistered
}

extension Unplayable {
    /// How many sections of all stories end for each reason. Who adds to a number could have written
    /// the section so that clients can play it; or else knows why not.
    package static let sections: [Unplayable: Int] = [
        .starting: 9, .revocation: 17, .anotherBoot: 2, .abandonedByRestart: 1,
        .favorite: 1, .latePriority: 1, .alsoSilenced: 1,
        .severalMissedReasons: 1, .refusedFrame: 5, .timerIsDue: 2, .timerIsNotDue: 3,
        .noOpenPerform: 1, .lostAlready: 1, .providerIsChosen: 3, .emergencyGoesOn: 3,
        .notRegistered: 1,
    ]
}
