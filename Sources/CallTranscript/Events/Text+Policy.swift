internal import CallArbitration

/// The limits and choices of a host; each is left out where it is the default.

extension ArbitrationPolicy: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        let standard = ArbitrationPolicy()
        writer.member("on_hold_failure", onHoldFailure, default: standard.onHoldFailure)
        writer.member("on_cannot_hold", onCannotHold, default: standard.onCannotHold)
        writer.member(
            "resume_after_user_end", resumeAfterUserEnd, default: standard.resumeAfterUserEnd)
        writer.member(
            "resume_after_remote_end", resumeAfterRemoteEnd, default: standard.resumeAfterRemoteEnd)
        writer.member("busy_in_call", busyInCall, default: standard.busyInCall)
        writer.member(
            "dial_while_ringing", dialWhileRinging, default: standard.dialWhileRinging)
        writer.member("button_active", buttonActive, default: standard.buttonActive)
        writer.member("allows_emergency", allowsEmergency, default: standard.allowsEmergency)
        writer.member("limits", limits, default: standard.limits)
        writer.member("deadlines", deadlines, default: standard.deadlines)
        writer.member(
            "extension_percent_max", extensionPercentMax, default: standard.extensionPercentMax)
        writer.member("ring_timeout_ms", ringTimeoutMS, default: standard.ringTimeoutMS)
        writer.member("dial_timeout_ms", dialTimeoutMS, default: standard.dialTimeoutMS)
        writer.member("start_silence_ms", startSilenceMS, default: standard.startSilenceMS)
        writer.member("ending_wait_ms", endingWaitMS, default: standard.endingWaitMS)
        writer.member("offer_ms", offerMS, default: standard.offerMS)
        writer.member("grace_ms", graceMS, default: standard.graceMS)
        writer.member(
            "separate_app_grace_ms", separateAppGraceMS, default: standard.separateAppGraceMS)
        writer.member("restart_grace_ms", restartGraceMS, default: standard.restartGraceMS)
        writer.member("screening_ms", screeningMS, default: standard.screeningMS)
        writer.member(
            "emergency_callback_ms", emergencyCallbackMS, default: standard.emergencyCallbackMS)
        writer.member("short_ring_ms", shortRingMS, default: standard.shortRingMS)
        writer.member("report_age_ms", reportAgeMS, default: standard.reportAgeMS)
        writer.member("ended_calls_max", endedCallsMax, default: standard.endedCallsMax)
        writer.member("ended_calls_ms", endedCallsMS, default: standard.endedCallsMS)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init()
        try members.take("on_hold_failure", into: &onHoldFailure)
        try members.take("on_cannot_hold", into: &onCannotHold)
        try members.take("resume_after_user_end", into: &resumeAfterUserEnd)
        try members.take("resume_after_remote_end", into: &resumeAfterRemoteEnd)
        try members.take("busy_in_call", into: &busyInCall)
        try members.take("dial_while_ringing", into: &dialWhileRinging)
        try members.take("button_active", into: &buttonActive)
        try members.take("allows_emergency", into: &allowsEmergency)
        try members.take("limits", into: &limits)
        try members.take("deadlines", into: &deadlines)
        try members.take("extension_percent_max", into: &extensionPercentMax)
        try members.take("ring_timeout_ms", into: &ringTimeoutMS)
        try members.take("dial_timeout_ms", into: &dialTimeoutMS)
        try members.take("start_silence_ms", into: &startSilenceMS)
        try members.take("ending_wait_ms", into: &endingWaitMS)
        try members.take("offer_ms", into: &offerMS)
        try members.take("grace_ms", into: &graceMS)
        try members.take("separate_app_grace_ms", into: &separateAppGraceMS)
        try members.take("restart_grace_ms", into: &restartGraceMS)
        try members.take("screening_ms", into: &screeningMS)
        try members.take("emergency_callback_ms", into: &emergencyCallbackMS)
        try members.take("short_ring_ms", into: &shortRingMS)
        try members.take("report_age_ms", into: &reportAgeMS)
        try members.take("ended_calls_max", into: &endedCallsMax)
        try members.take("ended_calls_ms", into: &endedCallsMS)
    }
}

extension ArbitrationPolicy.Limits: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        let standard = ArbitrationPolicy.Limits()
        writer.member("held_groups", heldGroups, default: standard.heldGroups)
        writer.member("ringing", ringing, default: standard.ringing)
        writer.member("dialing", dialing, default: standard.dialing)
        writer.member("calls_per_provider", callsPerProvider, default: standard.callsPerProvider)
        writer.member("calls", calls, default: standard.calls)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init()
        try members.take("held_groups", into: &heldGroups)
        try members.take("ringing", into: &ringing)
        try members.take("dialing", into: &dialing)
        try members.take("calls_per_provider", into: &callsPerProvider)
        try members.take("calls", into: &calls)
    }
}

extension ArbitrationPolicy.Deadlines: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        let standard = ArbitrationPolicy.Deadlines()
        writer.member("start", start, default: standard.start)
        writer.member("answer", answer, default: standard.answer)
        writer.member("end", end, default: standard.end)
        writer.member("set_held", setHeld, default: standard.setHeld)
        writer.member("set_muted", setMuted, default: standard.setMuted)
        writer.member("set_group", setGroup, default: standard.setGroup)
        writer.member("play_dtmf", playDTMF, default: standard.playDTMF)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init()
        try members.take("start", into: &start)
        try members.take("answer", into: &answer)
        try members.take("end", into: &end)
        try members.take("set_held", into: &setHeld)
        try members.take("set_muted", into: &setMuted)
        try members.take("set_group", into: &setGroup)
        try members.take("play_dtmf", into: &playDTMF)
    }
}
