internal import CallArbitration
internal import CallModel

/// Providers and the policy.
extension Wire {
    /// What a provider registers with; null where it leaves the choice to the host.
    static func registration(_ provider: ProviderConfiguration) -> Wire {
        configuration(provider).with([
            "ringtone": provider.ringtone.map { .string($0) },
            "icon": provider.icon.map { .string($0) },
        ])
    }

    /// Everything that can be changed later.
    static func changes(_ provider: ProviderConfiguration) -> Wire {
        configuration(provider).with([
            "ringtone": provider.ringtone.map { .string($0) } ?? .null,
            "icon": provider.icon.map { .string($0) } ?? .null,
            "ring_timeout_ms": provider.ringTimeoutMS.map { .number($0) } ?? .null,
            "grace_ms": provider.graceMS.map { .number($0) } ?? .null,
        ])
    }

    private static func configuration(_ provider: ProviderConfiguration) -> Wire {
        .members([
            "display_name": .string(provider.displayName),
            "handle_types": .words(provider.handleKinds.map(\.name)),
            "url_schemes": .words(provider.urlSchemes),
            "supports_video": .bool(provider.supportsVideo),
            "supports_text": provider.supportsText ? true : nil,
            "max_call_groups": .number(provider.maxCallGroups),
            "max_calls_per_group": .number(provider.maxCallsPerGroup),
            "includes_in_recents": .bool(provider.includesInRecents),
            "action_deadlines": deadlines { provider.actionDeadlinesMS[$0] },
            "ring_timeout_ms": provider.ringTimeoutMS.map { .number($0) },
            "grace_ms": provider.graceMS.map { .number($0) },
            "resume_when_freed": .bool(provider.resumesWhenFreed),
            "takes_transactions": .bool(provider.takesTransactions),
            "app_process": provider.appIsSeparate ? "separate" : "self",
            "kind": .string(provider.kind.rawValue),
            "lines": provider.lines.isEmpty ? nil : .array(provider.lines.map { .line($0) }),
            "push_types": provider.pushTypes.isEmpty ? nil : .words(provider.pushTypes),
            "start_by": provider.startBy.map(startBy),
        ])
    }

    private static func startBy(_ startBy: StartBy) -> Wire {
        switch startBy {
        case .dbus(let name): .members(["dbus": .string(name)])
        case .desktop(let name): .members(["desktop": .string(name)])
        }
    }

    private static func line(_ line: Line) -> Wire {
        .members([
            "line": .string(line.id), "label": .string(line.label),
            "handle": line.handle.map { .handle($0) },
            "url_schemes": line.urlSchemes.isEmpty ? nil : .words(line.urlSchemes),
            "default": .bool(line.isDefault), "state": .string(line.state.rawValue),
            "reason": line.reason.map { .string($0) },
            "max_calls": line.maxCalls.map { .number($0) },
            "messages_waiting": line.messagesWaiting.map { .number($0) },
            "voicemail": line.voicemail.map { .handle($0) },
            "settings": line.settings.isEmpty ? nil : .array(line.settings.map(setting)),
        ])
    }

    private static func setting(_ setting: LineSetting) -> Wire {
        .members([
            "setting": .string(setting.kind.rawValue), "on": .bool(setting.isOn),
            "to": setting.to.map { .handle($0) }, "after_ms": setting.afterMS.map { .number($0) },
        ])
    }

    private static func deadlines(_ deadline: (ActionKind) -> Int?) -> Wire {
        var members: [String: Wire?] = [:]
        for kind in ActionKind.allCases {
            members[kind.rawValue] = deadline(kind).map { .number($0) }
        }
        return .members(members)
    }

    /// A provider as everybody sees it.
    static func provider(_ provider: ProviderID, of arbiter: Arbiter) -> Wire {
        guard let configuration = arbiter.configuration(of: provider) else {
            return ["provider": .provider(provider)]
        }
        return registration(configuration).with([
            "provider": .provider(provider), "authorization": "authorized",
            "connected": .bool(arbiter.isConnected(provider)),
            "calls": .number(arbiter.countOfCalls(at: provider)),
        ])
    }

    /// What a provider is held to.
    static func limits(of own: ProviderConfiguration, _ policy: ArbitrationPolicy) -> Wire {
        let usual = own.appIsSeparate ? policy.separateAppGraceMS : policy.graceMS
        return [
            "max_call_groups": .number(own.maxCallGroups),
            "max_calls_per_group": .number(own.maxCallsPerGroup),
            "grace_ms": .number(own.graceMS ?? usual),
            "ring_timeout_ms": .number(own.ringTimeoutMS ?? policy.ringTimeoutMS),
            "action_deadlines": deadlines { own.actionDeadlinesMS[$0] ?? policy.deadlines[$0] },
        ]
    }

    static func liveCall(_ call: LiveCall) -> Wire {
        .members(
            [
                "call": .call(call.call), "direction": .string(call.direction.rawValue),
                "state": .string(call.state.rawValue), "remote": .null,
            ].merging(update(call.update).compactMapValues { $0 }) { $1 })
    }

    // MARK: - The policy

    /// What the policy of a story's host begins with: whoever is silent in a story has nothing to say, and the
    /// word of its apps counts.
    package static let beginning: Wire = ["heartbeat_ms": 0, "emergency": emergency]

    private static let emergency: Wire = {
        let claims: Wire = ["outgoing": "allowed", "incoming": "allowed"]
        let apps = ["a", "b", "c", "d"].map { (ProviderID($0).wireName, claims) }
        return [
            "numbers": [], "providers": [],
            "claims": .object(Dictionary(uniqueKeysWithValues: apps)),
        ]
    }()

    static func policy(_ policy: ArbitrationPolicy) -> Wire {
        choices(policy).with(times(policy))
    }

    private static func times(_ policy: ArbitrationPolicy) -> [String: Wire] {
        [
            "deadlines": deadlines { policy.deadlines[$0] },
            "extension_percent_max": .number(policy.extensionPercentMax),
            "ring_timeout_ms": .number(policy.ringTimeoutMS),
            "video_request_ms": .number(policy.videoRequestMS),
            "dial_timeout_ms": .number(policy.dialTimeoutMS),
            "start_silence_ms": .number(policy.startSilenceMS),
            "ending_wait_ms": .number(policy.endingWaitMS), "grace_ms": .number(policy.graceMS),
            "separate_app_grace_ms": .number(policy.separateAppGraceMS),
            "restart_grace_ms": .number(policy.restartGraceMS),
            "screening_ms": .number(policy.screeningMS),
            "report_age_ms": .number(policy.reportAgeMS), "offer_ms": .number(policy.offerMS),
            "emergency_callback_ms": .number(policy.emergencyCallbackMS),
            "short_ring_ms": .number(policy.shortRingMS),
            "ended_calls_max": .number(policy.endedCallsMax),
            "ended_calls_ms": .number(policy.endedCallsMS),
        ]
    }

    private static func choices(_ policy: ArbitrationPolicy) -> Wire {
        [
            "on_hold_failure": .string(policy.onHoldFailure.rawValue),
            "on_cannot_hold": .string(policy.onCannotHold.rawValue),
            "resume_after_user_end": .bool(policy.resumeAfterUserEnd),
            "resume_after_remote_end": .bool(policy.resumeAfterRemoteEnd),
            "busy_in_call": .bool(policy.busyInCall),
            "dial_while_ringing": .string(policy.dialWhileRinging.rawValue),
            "video_fallback": .string(policy.videoFallback.rawValue),
            "button_active": .string(policy.buttonActive.rawValue),
            "allows_emergency": .bool(policy.allowsEmergency),
            "priority_claims": .array(policy.priorityClaims.map { .provider($0) }),
            "timeouts": policy.deadlines == .compatible ? "compatible" : "default",
            "limits": [
                "held_groups": .number(policy.limits.heldGroups),
                "ringing": .number(policy.limits.ringing),
                "dialing": .number(policy.limits.dialing),
                "calls_per_provider": .number(policy.limits.callsPerProvider),
                "calls": .number(policy.limits.calls),
            ],
            "default_provider": [:], "unknown_callers": "ring", "region": "",
            "new_providers": "allow", "heartbeat_ms": 0,
            "emergency": emergency, "authorization": [:], "rights": [],
            "handover": ["observers": [], "wait_ms": 2_000],
            "do_not_disturb": [
                "on": false, "until_at_ms": .null, "schedule": [], "repeated_calls_pass": true,
                "priority_callers_pass": false,
            ], "history": ["days": 365, "entries": 100_000],
        ]
    }

    /// What of a policy differs from another.
    static func changes(of policy: ArbitrationPolicy, since former: ArbitrationPolicy) -> Wire {
        changes(of: self.policy(policy), since: self.policy(former))
    }

    private static func changes(of new: Wire, since old: Wire) -> Wire {
        guard case .object(let members) = new else { return new }
        return .members(
            Dictionary(
                uniqueKeysWithValues: members.map { name, member in
                    let former = old[name] ?? .null
                    return (name, member == former ? nil : changes(of: member, since: former))
                }))
    }
}
