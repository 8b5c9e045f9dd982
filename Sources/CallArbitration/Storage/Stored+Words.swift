package import CallModel

/// An enum without payload. A case is stored as its place in a list that is written down here, and
/// not as its place in the declaration, which is ordered for readers and may change. **The lists
/// grow at their ends only**: a stored number never changes its meaning.
package protocol StoredWord: Storable, Equatable {
    static var stored: [Self] { get }
}

extension StoredWord {
    package func store(in writer: inout StateWriter) {
        // No word is missing in the lists; a missing word could not be read.
        let number = Self.stored.firstIndex(of: self) ?? Int(UInt8.max)
        writer.put(byte: UInt8(truncatingIfNeeded: number))
    }

    package init(from reader: inout StateReader) throws(StateError) {
        try self.init(stored: try reader.takeByte(), from: reader)
    }

    /// - Parameter number: The number that was stored.
    init(stored number: UInt8, from reader: StateReader) throws(StateError) {
        guard Self.stored.indices.contains(Int(number)) else {
            throw reader.unexpected(UInt64(number), expected: "a \(Self.self)")
        }
        self = Self.stored[Int(number)]
    }
}

// MARK: - Of the model

extension Direction: StoredWord {
    package static let stored: [Direction] = [.incoming, .outgoing]
}

extension CallState: StoredWord {
    package static let stored: [CallState] = [
        .starting, .dialing, .ringing, .waiting, .connecting, .active, .held, .ending, .ended,
        .alerting, .external,
    ]
}

extension ProviderKind: StoredWord {
    package static let stored: [ProviderKind] = [.app, .adapter, .modem, .watched]
}

extension PendingAction: StoredWord {
    package static let stored: [PendingAction] = [
        .queued, .starting, .answering, .holding, .resuming, .ending, .muting, .grouping,
        .sendingDTMF, .transferring, .deflecting, .switchingEndpoint, .changingVideo,
        .changingText,
    ]
}

extension Priority: StoredWord {
    package static let stored: [Priority] = [
        .background, .normal, .priorityCaller, .emergency, .emergencyCallback,
    ]
}

extension EndReason: StoredWord {
    package static let stored: [EndReason] = [
        .failed, .remoteEnded, .unanswered, .answeredElsewhere, .declinedElsewhere, .localEnded,
        .declined, .cancelled, .filtered,
    ]
}

extension ActionKind: StoredWord {
    package static let stored: [ActionKind] = [
        .start, .answer, .end, .setHeld, .setMuted, .setGroup, .playDTMF, .transfer,
        .attendedTransfer, .deflect, .setEndpoint, .setVideo, .setText,
    ]
}

extension ActionState: StoredWord {
    package static let stored: [ActionState] = [
        .planned, .queued, .dispatched, .fulfilled, .failed, .timedOut, .skipped, .cancelled,
    ]
}

extension TransactionState: StoredWord {
    package static let stored: [TransactionState] = [.accepted, .completed, .failed]
}

extension DTMFStyle: StoredWord {
    package static let stored: [DTMFStyle] = [.single, .softPause, .hardPause]
}

extension Origin: StoredWord {
    package static let stored: [Origin] = [
        .user, .app, .provider, .remote, .arbitration, .timeout, .policy, .admin,
    ]
}

extension Rule: StoredWord {
    package static let stored: [Rule] = [
        .incomingAlone, .incomingWhileActive, .incomingWhileRinging, .incomingWhileDialing,
        .answerHoldsFirst, .holdFailed, .holdTimedOut, .answerCannotHold, .answerVariants,
        .variantTargetGone, .startHoldsFirst, .startCannotHold, .alreadyDialing, .waitForEnding,
        .startWhileRinging, .sameProvider, .reportedActive, .resumeHoldsFirst, .busy,
        .resumeAfterUserEnd, .resumeOffered, .restored, .memberEnds, .swap, .emergency, .video,
        .merge, .groupActions, .reportedGroup, .split, .providerLimits, .hostLimits,
        .providerExited, .providerLost, .brokerRestarted, .lateAnswer, .repeated, .reportOvertakes,
        .unknownCall, .notSupported, .filters, .rights, .mute, .tones, .ringTimeout, .elsewhere,
        .button, .history, .silence, .transfer, .endpoint, .priorityCaller, .background,
        .external,
        .videoRequest, .text,
    ]
}

extension RefusalReason: StoredWord {
    package static let stored: [RefusalReason] = [
        .unentitled, .notYourCall, .callIsProtected, .unknownCall, .callEnded, .unknownProvider,
        .callUUID, .emptyTransaction, .invalidAction, .invalidState, .cannotHold, .holdFailed,
        .notSupported, .alreadyDialing, .busy, .emergency, .maxCallGroups, .maxCallsPerGroup,
        .maxRinging, .maxHeld, .maxCalls, .doNotDisturb, .blockList, .restrictedSharing,
        .sensitiveParticipants, .screener, .deadlineExceeded, .cancelled, .providerFailed,
        .providerGone, .callRinging, .inCall,
    ]
}

extension Line.State: StoredWord {
    package static let stored: [Line.State] = [.registered, .registering, .failed, .off]
}

extension LineSetting.Kind: StoredWord {
    package static let stored: [LineSetting.Kind] = [
        .forwardAlways, .forwardBusy, .forwardNoReply, .forwardUnreachable, .callWaiting,
        .callerIDHidden,
    ]
}

extension AudioEndpoint.State: StoredWord {
    package static let stored: [AudioEndpoint.State] = [.available, .inUse, .unavailable]
}

extension VideoDirection: StoredWord {
    package static let stored: [VideoDirection] = [.off, .send, .receive, .both]
}

extension Verification: StoredWord {
    package static let stored: [Verification] = [.passed, .failed, .unverified]
}

extension MissedReasons: StoredFlags {}
extension ChangedProperties: StoredFlags {}

// MARK: - Of events

extension AnswerChoice: StoredWord {
    package static let stored: [AnswerChoice] = [
        .plain, .holdAndAnswer, .endAndAnswer, .endHeldAndAnswer,
    ]
}

extension CallOptions.Conflict: StoredWord {
    package static let stored: [CallOptions.Conflict] = [.hold, .end]
}

extension CallOptions.Wait: StoredWord {
    package static let stored: [CallOptions.Wait] = [.accepted, .completed]
}

extension PlanRecord.Waiting.Reply: StoredWord {
    package static let stored: [PlanRecord.Waiting.Reply] = [
        .whenAccepted, .whenCompleted, .whenCompletedAsJoined,
    ]
}

extension ButtonPress: StoredWord {
    package static let stored: [ButtonPress] = [.short, .long]
}

extension ArbitrationPolicy.OnHoldFailure: StoredWord {
    package static let stored: [ArbitrationPolicy.OnHoldFailure] = [.keep, .end]
}

extension ArbitrationPolicy.OnCannotHold: StoredWord {
    package static let stored: [ArbitrationPolicy.OnCannotHold] = [.refuse, .end]
}

extension ArbitrationPolicy.DialWhileRinging: StoredWord {
    package static let stored: [ArbitrationPolicy.DialWhileRinging] = [.allow, .refuse]
}

extension ArbitrationPolicy.VideoFallback: StoredWord {
    package static let stored: [ArbitrationPolicy.VideoFallback] = [.audio, .refuse]
}

extension ArbitrationPolicy.ButtonActive: StoredWord {
    package static let stored: [ArbitrationPolicy.ButtonActive] = [.end, .mute]
}

// MARK: - Of records

extension ProviderRecord.Link: StoredWord {
    package static let stored: [ProviderRecord.Link] = [
        .connected, .lost, .starting, .revoked,
    ]
}

extension PlanRecord.Step.Role: StoredWord {
    package static let stored: [PlanRecord.Step.Role] = [
        .requested, .holdForRoom, .endForRoom, .awaitEnding, .resumeMembers, .grantReport,
        .sendBack, .yield, .awaitHold,
    ]
}

extension PlanRecord.Offer.State: StoredWord {
    package static let stored: [PlanRecord.Offer.State] = [.asked, .taken, .declined]
}

extension CallTimers: StoredFlags {}
