internal import CallArbitration
internal import CallModel

/// The model's values as the protocol shows them, written once more: what comes out of a shell is
/// compared with this.
extension Wire {
    static func handle(_ handle: Handle) -> Wire {
        ["type": .string(handle.kind.name), "value": .string(handle.value)]
    }

    static func cause(_ cause: Cause) -> Wire {
        .members([
            "origin": .string(cause.origin.rawValue),
            "rule": cause.rule.map { .string($0.rawValue) },
            "transaction": cause.transaction.map { .string($0.description) },
            "because_of": cause.becauseOf.map { .call($0) },
        ])
    }

    static func blocking(_ blockers: [Refusal.Blocker]) -> Wire? {
        guard !blockers.isEmpty else { return nil }
        return .array(
            blockers.map { ["call": .call($0.call), "provider": .provider($0.provider)] })
    }

    static func words(_ words: [String]) -> Wire {
        .array(words.map { .string($0) })
    }

    // MARK: - Calls

    static func call(_ view: CallView, _ clock: WireClock) -> Wire {
        Wire.members([
            "call": .call(view.call), "provider": .provider(view.provider),
            "direction": .string(view.direction.rawValue), "state": .string(view.state.rawValue),
            "pending_action": view.pending.map { .string($0.rawValue) },
            "can_hold_now": .bool(view.canHoldNow),
            "held_because_of": view.heldBecauseOf.map { .call($0) },
            "resume_offered": view.isResumeOffered ? .bool(true) : nil,
            "muted": .bool(view.isMuted), "silenced": .bool(view.isSilenced),
            "group": .call(view.group), "provider_connected": .bool(view.isProviderConnected),
            "caller": view.caller.flatMap(caller),
            "allowed": .words(view.allowed.map(\.rawValue)),
            "merge_with": view.mergeWith.isEmpty ? nil : .calls(view.mergeWith),
            "created_at_ms": clock.unixMS(view.createdAt),
            "alerting_at_ms": view.alertingAt.map { clock.unixMS($0) },
            "connecting_at_ms": view.connectingAt.map { clock.unixMS($0) },
            "connected_at_ms": view.connectedAt.map { clock.unixMS($0) },
            "rev": .int(Int64(clamping: view.revision)),
        ]).with(properties(view.properties))
    }

    private static func caller(_ caller: Caller) -> Wire? {
        guard caller.isKnown else { return nil }
        return .members([
            "name": caller.name.map { .string($0) }, "label": caller.label.map { .string($0) },
            "source": .string(Filter.identity(caller.source)),
        ])
    }

    private static func properties(_ properties: CallProperties) -> [String: Wire?] {
        [
            "remote": properties.remote.map { .handle($0) },
            "display_name": properties.displayName.map { .string($0) },
            "has_video": .bool(properties.hasVideo),
            "supports_holding": .bool(properties.supportsHolding),
            "supports_grouping": .bool(properties.supportsGrouping),
            "supports_ungrouping": .bool(properties.supportsUngrouping),
            "supports_dtmf": .bool(properties.supportsDTMF),
            "supports_transfer": properties.supportsTransfer ? true : nil,
            "supports_attended_transfer": properties.supportsAttendedTransfer ? true : nil,
            "supports_deflect": properties.supportsDeflect ? true : nil,
            "remote_held": .bool(properties.isRemoteHeld),
            "has_early_media": properties.hasEarlyMedia ? .bool(true) : nil,
            "priority": .string(properties.priority.rawValue),
            "line": properties.line.map { .string($0) },
            "forwarded_from": properties.forwardedFrom.map { .handle($0) },
            "verification": properties.verification == .unverified
                ? nil : .string(properties.verification.rawValue),
            "external_id": properties.externalID.map { .string($0) },
            "elsewhere": properties.elsewhere.map { .string($0) },
            "supports_pull": properties.supportsPull ? true : nil,
            "endpoints": properties.endpoints.isEmpty ? nil : .endpoints(properties.endpoints),
            "video": properties.hasVideo ? .string(properties.video.rawValue) : nil,
            "supports_set_video": properties.supportsSetVideo ? true : nil,
            "video_request": properties.videoRequest.map { .string($0.rawValue) },
            "has_text": properties.hasText ? true : nil,
            "supports_set_text": properties.supportsSetText ? true : nil,
            "text_request": properties.textRequest ? true : nil,
        ]
    }

    /// A call as screeners are asked about it.
    static func check(_ view: CallView) -> Wire {
        Wire.members(["call": .call(view.call), "provider": .provider(view.provider)])
            .with(properties(view.properties))
    }

    /// A call that is over.
    static func call(_ entry: HistoryEntry, _ clock: WireClock) -> Wire {
        call(entry.last, clock).with([
            "ended_at_ms": clock.unixMS(entry.endedAt),
            "end_reason": .string(entry.reason.rawValue), "end_cause": .cause(entry.cause),
            "end_detail": entry.detail.map { .detail($0) },
            "failure": entry.failure.map { .failure($0) },
            "missed_reasons": entry.missed.isEmpty ? nil : .words(entry.missed.names),
        ])
    }

    static func update(_ update: CallUpdate) -> [String: Wire?] {
        [
            "remote": change(update.remote) { .handle($0) },
            "display_name": change(update.displayName) { .string($0) },
            "has_video": change(update.hasVideo) { .bool($0) },
            "supports_holding": change(update.supportsHolding) { .bool($0) },
            "supports_grouping": change(update.supportsGrouping) { .bool($0) },
            "supports_ungrouping": change(update.supportsUngrouping) { .bool($0) },
            "supports_dtmf": change(update.supportsDTMF) { .bool($0) },
            "supports_transfer": change(update.supportsTransfer) { .bool($0) },
            "supports_attended_transfer": change(update.supportsAttendedTransfer) { .bool($0) },
            "supports_deflect": change(update.supportsDeflect) { .bool($0) },
            "remote_held": change(update.isRemoteHeld) { .bool($0) },
            "has_early_media": change(update.hasEarlyMedia) { .bool($0) },
            "priority": change(update.priority) { .string($0.rawValue) },
            "line": change(update.line) { .string($0) },
            "forwarded_from": change(update.forwardedFrom) { .handle($0) },
            "verification": change(update.verification) { .string($0.rawValue) },
            "external_id": change(update.externalID) { .string($0) },
            "elsewhere": change(update.elsewhere) { .string($0) },
            "supports_pull": change(update.supportsPull) { .bool($0) },
            "endpoints": change(update.endpoints) { .endpoints($0) },
            "video": change(update.video) { .string($0.rawValue) },
            "supports_set_video": change(update.supportsSetVideo) { .bool($0) },
            "has_text": change(update.hasText) { .bool($0) },
            "supports_set_text": change(update.supportsSetText) { .bool($0) },
        ]
    }

    private static func endpoints(_ endpoints: [AudioEndpoint]) -> Wire {
        .array(
            endpoints.map { endpoint in
                .members([
                    "endpoint": .string(endpoint.id), "kind": .string(endpoint.kind.rawValue),
                    "name": endpoint.name.map { .string($0) },
                    "state": .string(endpoint.state.rawValue),
                ])
            })
    }

    private static func change<Value>(
        _ change: Change<Value>, _ wire: (Value) -> Wire
    ) -> Wire? {
        switch change {
        case .unchanged: nil
        case .set(let value): wire(value)
        case .cleared: .null
        }
    }

    static func facts(_ facts: HostFacts) -> Wire {
        .members([
            "live_group": facts.liveGroup.map { .call($0) },
            "held_groups": .number(facts.heldGroups), "ringing": .number(facts.ringing),
            "busy": .bool(facts.isBusy), "emergency": .bool(facts.hasEmergency),
        ])
    }

    // MARK: - Actions

    static func arguments(_ action: CallAction) -> Wire {
        switch action {
        case .start(let start):
            .members([
                "remote": .handle(start.remote), "has_video": start.hasVideo ? true : nil,
                "has_text": start.hasText ? true : nil,
                "contact": start.contact.map { .string($0) },
                "line": start.line.map { .string($0) },
                "emergency": start.isEmergency ? true : nil,
                "background": start.isBackground ? true : nil,
            ])
        case .answer, .end: [:]
        case .setHeld(let held): ["held": .bool(held)]
        case .setMuted(let muted): ["muted": .bool(muted)]
        case .setGroup(let other): ["with": other.map { .call($0) } ?? .null]
        case .playDTMF(let digits, let style):
            ["digits": .string(digits), "style": .string(style.rawValue)]
        case .setEndpoint(let endpoint): ["endpoint": .string(endpoint)]
        case .setVideo(let video): ["video": .string(video.rawValue)]
        case .setText(let hasText): ["text": .bool(hasText)]
        case .transfer(let address), .deflect(let address): ["to": .handle(address)]
        case .attendedTransfer(let other): ["with": .call(other)]
        }
    }

    /// What performs and offers say of an action.
    static func action(_ dispatch: Dispatch) -> Wire {
        [
            "action": .string(dispatch.action.description),
            "kind": .string(dispatch.kind.kind.rawValue), "call": .call(dispatch.call),
            "arguments": .arguments(dispatch.kind),
        ]
    }

    static func perform(_ dispatch: Dispatch) -> Wire {
        action(dispatch).with([
            "transaction": .string(dispatch.transaction.description),
            "cause": .cause(dispatch.cause), "deadline_ms": .number(dispatch.deadlineMS),
            "attempt": .number(dispatch.attempt), "age_ms": .number(dispatch.ageMS),
        ])
    }

    static func entries(_ report: TransactionReport) -> Wire {
        .array(
            report.entries.map { entry in
                .members([
                    "action": entry.action.map { .string($0.description) },
                    "kind": .string(entry.kind.rawValue), "call": .call(entry.call),
                    "provider": .provider(entry.provider), "implied": .bool(entry.isImplied),
                    "state": .string(entry.state.rawValue),
                    "failure": entry.failure.map { .failure($0) },
                ])
            })
    }

    static func report(_ report: TransactionReport) -> Wire {
        .members([
            "transaction": report.transaction.map { .string($0.description) },
            "state": .string(report.state.rawValue), "actions": entries(report),
        ])
    }

    /// What a dry run says.
    static func plan(_ report: TransactionReport) -> Wire {
        [
            "dry_run": true, "actions": entries(report), "would_hold": .calls(report.wouldHold),
            "would_end": .calls(report.wouldEnd),
            "would_activate": .calls(report.wouldActivate),
            "refusal": report.refusal.map { .error($0, .requestTransaction) } ?? .null,
        ]
    }

    // MARK: - Errors

    /// Of the English only that it is there.
    static func error(
        _ refusal: Refusal, _ domain: CallKitCode.Domain, _ more: [String: Wire?] = [:]
    ) -> Wire {
        let callKit: CallKitCode =
            switch domain {
            case .incomingCall: .incomingCall(refusal.reason)
            case .requestTransaction: .requestTransaction(refusal.reason)
            case .directoryManager: preconditionFailure("no refusal is about a directory")
            }
        let data = Wire.members([
            "reason": .string(refusal.reason.rawValue), "retryable": .anything, "hint": .anything,
            "rule": refusal.rule.map { .string($0.rawValue) },
            "limit": refusal.limit.map {
                ["name": .string($0.name), "value": .number($0.value)]
            },
            "blocking": .blocking(refusal.blocking),
            "action_index": refusal.actionIndex.map { .number($0) },
            "callkit": [
                "domain": .string(callKit.domain.rawValue), "code": .number(callKit.number),
                "name": .string(callKit.name),
            ],
        ])
        return [
            "code": .number(refusal.reason.code), "message": .anything, "data": data.with(more),
        ]
    }
}

/// Between the arbiter's clock and Unix time.
struct WireClock: Sendable {
    let offsetMS: Int64

    func unixMS(_ instant: Instant) -> Wire {
        .int(instant.nanoseconds / 1_000_000 + offsetMS)
    }
}
