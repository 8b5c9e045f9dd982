internal import CallArbitration
internal import CallModel

/// Visible state: calls, the host, and the history.

extension CallView: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("call", call)
        writer.member("provider", provider)
        writer.member("direction", direction)
        writer.member("state", state)
        writer.member("pending_action", pending)
        writer.member("group", group)
        writer.member("can_hold_now", canHoldNow, default: false)
        writer.member("held_because_of", heldBecauseOf)
        writer.member("resume_offered", isResumeOffered, default: false)
        writer.member("muted", isMuted, default: false)
        writer.member("silenced", isSilenced, default: false)
        writer.member("provider_connected", isProviderConnected, default: true)
        properties.writeMembers(to: &writer)
        caller?.writeMembers(to: &writer)
        writer.member("created_at_ms", createdAt)
        writer.member("alerting_at_ms", alertingAt)
        writer.member("connecting_at_ms", connectingAt)
        writer.member("connected_at_ms", connectedAt)
        writer.member("allowed", allowed, default: [])
        writer.member("merge_with", mergeWith, default: [])
        writer.member("rev", revision)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(
            call: try members.required("call"), provider: try members.required("provider"),
            direction: try members.required("direction"), state: try members.required("state"),
            pending: try members.optional("pending_action"), group: try members.required("group"),
            canHoldNow: try members.optional("can_hold_now", default: false),
            heldBecauseOf: try members.optional("held_because_of"),
            isResumeOffered: try members.optional("resume_offered", default: false),
            isMuted: try members.optional("muted", default: false),
            isSilenced: try members.optional("silenced", default: false),
            isProviderConnected: try members.optional("provider_connected", default: true),
            properties: try CallProperties(members: &members),
            caller: try Caller.optional(&members), createdAt: try members.required("created_at_ms"),
            alertingAt: try members.optional("alerting_at_ms"),
            connectingAt: try members.optional("connecting_at_ms"),
            connectedAt: try members.optional("connected_at_ms"),
            allowed: try members.optional("allowed", default: []),
            mergeWith: try members.optional("merge_with", default: []),
            revision: try members.required("rev"))
    }
}

extension HostFacts: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("live_group", liveGroup)
        writer.member("held_groups", heldGroups, default: 0)
        writer.member("ringing", ringing, default: 0)
        writer.member("busy", isBusy, default: false)
        writer.member("emergency", hasEmergency, default: false)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(
            liveGroup: try members.optional("live_group"),
            heldGroups: try members.optional("held_groups", default: 0),
            ringing: try members.optional("ringing", default: 0),
            isBusy: try members.optional("busy", default: false),
            hasEmergency: try members.optional("emergency", default: false))
    }
}

extension HostState: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        facts.writeMembers(to: &writer)
        writer.member("audio_group", audioGroup)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(
            facts: try HostFacts(members: &members),
            audioGroup: try members.optional("audio_group"))
    }
}

extension HistoryEntry: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        last.writeMembers(to: &writer)
        writer.member("end_reason", reason)
        writer.member("cause", cause)
        writer.member("missed_reasons", missed, default: [])
        writer.member("filtered_by", filteredBy)
        writer.member("ended_at_ms", endedAt)
        writer.member("recent", isRecent, default: true)
        writer.member("external", isExternal, default: false)
        writer.member("failure", failure)
        writer.member("end_detail", detail)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(
            last: try .init(members: &members), reason: try members.required("end_reason"),
            cause: try members.required("cause"),
            missed: try members.optional("missed_reasons", default: []),
            filteredBy: try members.optional("filtered_by"),
            endedAt: try members.required("ended_at_ms"),
            isRecent: try members.optional("recent", default: true),
            isExternal: try members.optional("external", default: false),
            failure: try members.optional("failure"), detail: try members.optional("end_detail"))
    }
}
