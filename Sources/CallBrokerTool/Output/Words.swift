internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// What the tool says to people in place of the words of the protocol, which `--json` has. All such
/// words are in this file. Words of a newer broker are said as they are, without underscores.
enum Words {
    static func endReason(_ word: String) -> String {
        EndReason(rawValue: word)?.words ?? word.printable.replacingUnderscores
    }

    static func missedReason(_ word: String) -> String {
        missedReasons[word] ?? word.printable.replacingUnderscores
    }

    static let missedReasons = [
        "unanswered": "not answered", "short_ring": "rang briefly", "silenced": "rang silently",
        "caller_gave_up": "caller gave up", "do_not_disturb": "do-not-disturb was on",
        "max_ringing": "too many calls rang", "emergency": "an emergency came first",
        "provider_lost": "app lost", "screening_timed_out": "a filter was too slow",
        "max_calls": "too many calls", "in_call": "in another call",
    ]

    /// Returns the filter that acted on a call.
    static func filter(_ word: String) -> String {
        switch word {
        case "block_list": "the block list"
        case "do_not_disturb": "do-not-disturb"
        case "unknown_callers": "the policy for unknown callers"
        default: word.printable
        }
    }

    /// Returns why a call ended, was missed or filtered.
    static func end(_ reason: String, missed: [String], filter: String?) -> String {
        let isImplied = ["remote_ended", "unanswered", "filtered"].contains(reason)
        let end = isImplied && !missed.isEmpty ? [] : [endReason(reason)]
        let why = (end + missed.map(missedReason)).joined(separator: ", ")
        guard let filter, !missed.contains(filter) else { return why }
        return why + (missed.isEmpty ? " by \(Self.filter(filter))" : " (\(Self.filter(filter)))")
    }

    static func refusal(_ word: String) -> String {
        RefusalReason(rawValue: word)?.message ?? word.printable.replacingUnderscores
    }

    static func decision(_ word: String) -> String {
        Verdict(rawValue: word)?.words ?? word.printable.replacingUnderscores
    }

    static func origin(_ word: String) -> String {
        Origin(rawValue: word)?.words ?? word.printable.replacingUnderscores
    }
}

extension EndReason {
    fileprivate var words: String {
        switch self {
        case .failed: "failed"
        case .remoteEnded: "other side hung up"
        case .unanswered: "not answered"
        case .answeredElsewhere: "answered elsewhere"
        case .declinedElsewhere: "declined elsewhere"
        case .localEnded: "ended here"
        case .declined: "declined"
        case .cancelled: "given up here"
        case .filtered: "kept from ringing"
        }
    }
}

extension Origin {
    fileprivate var words: String {
        switch self {
        case .user: "the user"
        case .app: "the app"
        case .provider: "the app's report"
        case .remote: "the other side"
        case .arbitration: "the rules"
        case .timeout: "a deadline"
        case .policy: "the policy"
        case .admin: "an administrator"
        }
    }
}

extension Verdict {
    fileprivate var words: String {
        switch self {
        case .refused: "the request was refused"
        case .cancelled: "another request took its place"
        case .joined: "the same request was in progress already"
        case .nothingToDo: "it was so already"
        case .failed: "the app failed"
        case .rings: "it rings"
        case .waits: "it waits"
        case .screened: "the filters examine it"
        case .passed: "it is let through"
        case .silenced: "it rings without sound"
        case .filtered: "it must not ring"
        case .elsewhere: "it was over before it could ring here"
        case .holdsFirst: "the call in the way is held first"
        case .endsFirst: "the call in the way is ended first"
        case .waitsForEnding: "it waits until the other call has ended"
        case .partLeftOut: "a part of the request is left out"
        case .oneTransaction: "hold and answer go to the app together"
        case .perMember: "each call of the group has its own action"
        case .holdFailed: "the app refused to hold, so nothing more is done"
        case .blockerEnded: "the app refused to hold, so its call is ended"
        case .silentCallEnded: "the app did not respond, so its call is ended"
        case .resumes: "the held call is resumed"
        case .resumeOffered: "the resume is offered"
        case .resumeWithheld: "the held call is not resumed yet"
        case .groupGoesOn: "the rest of the group goes on"
        case .audioGranted: "it gets the audio"
        case .sentBack: "it does not get the audio, and has to be held"
        case .countsAsFulfilled: "the report counts as the app's reply"
        case .recorded: "the app's own change is recorded"
        case .adopted: "the call that only the app had is taken over"
        case .dropped: "the call that only the app had is dropped"
        case .waitsForProvider: "it waits for the app to come back"
        case .ended: "it is over"
        case .ignored: "the app's claim does not count"
        case .forced: "it is done whatever the app replies"
        }
    }
}

extension String {
    var replacingUnderscores: String {
        String(map { $0 == "_" ? " " : $0 })
    }
}
