package import BrokerJSON
package import CallModel

extension Direction: WireWord {
    package var word: StaticString {
        switch self {
        case .incoming: "incoming"
        case .outgoing: "outgoing"
        }
    }
}

extension CallState: WireWord {
    package var word: StaticString {
        switch self {
        case .starting: "starting"
        case .dialing: "dialing"
        case .alerting: "alerting"
        case .ringing: "ringing"
        case .waiting: "waiting"
        case .connecting: "connecting"
        case .active: "active"
        case .held: "held"
        case .ending: "ending"
        case .ended: "ended"
        case .external: "external"
        }
    }
}

extension PendingAction: WireWord {
    package var word: StaticString {
        switch self {
        case .queued: "queued"
        case .starting: "starting"
        case .answering: "answering"
        case .holding: "holding"
        case .resuming: "resuming"
        case .ending: "ending"
        case .muting: "muting"
        case .grouping: "grouping"
        case .sendingDTMF: "sending_dtmf"
        case .switchingEndpoint: "switching_endpoint"
        case .changingVideo: "changing_video"
        case .changingText: "changing_text"
        case .transferring: "transferring"
        case .deflecting: "deflecting"
        }
    }
}

extension Priority: WireWord {
    package var word: StaticString {
        switch self {
        case .background: "background"
        case .normal: "normal"
        case .priorityCaller: "priority_caller"
        case .emergency: "emergency"
        case .emergencyCallback: "emergency_callback"
        }
    }
}

extension Verb: WireWord {
    package var word: StaticString {
        switch self {
        case .answer: "answer"
        case .holdAndAnswer: "hold_and_answer"
        case .endAndAnswer: "end_and_answer"
        case .endHeldAndAnswer: "end_held_and_answer"
        case .decline: "decline"
        case .silence: "silence"
        case .end: "end"
        case .hold: "hold"
        case .resume: "resume"
        case .swap: "swap"
        case .mute: "mute"
        case .unmute: "unmute"
        case .merge: "merge"
        case .split: "split"
        case .playDTMF: "play_dtmf"
        case .setEndpoint: "set_endpoint"
        case .setVideo: "set_video"
        case .setText: "set_text"
        case .transfer: "transfer"
        case .attendedTransfer: "attended_transfer"
        case .deflect: "deflect"
        case .pull: "pull"
        }
    }
}

extension EndReason: WireWord {
    package var word: StaticString {
        switch self {
        case .failed: "failed"
        case .remoteEnded: "remote_ended"
        case .unanswered: "unanswered"
        case .answeredElsewhere: "answered_elsewhere"
        case .declinedElsewhere: "declined_elsewhere"
        case .localEnded: "local_ended"
        case .declined: "declined"
        case .cancelled: "cancelled"
        case .filtered: "filtered"
        }
    }
}

extension JSONWriter {
    /// Writes the verbs that a call allows.
    package mutating func member(_ name: StaticString, words verbs: [Verb]) {
        self.name(name)
        array { writer in for verb in verbs { writer.value(verb.word) } }
    }
}
