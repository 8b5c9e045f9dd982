package import CallModel

/// The texts of a refusal. Where the rule says more than the reason, they name what is missing.
extension Refusal {
    /// The cause of the refusal, for people, without any caller's data.
    package var message: String {
        ownText?.message ?? reason.message
    }

    /// The remedy, if there is one.
    package var hint: String? {
        ownText?.hint ?? reason.hint
    }

    private var ownText: (message: String, hint: String)? {
        switch (reason, rule) {
        case (.invalidAction, .swap?):
            (
                "several calls are held: name the one to swap with",
                "name one of the calls in the way"
            )
        case (.invalidState, .swap?):
            (
                "a swap needs a live call and a held one",
                "if no call is live, resume the held one with call.set_held"
            )
        case (.invalidAction, .merge?):
            (
                "calls of different providers cannot be merged",
                "merge calls of one provider; allowed in call.list shows which can be merged"
            )
        case (.invalidState, .merge?), (.invalidState, .split?):
            (
                "only active and held calls without a pending action can be merged or split",
                "wait until the calls in the way are active or held"
            )
        case (.invalidAction, .tones?): ("digits is empty", "send at least one digit")
        default: nil
        }
    }
}
