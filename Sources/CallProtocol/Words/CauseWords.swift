package import CallModel

extension Origin: WireWord {
    package var word: StaticString {
        switch self {
        case .user: "user"
        case .app: "app"
        case .provider: "provider"
        case .remote: "remote"
        case .arbitration: "arbitration"
        case .timeout: "timeout"
        case .policy: "policy"
        case .admin: "admin"
        }
    }
}

extension Rule: WireWord {
    package var word: StaticString {
        switch self {
        case .incomingAlone: "1"
        case .incomingWhileActive: "2"
        case .incomingWhileRinging: "3"
        case .incomingWhileDialing: "4"
        case .answerHoldsFirst: "5"
        case .holdFailed: "5a"
        case .holdTimedOut: "5b"
        case .answerCannotHold: "6"
        case .answerVariants: "7"
        case .variantTargetGone: "7a"
        case .startHoldsFirst: "8"
        case .startCannotHold: "9"
        case .alreadyDialing: "10"
        case .waitForEnding: "10a"
        case .startWhileRinging: "11"
        case .sameProvider: "12"
        case .reportedActive: "13"
        case .resumeHoldsFirst: "14"
        case .busy: "15"
        case .resumeAfterUserEnd: "16"
        case .resumeOffered: "17"
        case .restored: "17a"
        case .memberEnds: "18"
        case .swap: "19"
        case .emergency: "20"
        case .video: "21"
        case .merge: "22"
        case .groupActions: "22a"
        case .reportedGroup: "22b"
        case .split: "23"
        case .providerLimits: "24"
        case .hostLimits: "25"
        case .providerExited: "26"
        case .providerLost: "27"
        case .brokerRestarted: "28"
        case .lateAnswer: "29"
        case .repeated: "30"
        case .reportOvertakes: "30a"
        case .unknownCall: "31"
        case .notSupported: "31a"
        case .filters: "32"
        case .rights: "33"
        case .mute: "34"
        case .tones: "35"
        case .ringTimeout: "36"
        case .elsewhere: "37"
        case .button: "38"
        case .history: "39"
        case .silence: "40"
        case .transfer: "41"
        case .endpoint: "42"
        }
    }
}

extension RefusalReason: WireWord {
    package var word: StaticString {
        switch self {
        case .unentitled: "unentitled"
        case .notYourCall: "not_your_call"
        case .callIsProtected: "call_is_protected"
        case .unknownCall: "unknown_call"
        case .callEnded: "call_ended"
        case .unknownProvider: "unknown_provider"
        case .callUUID: "call_uuid"
        case .emptyTransaction: "empty_transaction"
        case .invalidAction: "invalid_action"
        case .invalidState: "invalid_state"
        case .cannotHold: "cannot_hold"
        case .holdFailed: "hold_failed"
        case .notSupported: "not_supported"
        case .alreadyDialing: "already_dialing"
        case .callRinging: "call_ringing"
        case .busy: "busy"
        case .emergency: "emergency"
        case .maxCallGroups: "max_call_groups"
        case .maxCallsPerGroup: "max_calls_per_group"
        case .maxRinging: "max_ringing"
        case .maxHeld: "max_held"
        case .maxCalls: "max_calls"
        case .doNotDisturb: "do_not_disturb"
        case .inCall: "in_call"
        case .blockList: "block_list"
        case .restrictedSharing: "restricted_sharing"
        case .sensitiveParticipants: "sensitive_participants"
        case .screener: "screener"
        case .deadlineExceeded: "deadline_exceeded"
        case .cancelled: "cancelled"
        case .providerFailed: "provider_failed"
        case .providerGone: "provider_gone"
        }
    }
}
