package import BrokerJSON
package import CallModel

extension ActionKind: WireWord {
    package var word: StaticString {
        switch self {
        case .start: "start"
        case .answer: "answer"
        case .end: "end"
        case .setHeld: "set_held"
        case .setMuted: "set_muted"
        case .setGroup: "set_group"
        case .playDTMF: "play_dtmf"
        case .setEndpoint: "set_endpoint"
        case .setVideo: "set_video"
        case .setText: "set_text"
        case .transfer: "transfer"
        case .attendedTransfer: "attended_transfer"
        case .deflect: "deflect"
        }
    }

    /// The word as the name of a member.
    package var name: StaticString {
        word
    }
}

extension PausedTones.End: WireWord {
    package var word: StaticString {
        switch self {
        case .time: "time"
        case .user: "user"
        }
    }
}

extension JSONWriter {
    package mutating func member(_ name: StaticString, _ tones: PausedTones) {
        self.name(name)
        object { writer in
            writer.member("digits", tones.digits)
            writer.member("until", tones.end.word)
        }
    }
}

extension DTMFStyle: WireWord {
    package var word: StaticString {
        switch self {
        case .single: "single"
        case .softPause: "soft_pause"
        case .hardPause: "hard_pause"
        }
    }
}

extension ActionState: WireWord {
    package var word: StaticString {
        switch self {
        case .planned: "planned"
        case .queued: "queued"
        case .dispatched: "dispatched"
        case .fulfilled: "fulfilled"
        case .failed: "failed"
        case .timedOut: "timed_out"
        case .skipped: "skipped"
        case .cancelled: "cancelled"
        }
    }
}

extension TransactionState: WireWord {
    package var word: StaticString {
        switch self {
        case .accepted: "accepted"
        case .completed: "completed"
        case .failed: "failed"
        }
    }
}
