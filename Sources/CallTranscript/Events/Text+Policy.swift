internal import CallArbitration

/// Limits and choices of a host; each is omitted if it is the default.

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
        writer.member("priority_claims", priorityClaims, default: standard.priorityClaims)
        writer.member("video_fallback", videoFallback, default: standard.videoFallback)
        writer.member("limits", limits, default: standard.limits)
        writer.member("deadlines", deadlines, default: standard.deadlines)
        writer.member(
            "extension_percent_max", extensionPercentMax, default: standard.extensionPercentMax)
        writer.member("ring_timeout_ms", ringTimeoutMS, default: standard.ringTimeoutMS)
        writer.member("dial_timeout_ms", dialTimeoutMS, default: standard.dialTimeoutMS)
        writer.member("start_silence_ms", startSilenceMS, default: standard.startSilenceMS)
        writer.member("ending_wait_ms", endingWaitMS, default: standard.endingWaitMS)
        writer.member("offer_ms", offerMS, default: standard.offerMS)
        writer.member("video_request_ms", videoRequestMS, default: standard.videoRequestMS)
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
        try members.read("on_hold_failure", into: &onHoldFailure)
        try members.read("on_cannot_hold", into: &onCannotHold)
        try members.read("resume_after_user_end", into: &resumeAfterUserEnd)
        try members.read("resume_after_remote_end", into: &resumeAfterRemoteEnd)
        try members.read("busy_in_call", into: &busyInCall)
        try members.read("dial_while_ringing", into: &dialWhileRinging)
        try members.read("button_active", into: &buttonActive)
        try members.read("video_fallback", into: &videoFallback)
        try members.read("video_request_ms", into: &videoRequestMS)
        try members.read("allows_emergency", into: &allowsEmergency)
        try members.read("priority_claims", into: &priorityClaims)
        try members.read("limits", into: &limits)
        try members.read("deadlines", into: &deadlines)
        try members.read("extension_percent_max", into: &extensionPercentMax)
        try members.read("ring_timeout_ms", into: &ringTimeoutMS)
        try members.read("dial_timeout_ms", into: &dialTimeoutMS)
        try members.read("start_silence_ms", into: &startSilenceMS)
        try members.read("ending_wait_ms", into: &endingWaitMS)
        try members.read("offer_ms", into: &offerMS)
        try members.read("grace_ms", into: &graceMS)
        try members.read("separate_app_grace_ms", into: &separateAppGraceMS)
        try members.read("restart_grace_ms", into: &restartGraceMS)
        try members.read("screening_ms", into: &screeningMS)
        try members.read("emergency_callback_ms", into: &emergencyCallbackMS)
        try members.read("short_ring_ms", into: &shortRingMS)
        try members.read("report_age_ms", into: &reportAgeMS)
        try members.read("ended_calls_max", into: &endedCallsMax)
        try members.read("ended_calls_ms", into: &endedCallsMS)
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
        try members.read("held_groups", into: &heldGroups)
        try members.read("ringing", into: &ringing)
        try members.read("dialing", into: &dialing)
        try members.read("calls_per_provider", into: &callsPerProvider)
        try members.read("calls", into: &calls)
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
        writer.member("set_endpoint", setEndpoint, default: standard.setEndpoint)
        writer.member("set_video", setVideo, default: standard.setVideo)
        writer.member("set_text", setText, default: standard.setText)
        writer.member("transfer", transfer, default: standard.transfer)
        writer.member("attended_transfer", attendedTransfer, default: standard.attendedTransfer)
        writer.member("deflect", deflect, default: standard.deflect)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init()
        try members.read("start", into: &start)
        try members.read("answer", into: &answer)
        try members.read("end", into: &end)
        try members.read("set_held", into: &setHeld)
        try members.read("set_muted", into: &setMuted)
        try members.read("set_group", into: &setGroup)
        try members.read("play_dtmf", into: &playDTMF)
        try members.read("set_endpoint", into: &setEndpoint)
        try members.read("set_video", into: &setVideo)
        try members.read("set_text", into: &setText)
        try members.read("transfer", into: &transfer)
        try members.read("attended_transfer", into: &attendedTransfer)
        try members.read("deflect", into: &deflect)
    }
}
