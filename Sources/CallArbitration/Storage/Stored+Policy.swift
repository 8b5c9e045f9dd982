/// The policy is also stored in events and among the user's choices, where no version is known:
/// therefore it is stored with a form of its own.
extension ArbitrationPolicy: Storable {
    /// The number from which the byte in front counts the form. Form 1 has no such byte, and begins
    /// with a word, whose number is smaller.
    private static let formsFrom: UInt8 = 0xF0
    /// The current form. Form 2 added `dialWhileRinging` and `busyInCall`, form 3
    /// the deadlines of transfers, endpoints and video, `priorityClaims`, and the members of video.
    private static let form: UInt8 = 3

    package func store(in writer: inout StateWriter) {
        writer.put(byte: Self.formsFrom + Self.form)
        writer.write(onHoldFailure, onCannotHold, resumeAfterUserEnd, resumeAfterRemoteEnd)
        writer.write(buttonActive, allowsEmergency, limits, deadlines, extensionPercentMax)
        writer.write(ringTimeoutMS, dialTimeoutMS, startSilenceMS, endingWaitMS, offerMS)
        writer.write(graceMS, separateAppGraceMS, restartGraceMS, screeningMS)
        writer.write(emergencyCallbackMS, shortRingMS, reportAgeMS)
        writer.write(endedCallsMax, endedCallsMS)
        writer.write(dialWhileRinging, busyInCall)
        writer.write(deadlines.transfer, deadlines.attendedTransfer, deadlines.deflect)
        writer.write(deadlines.setEndpoint)
        writer.write(priorityClaims)
        writer.write(videoFallback, deadlines.setVideo, videoRequestMS, deadlines.setText)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init()
        let first = try reader.takeByte()
        let form = first > Self.formsFrom ? first - Self.formsFrom : 1
        guard form <= Self.form else {
            throw reader.unexpected(UInt64(form), expected: "a form of the policy")
        }
        onHoldFailure =
            form == 1 ? try OnHoldFailure(stored: first, from: reader) : try reader.read()
        onCannotHold = try reader.read()
        resumeAfterUserEnd = try reader.read()
        resumeAfterRemoteEnd = try reader.read()
        buttonActive = try reader.read()
        allowsEmergency = try reader.read()
        limits = try reader.read()
        deadlines = try reader.read()
        extensionPercentMax = try reader.read()
        ringTimeoutMS = try reader.read()
        dialTimeoutMS = try reader.read()
        startSilenceMS = try reader.read()
        endingWaitMS = try reader.read()
        offerMS = try reader.read()
        graceMS = try reader.read()
        separateAppGraceMS = try reader.read()
        restartGraceMS = try reader.read()
        screeningMS = try reader.read()
        emergencyCallbackMS = try reader.read()
        shortRingMS = try reader.read()
        reportAgeMS = try reader.read()
        endedCallsMax = try reader.read()
        endedCallsMS = try reader.read()
        guard form >= 2 else { return }
        dialWhileRinging = try reader.read()
        busyInCall = try reader.read()
        if form >= 3 { try readAdditions(of: &reader) }
    }

    /// Reads what form 3 has in addition.
    private mutating func readAdditions(of reader: inout StateReader) throws(StateError) {
        deadlines.transfer = try reader.read()
        deadlines.attendedTransfer = try reader.read()
        deadlines.deflect = try reader.read()
        deadlines.setEndpoint = try reader.read()
        priorityClaims = try reader.read()
        videoFallback = try reader.read()
        deadlines.setVideo = try reader.read()
        videoRequestMS = try reader.read()
        deadlines.setText = try reader.read()
    }
}

extension ArbitrationPolicy.Limits: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(heldGroups, ringing, dialing, callsPerProvider, calls)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init()
        heldGroups = try reader.read()
        ringing = try reader.read()
        dialing = try reader.read()
        callsPerProvider = try reader.read()
        calls = try reader.read()
    }
}

extension ArbitrationPolicy.Deadlines: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(start, answer, end, setHeld)
        writer.write(setMuted, setGroup, playDTMF)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init()
        start = try reader.read()
        answer = try reader.read()
        end = try reader.read()
        setHeld = try reader.read()
        setMuted = try reader.read()
        setGroup = try reader.read()
        playDTMF = try reader.read()
    }
}
