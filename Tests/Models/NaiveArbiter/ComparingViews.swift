internal import CallArbitration
internal import CallModel

/// How the calls look afterwards.
extension NaiveArbiter {
    mutating func differences(from engine: Seen) -> [String] {
        var differences: [String] = []
        for call in calls where call.screening == nil {
            guard let view = engine.views.first(where: { $0.call == call.id }) else {
                differences.append("\(call.id.words) is gone, wanted \(call.state)")
                continue
            }
            differences += self.differences(of: call, from: view)
        }
        for view in engine.views where (try? known(view.call)) == nil {
            differences.append("\(view.call.words) is \(view.state), wanted gone")
        }
        let wantedAudio = audio.flatMap { name(of: $0) }
        if engine.audio != wantedAudio {
            differences.append("audio \(words(engine.audio)), wanted \(words(wantedAudio))")
        }
        if engine.facts != facts { differences.append("facts \(engine.facts), wanted \(facts)") }
        differences += unpublishedChanges(engine)
        seen = engine.views
        return differences + deadlineDifferences
    }

    private func differences(of call: Call, from view: CallView) -> [String] {
        let group = group(call.group)
        let facts: [(name: String, got: String, wanted: String)] = [
            ("provider", "\(view.provider)", "\(call.provider)"),
            ("direction", "\(view.direction)", "\(call.direction)"),
            ("state", view.state.rawValue, call.state.rawValue),
            ("pending", view.pending?.rawValue ?? "-", pending(call)?.rawValue ?? "-"),
            ("group", view.group.words, words(name(of: call.group))),
            ("muted", "\(view.isMuted)", "\(group?.isMuted ?? false)"),
            ("held because of", words(view.heldBecauseOf), words(group?.heldBecauseOf)),
            ("resume offered", "\(view.isResumeOffered)", "\(group?.isOffered ?? false)"),
            ("silenced", "\(view.isSilenced)", "\(call.isSilenced)"),
            ("caller", "\(String(describing: view.caller))", "\(String(describing: call.caller))"),
            ("connected", "\(view.isProviderConnected)", "\(isConnected(call.provider))"),
            ("can be held", "\(view.canHoldNow)", "\(canHoldNow(call))"),
            ("properties", "\(view.properties)", "\(call.properties)"),
            ("created", "\(view.createdAt)", "\(call.createdAt)"),
            (
                "alerting at", "\(view.alertingAt, default: "-")",
                "\(call.alertingAt, default: "-")"
            ),
            (
                "connecting at", "\(view.connectingAt, default: "-")",
                "\(call.connectingAt, default: "-")"
            ),
            (
                "connected at", "\(view.connectedAt, default: "-")",
                "\(call.connectedAt, default: "-")"
            ),
            ("merge with", view.mergeWith.words, mergePartners(of: call).words),
            ("allowed", "\(view.allowed.map(\.rawValue))", "\(allowed(call).map(\.rawValue))"),
        ]
        return facts.filter { $0.got != $0.wanted }.map {
            "\(call.id.words): \($0.name) \($0.got), wanted \($0.wanted)"
        }
    }

    /// What is being done to it, beside its state.
    private func pending(_ call: Call) -> PendingAction? {
        if call.state == .ending { return .ending }
        if let action = current(call.id) ?? waiting(on: call.id).first {
            return switch action.kind {
            case .start: .starting
            case .answer: .answering
            case .end: .ending
            case .setHeld(let isHeld): isHeld ? .holding : .resuming
            case .setMuted: .muting
            case .setGroup: .grouping
            case .playDTMF: .sendingDTMF
            case .setEndpoint: .switchingEndpoint
            case .setVideo: .changingVideo
            case .setText: .changingText
            case .transfer, .attendedTransfer: .transferring
            case .deflect: .deflecting
            }
        }
        let waits = reservation.flatMap { plan($0) }.map { plan in
            plan.target == call.id
                && plan.steps.contains { $0.purpose == .asked || $0.purpose == .grant }
        }
        return waits == true ? .queued : nil
    }

    /// Returns the changes of a call since the last event that this one has not published.
    private func unpublishedChanges(_ engine: Seen) -> [String] {
        var differences: [String] = []
        for view in engine.views {
            guard let before = seen.first(where: { $0.call == view.call }) else { continue }
            var published: ChangedProperties = []
            for effect in engine.effects {
                if case .announce(.callChanged(view.call, let changes, _)) = effect {
                    published.formUnion(changes)
                }
            }
            let unpublished = changes(from: before, to: view).subtracting(published)
            if !unpublished.isEmpty {
                differences.append("\(view.call.words): unpublished \(unpublished.names)")
            }
        }
        return differences
    }

    private func changes(from old: CallView, to new: CallView) -> ChangedProperties {
        var changes: ChangedProperties = []
        let (one, two) = (old.properties, new.properties)
        let facts: [(property: ChangedProperties, hasChanged: Bool)] = [
            (.state, old.state != new.state), (.pendingAction, old.pending != new.pending),
            (.group, old.group != new.group), (.muted, old.isMuted != new.isMuted),
            (.silenced, old.isSilenced != new.isSilenced),
            (.caller, old.caller != new.caller),
            (.providerConnected, old.isProviderConnected != new.isProviderConnected),
            (.heldBecauseOf, old.heldBecauseOf != new.heldBecauseOf),
            (.resumeOffered, old.isResumeOffered != new.isResumeOffered),
            (.remote, one.remote != two.remote), (.displayName, one.displayName != two.displayName),
            (.hasVideo, one.hasVideo != two.hasVideo),
            (.supportsHolding, one.supportsHolding != two.supportsHolding),
            (.supportsGrouping, one.supportsGrouping != two.supportsGrouping),
            (.supportsUngrouping, one.supportsUngrouping != two.supportsUngrouping),
            (.supportsDTMF, one.supportsDTMF != two.supportsDTMF),
            (.supportsTransfer, one.supportsTransfer != two.supportsTransfer),
            (
                .supportsAttendedTransfer,
                one.supportsAttendedTransfer != two.supportsAttendedTransfer
            ),
            (.supportsDeflect, one.supportsDeflect != two.supportsDeflect),
            (.remoteHeld, one.isRemoteHeld != two.isRemoteHeld),
            (.hasEarlyMedia, one.hasEarlyMedia != two.hasEarlyMedia),
            (.priority, one.priority != two.priority), (.line, one.line != two.line),
            (.forwardedFrom, one.forwardedFrom != two.forwardedFrom),
            (.verification, one.verification != two.verification),
            (.externalID, one.externalID != two.externalID),
            (.endpoints, one.endpoints != two.endpoints),
            (.elsewhere, one.elsewhere != two.elsewhere),
            (.supportsPull, one.supportsPull != two.supportsPull),
            (.video, one.video != two.video),
            (.supportsSetVideo, one.supportsSetVideo != two.supportsSetVideo),
            (.videoRequest, one.videoRequest != two.videoRequest),
            (.hasText, one.hasText != two.hasText),
            (.supportsSetText, one.supportsSetText != two.supportsSetText),
            (.textRequest, one.textRequest != two.textRequest),
        ]
        for fact in facts where fact.hasChanged { changes.insert(fact.property) }
        return changes
    }

    /// Every deadline is armed at its instant, and no other (section 6).
    private var deadlineDifferences: [String] {
        var differences: [String] = []
        for deadline in deadlines {
            guard let timer = timer(for: deadline.name),
                let armed = timers.first(where: { $0.timer == timer })
            else {
                differences.append("no timer for \(deadline.name)")
                continue
            }
            if armed.at != deadline.at {
                differences.append(
                    "timer for \(deadline.name) at \(armed.at.nanoseconds / 1_000_000), "
                        + "wanted \(deadline.at.nanoseconds / 1_000_000)")
            }
        }
        let wanted = deadlines.compactMap { timer(for: $0.name) }
        for extra in timers where !wanted.contains(extra.timer) {
            differences.append("a timer that nobody wants: \(extra.timer)")
        }
        return differences
    }

    private func words(_ call: CallID?) -> String {
        call?.words ?? "none"
    }
}
