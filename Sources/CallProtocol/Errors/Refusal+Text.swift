package import CallModel

/// Where the rule tells more than the reason alone: what is missing, and what would help.
extension Refusal {
    /// What happened and why, for people. It tells nothing about who called whom.
    package var message: String {
        ownText?.message ?? reason.message
    }

    /// What to do about it, where there is something to do.
    package var hint: String? {
        ownText?.hint ?? reason.hint
    }

    private var ownText: (message: String, hint: String)? {
        switch (reason, rule) {
        case (.invalidAction, .swap?):
            (
                "several calls are held: a swap has to name one of them",
                "name one of the calls in the way"
            )
        case (.invalidState, .swap?):
            (
                "a swap needs a live call and a held one",
                "where no call is live, resume the held one with call.set_held"
            )
        case (.invalidAction, .merge?):
            (
                "calls of two providers cannot become one conference",
                "merge calls of one provider; call.list tells in allowed which can be merged"
            )
        case (.invalidState, .merge?), (.invalidState, .split?):
            (
                "a conference is made of calls that are active or held, with nothing under way",
                "answer or await the calls in the way, then try again"
            )
        case (.invalidAction, .tones?): ("there are no tones to play", "name one digit at least")
        default: nil
        }
    }
}
