internal import CallArbitration
internal import CallModel
internal import CallPlugins
internal import CallProtocol

/// What the tool says to people in place of the words of the protocol, which `--json` has. Words of
/// a newer broker are said as they are, without underscores.
enum Words {
    static func endReason(_ word: String) -> String {
        EndReason(rawValue: word)?.words ?? word.printable.replacingUnderscores
    }

    /// Returns an app's reason for the end of a call, or for a failed action.
    static func endDetail(_ word: String) -> String {
        EndDetail.Reason(rawValue: word).words ?? word.printable
    }

    static func missedReason(_ word: String) -> String {
        missedReasons[word] ?? word.printable.replacingUnderscores
    }

    static let missedReasons = [
        "unanswered": Messages.missedUnanswered, "short_ring": Messages.missedShortRing,
        "silenced": Messages.missedSilenced, "caller_gave_up": Messages.missedCallerGaveUp,
        "do_not_disturb": Messages.missedDoNotDisturb, "max_ringing": Messages.missedMaxRinging,
        "emergency": Messages.missedEmergency, "provider_lost": Messages.missedProviderLost,
        "screening_timed_out": Messages.missedScreeningTimedOut,
        "max_calls": Messages.missedMaxCalls, "in_call": Messages.missedInCall,
    ]

    /// Returns the filter that acted on a call.
    static func filter(_ word: String) -> String {
        switch word {
        case "block_list": Messages.filterBlockList
        case "do_not_disturb": Messages.filterDoNotDisturb
        case "unknown_callers": Messages.filterUnknownCallers
        default: word.printable
        }
    }

    /// Returns why a call ended, was missed or filtered.
    static func end(_ reason: String, missed: [String], filter: String?) -> String {
        let isImplied = ["remote_ended", "unanswered", "filtered"].contains(reason)
        let end = isImplied && !missed.isEmpty ? [] : [endReason(reason)]
        let why = (end + missed.map(missedReason)).joined(separator: ", ")
        guard let filter, !missed.contains(filter) else { return why }
        return missed.isEmpty
            ? Messages.endByFilter(end: why, filter: Self.filter(filter))
            : Messages.endWithFilter(end: why, filter: Self.filter(filter))
    }

    static func state(_ word: String) -> String {
        CallState(rawValue: word)?.words ?? word.replacingUnderscores
    }

    static func anomaly(_ word: String) -> String {
        switch Anomaly(rawValue: word) {
        case .startSilent: Messages.anomalyStartSilent
        case .dialStuck: Messages.anomalyDialStuck
        case .providerSilent: Messages.anomalyProviderSilent
        case .groupOverLimit: Messages.anomalyGroupOverLimit
        case .videoUndeclared: Messages.anomalyVideoUndeclared
        case .activeUnasked: Messages.anomalyActiveUnasked
        case .providerHung: Messages.anomalyProviderHung
        case .emergencyClaimed: Messages.anomalyEmergencyClaimed
        case nil: word.replacingUnderscores
        }
    }

    static func lineState(_ word: String) -> String {
        switch Line.State(rawValue: word) {
        case .registered: Messages.lineRegistered
        case .registering: Messages.lineRegistering
        case .failed: Messages.lineFailed
        case .off: Messages.lineOff
        case nil: word.printable
        }
    }

    /// - Parameter word: nil if it comes from a broker that does not know kinds.
    static func kind(_ word: String?) -> String {
        guard let word else { return Messages.kindApp }
        return switch ProviderKind(rawValue: word) {
        case .app: Messages.kindApp
        case .adapter: Messages.kindAdapter
        case .modem: Messages.kindModem
        case .watched: Messages.kindWatched
        case nil: word.printable
        }
    }

    static func pending(_ word: String) -> String {
        PendingAction(rawValue: word)?.words ?? word.replacingUnderscores
    }

    static func outcome(_ word: String) -> String {
        TransactionState(rawValue: word)?.words ?? word.printable
    }

    static func participant(_ state: Participant.State) -> String {
        switch state {
        case .joining: Messages.participantsJoining
        case .joined: Messages.participantsJoined
        case .waiting: Messages.participantsWaiting
        case .held: Messages.participantsHeld
        }
    }

    static func actionState(_ word: String) -> String {
        ActionState(rawValue: word)?.words ?? word.printable
    }

    static func refusal(_ word: String) -> String {
        RefusalReason(rawValue: word)?.words ?? word.printable.replacingUnderscores
    }

    /// Returns the message of an error, translated if it is the whole message of its reason.
    static func message(_ message: String, of reason: String?) -> String {
        guard let reason = reason.flatMap(RefusalReason.init(rawValue:)),
            reason.message == message
        else { return message }
        return reason.words
    }

    static func decision(_ word: String) -> String {
        Verdict(rawValue: word)?.words ?? word.printable.replacingUnderscores
    }

    static func pluginState(_ word: String) -> String {
        Supervision.State(rawValue: word)?.words ?? word.printable
    }

    static func origin(_ word: String) -> String {
        Origin(rawValue: word)?.words ?? word.printable.replacingUnderscores
    }
}

extension EndReason {
    fileprivate var words: String {
        switch self {
        case .failed: Messages.endFailed
        case .remoteEnded: Messages.endRemoteEnded
        case .unanswered: Messages.endUnanswered
        case .answeredElsewhere: Messages.endAnsweredElsewhere
        case .declinedElsewhere: Messages.endDeclinedElsewhere
        case .localEnded: Messages.endLocalEnded
        case .declined: Messages.endDeclined
        case .cancelled: Messages.endCancelled
        case .filtered: Messages.endFiltered
        }
    }
}

extension EndDetail.Reason {
    /// Nil for an app's own word.
    fileprivate var words: String? {
        switch self {
        case .busy: Messages.detailBusy
        case .rejected: Messages.detailRejected
        case .noAnswer: Messages.detailNoAnswer
        case .unreachable: Messages.detailUnreachable
        case .invalidNumber: Messages.detailInvalidNumber
        case .notAllowed: Messages.detailNotAllowed
        case .noCredit: Messages.detailNoCredit
        case .notRegistered: Messages.detailNotRegistered
        case .transferred: Messages.detailTransferred
        case .deflected: Messages.detailDeflected
        case .pulled: Messages.detailPulled
        case .answeredElsewhere: Messages.endAnsweredElsewhere
        case .declinedElsewhere: Messages.endDeclinedElsewhere
        case .networkError: Messages.detailNetworkError
        case .mediaError: Messages.detailMediaError
        case .serviceError: Messages.detailServiceError
        default: nil
        }
    }
}

extension Origin {
    fileprivate var words: String {
        switch self {
        case .user: Messages.originUser
        case .app: Messages.originApp
        case .provider: Messages.originProvider
        case .remote: Messages.originRemote
        case .arbitration: Messages.originArbitration
        case .timeout: Messages.originTimeout
        case .policy: Messages.originPolicy
        case .admin: Messages.originAdmin
        }
    }
}

extension CallState {
    fileprivate var words: String {
        switch self {
        case .starting: Messages.stateStarting
        case .dialing: Messages.stateDialing
        case .alerting: Messages.stateAlerting
        case .ringing: Messages.stateRinging
        case .waiting: Messages.stateWaiting
        case .connecting: Messages.stateConnecting
        case .active: Messages.stateActive
        case .held: Messages.stateHeld
        case .ending: Messages.stateEnding
        case .ended: Messages.stateEnded
        case .external: Messages.stateExternal
        }
    }
}

extension PendingAction {
    fileprivate var words: String {
        switch self {
        case .queued: Messages.pendingQueued
        case .starting: Messages.pendingStarting
        case .answering: Messages.pendingAnswering
        case .holding: Messages.pendingHolding
        case .resuming: Messages.pendingResuming
        case .ending: Messages.pendingEnding
        case .muting: Messages.pendingMuting
        case .grouping: Messages.pendingGrouping
        case .sendingDTMF: Messages.pendingSendingDtmf
        case .switchingEndpoint: Messages.pendingSwitchingEndpoint
        case .changingVideo: Messages.pendingChangingVideo
        case .changingText: Messages.pendingChangingText
        case .transferring: Messages.pendingTransferring
        case .deflecting: Messages.pendingDeflecting
        }
    }
}

extension RefusalReason {
    /// The message of the broker in the language of the user.
    fileprivate var words: String {
        switch self {
        case .unentitled: Messages.refusalUnentitled
        case .notYourCall: Messages.refusalNotYourCall
        case .callIsProtected: Messages.refusalCallIsProtected
        case .unknownCall: Messages.refusalUnknownCall
        case .callEnded: Messages.refusalCallEnded
        case .unknownProvider: Messages.refusalUnknownProvider
        case .callUUID: Messages.refusalCallUuid
        case .emptyTransaction: Messages.refusalEmptyTransaction
        case .invalidAction: Messages.refusalInvalidAction
        case .invalidState: Messages.refusalInvalidState
        case .cannotHold: Messages.refusalCannotHold
        case .holdFailed: Messages.refusalHoldFailed
        case .notSupported: Messages.refusalNotSupported
        case .alreadyDialing: Messages.refusalAlreadyDialing
        case .callRinging: Messages.refusalCallRinging
        case .busy: Messages.refusalBusy
        case .emergency: Messages.refusalEmergency
        case .maxCallGroups: Messages.refusalMaxCallGroups
        case .maxCallsPerGroup: Messages.refusalMaxCallsPerGroup
        case .maxRinging: Messages.refusalMaxRinging
        case .maxHeld: Messages.refusalMaxHeld
        case .maxCalls: Messages.refusalMaxCalls
        case .doNotDisturb: Messages.refusalDoNotDisturb
        case .inCall: Messages.refusalInCall
        case .blockList: Messages.refusalBlockList
        case .restrictedSharing: Messages.refusalRestrictedSharing
        case .sensitiveParticipants: Messages.refusalSensitiveParticipants
        case .screener: Messages.refusalScreener
        case .deadlineExceeded: Messages.refusalDeadlineExceeded
        case .cancelled: Messages.refusalCancelled
        case .providerFailed: Messages.refusalProviderFailed
        case .providerGone: Messages.refusalProviderGone
        }
    }
}

extension TransactionState {
    fileprivate var words: String {
        switch self {
        case .accepted: Messages.outcomeAccepted
        case .completed: Messages.outcomeCompleted
        case .failed: Messages.outcomeFailed
        }
    }
}

extension ActionState {
    fileprivate var words: String {
        switch self {
        case .planned: Messages.actionPlanned
        case .queued: Messages.actionQueued
        case .dispatched: Messages.actionDispatched
        case .fulfilled: Messages.actionFulfilled
        case .failed: Messages.actionFailed
        case .timedOut: Messages.actionTimedOut
        case .skipped: Messages.actionSkipped
        case .cancelled: Messages.actionCancelled
        }
    }
}

extension Supervision.State {
    fileprivate var words: String {
        switch self {
        case .disabled: Messages.pluginStateDisabled
        case .masked: Messages.pluginStateMasked
        case .stopped: Messages.pluginStateStopped
        case .starting: Messages.pluginStateStarting
        case .ready: Messages.pluginStateReady
        case .unresponsive: Messages.pluginStateUnresponsive
        case .backoff: Messages.pluginStateBackoff
        case .failed: Messages.pluginStateFailed
        }
    }
}

extension Verdict {
    fileprivate var words: String {
        switch self {
        case .refused: Messages.decisionRefused
        case .cancelled: Messages.decisionCancelled
        case .joined: Messages.decisionJoined
        case .nothingToDo: Messages.decisionNothingToDo
        case .failed: Messages.decisionFailed
        case .rings: Messages.decisionRings
        case .waits: Messages.decisionWaits
        case .screened: Messages.decisionScreened
        case .passed: Messages.decisionPassed
        case .silenced: Messages.decisionSilenced
        case .filtered: Messages.decisionFiltered
        case .elsewhere: Messages.decisionElsewhere
        case .holdsFirst: Messages.decisionHoldsFirst
        case .endsFirst: Messages.decisionEndsFirst
        case .waitsForEnding: Messages.decisionWaitsForEnding
        case .partLeftOut: Messages.decisionPartLeftOut
        case .oneTransaction: Messages.decisionOneTransaction
        case .perMember: Messages.decisionPerMember
        case .holdFailed: Messages.decisionHoldFailed
        case .blockerEnded: Messages.decisionBlockerEnded
        case .silentCallEnded: Messages.decisionSilentCallEnded
        case .resumes: Messages.decisionResumes
        case .resumeOffered: Messages.decisionResumeOffered
        case .resumeWithheld: Messages.decisionResumeWithheld
        case .groupGoesOn: Messages.decisionGroupGoesOn
        case .audioGranted: Messages.decisionAudioGranted
        case .sentBack: Messages.decisionSentBack
        case .countsAsFulfilled: Messages.decisionCountsAsFulfilled
        case .withoutVideo: Messages.decisionWithoutVideo
        case .withoutText: Messages.decisionWithoutText
        case .recorded: Messages.decisionRecorded
        case .adopted: Messages.decisionAdopted
        case .dropped: Messages.decisionDropped
        case .waitsForProvider: Messages.decisionWaitsForProvider
        case .ended: Messages.decisionEnded
        case .ignored: Messages.decisionIgnored
        case .forced: Messages.decisionForced
        }
    }
}

extension String {
    var replacingUnderscores: String {
        String(map { $0 == "_" ? " " : $0 })
    }
}
