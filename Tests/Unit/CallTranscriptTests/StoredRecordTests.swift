import CallModel
import Testing

@testable import CallArbitration
@testable import CallTranscript

/// The parts of a stored state. A property that is added to a record is noticed here if it is
/// forgotten in the random records (it does not vary), and then if it is not stored (what comes back
/// is another record).
struct StoredRecordTests {
    private func expectStored<Value: Storable & Equatable>(
        _ make: (inout RandomValues) -> Value, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var seen: [String: Set<String>] = [:]
        for seed in 1...200 {
            var values = RandomValues(seed: UInt64(seed))
            let value = make(&values)
            for child in Mirror(reflecting: value).children {
                seen[child.label ?? "?", default: []].insert("\(child.value)")
            }
            var writer = StateWriter()
            writer.write(value)
            var reader = StateReader(writer.bytes[...])
            #expect(try reader.read() as Value == value, sourceLocation: sourceLocation)
            #expect(reader.bytesLeft == 0, sourceLocation: sourceLocation)
        }
        // What is empty between two events, or follows from other records, is not stored.
        let dull = Set(seen.filter { $0.value.count < 2 }.keys)
            .subtracting(["publishedAt", "role", "isAwaitedEnd", "externals"])
        #expect(dull == [], "never vary", sourceLocation: sourceLocation)
    }

    @Test func `every record comes back as it was`() throws {
        try expectStored { $0.callRecord() }
        try expectStored { $0.groupRecord() }
        try expectStored { $0.muteChange() }
        try expectStored { $0.providerRecord() }
        try expectStored { $0.actionRecord() }
        try expectStored { $0.planRecord() }
        try expectStored { $0.waiting() }
        try expectStored { $0.planStep() }
        try expectStored { $0.planOffer() }
        try expectStored { $0.abandonedEntry() }
        try expectStored { $0.facts() }
        try expectStored { $0.policy() }
    }

    private func expectAll<Word: StoredWord & CaseIterable & Hashable>(
        _: Word.Type, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(Set(Word.stored) == Set(Word.allCases), sourceLocation: sourceLocation)
        #expect(Word.stored.count == Word.allCases.count, sourceLocation: sourceLocation)
    }

    @Test func `every word has one number`() {
        expectAll(Direction.self)
        expectAll(CallState.self)
        expectAll(PendingAction.self)
        expectAll(Priority.self)
        expectAll(EndReason.self)
        expectAll(ActionKind.self)
        expectAll(ActionState.self)
        expectAll(DTMFStyle.self)
        expectAll(Origin.self)
        expectAll(Rule.self)
        expectAll(RefusalReason.self)
        expectAll(AnswerChoice.self)
        expectAll(CallOptions.Conflict.self)
        expectAll(CallOptions.Wait.self)
        expectAll(ButtonPress.self)
        expectAll(ArbitrationPolicy.OnHoldFailure.self)
        expectAll(ArbitrationPolicy.OnCannotHold.self)
        expectAll(ArbitrationPolicy.DialWhileRinging.self)
        expectAll(ArbitrationPolicy.VideoFallback.self)
        expectAll(VideoDirection.self)
        expectAll(ArbitrationPolicy.ButtonActive.self)
        expectAll(ProviderRecord.Link.self)
        expectAll(PlanRecord.Step.Role.self)
        expectAll(PlanRecord.Offer.State.self)
    }

    // MARK: - The form stays

    @Test func `what version 2 stored of an action has no time of its early outcome`() throws {
        var values = RandomValues(seed: 7)
        var record = values.actionRecord()
        record.early = EarlyOutcome(.fulfilled)
        (record.failure, record.askedAt) = (nil, .zero)
        var writer = StateWriter()
        writer.write(record.id, record.call, record.callRecord, record.callSerial, record.provider)
        writer.write(
            record.providerID, record.action, record.isImplied, record.cause, record.transaction)
        writer.write(record.plan, record.deadlineMS, record.state, record.attempt, record.deadline)
        writer.write(record.latestDeadline, record.failure, record.isOffered, record.early?.state)
        var reader = StateReader(writer.bytes[...])
        reader.formVersion = 2
        #expect(try reader.read() as ActionRecord == record)
        #expect(reader.bytesLeft == 0)
    }

    @Test func `what version 3 stored of a call does not say when it was taken`() throws {
        var values = RandomValues(seed: 7)
        var record = values.callRecord()
        (record.takenAt, record.alertingAt) = (nil, nil)
        record.properties = formerly(record.properties)
        var writer = StateWriter()
        writer.write(record.id, record.provider, record.direction, record.serial)
        writer.write(record.group, record.state)
        write(formerly: record.properties, in: &writer)
        writer.write(record.createdAt)
        writer.write(
            record.ringingSince, record.ringDue, record.ringSerial, record.connectingAt,
            record.connectedAt)
        writer.write(
            record.pending, record.current, record.ending, record.endReason, record.endCause)
        writer.write(
            record.heldGroups, record.isSilenced, record.filteredBy, record.missed,
            record.isInIncoming)
        writer.write(
            record.isStartSilent, record.timers, record.isScreened, record.screeningToken,
            record.isUnconfirmed)
        writer.write(record.pendingChanges, record.revision, record.caller)
        var reader = StateReader(writer.bytes[...])
        reader.formVersion = 3
        #expect(try reader.read() as CallRecord == record)
        #expect(reader.bytesLeft == 0)
    }

    /// Properties as versions before 7 knew them.
    private func formerly(_ properties: CallProperties) -> CallProperties {
        var former = properties
        (former.hasEarlyMedia, former.line, former.forwardedFrom) = (false, nil, nil)
        (former.verification, former.externalID) = (.unverified, nil)
        (former.supportsTransfer, former.supportsAttendedTransfer) = (false, false)
        (former.supportsDeflect, former.endpoints) = (false, [])
        (former.elsewhere, former.supportsPull) = (nil, false)
        (former.supportsSetVideo, former.videoRequest) = (false, nil)
        (former.hasText, former.supportsSetText, former.textRequest) = (false, false, false)
        former.video = former.hasVideo ? .both : .off
        return former
    }

    /// What versions before 7 stored of properties.
    private func write(formerly properties: CallProperties, in writer: inout StateWriter) {
        writer.write(
            properties.remote, properties.displayName, properties.hasVideo,
            properties.supportsHolding, properties.supportsGrouping)
        writer.write(
            properties.supportsUngrouping, properties.supportsDTMF, properties.isRemoteHeld,
            properties.priority)
    }

    @Test func `what version 6 stored of properties has no early media`() throws {
        var values = RandomValues(seed: 7)
        let properties = formerly(values.properties())
        var writer = StateWriter()
        write(formerly: properties, in: &writer)
        var reader = StateReader(writer.bytes[...])
        reader.formVersion = 6
        #expect(try reader.read() as CallProperties == properties)
        #expect(reader.bytesLeft == 0)
    }

    @Test func `what version 6 stored of an update has no early media`() throws {
        var values = RandomValues(seed: 7)
        var update = values.update()
        (update.hasEarlyMedia, update.line) = (.unchanged, .unchanged)
        (update.forwardedFrom, update.verification, update.externalID) =
            (.unchanged, .unchanged, .unchanged)
        (update.supportsTransfer, update.supportsAttendedTransfer, update.supportsDeflect) =
            (.unchanged, .unchanged, .unchanged)
        (update.endpoints, update.elsewhere, update.supportsPull) =
            (.unchanged, .unchanged, .unchanged)
        (update.video, update.supportsSetVideo, update.videoRequest) =
            (.unchanged, .unchanged, .unchanged)
        (update.hasText, update.supportsSetText, update.textRequest) =
            (.unchanged, .unchanged, .unchanged)
        var writer = StateWriter()
        writer.write(
            update.remote, update.displayName, update.hasVideo, update.supportsHolding,
            update.supportsGrouping)
        writer.write(
            update.supportsUngrouping, update.supportsDTMF, update.isRemoteHeld, update.priority)
        var reader = StateReader(writer.bytes[...])
        reader.formVersion = 6
        #expect(try reader.read() as CallUpdate == update)
        #expect(reader.bytesLeft == 0)
    }

    @Test func `what version 6 stored of a failure has no code of its app`() throws {
        let failure = ActionFailure(code: -32_000, reason: "busy", message: "engaged")
        var writer = StateWriter()
        writer.write(failure.code, failure.reason, failure.message)
        var reader = StateReader(writer.bytes[...])
        reader.formVersion = 6
        #expect(try reader.read() as ActionFailure == failure)
        #expect(reader.bytesLeft == 0)
    }

    @Test func `an end without a detail is stored as ever, in every version`() throws {
        var (former, now) = (StateWriter(), StateWriter())
        former.write(UInt8(6), EndReason.remoteEnded)
        now.write(CallReport.News.ended(.remoteEnded))
        #expect(former.bytes == now.bytes)
    }

    @Test func `what version 4 stored of a group names no debt`() throws {
        var values = RandomValues(seed: 7)
        var record = values.groupRecord()
        (record.heldBecauseOf, record.isResumeOffered) = (nil, false)
        var writer = StateWriter()
        writer.write(record.provider, record.members, record.isMuted, record.isInHeldChain)
        writer.write(
            record.lastMember, record.heldFor, record.isBecomingLive, record.muteUnderWay)
        var reader = StateReader(writer.bytes[...])
        reader.formVersion = 4
        #expect(try reader.read() as GroupRecord == record)
        #expect(reader.bytesLeft == 0)
    }

    @Test func `what version 5 stored of an action has no words of its app and no age`() throws {
        var values = RandomValues(seed: 7)
        var record = values.actionRecord()
        record.failure = ActionFailure(code: -32_000, reason: "busy")
        record.askedAt = .zero
        var writer = StateWriter()
        writer.write(record.id, record.call, record.callRecord, record.callSerial, record.provider)
        writer.write(
            record.providerID, record.action, record.isImplied, record.cause, record.transaction)
        writer.write(record.plan, record.deadlineMS, record.state, record.attempt, record.deadline)
        writer.write(record.latestDeadline, true, -32_000, "busy", record.isOffered)
        writer.write(record.early?.state, record.early?.at)
        var reader = StateReader(writer.bytes[...])
        reader.formVersion = 5
        #expect(try reader.read() as ActionRecord == record)
        #expect(reader.bytesLeft == 0)
    }

    @Test func `a failure without a sentence is stored as ever, in every version`() throws {
        let event = ArbiterEvent.actionFailed(
            ActionID(UUIDBits(high: 1, low: 2)), by: ProviderID("a"),
            ActionFailure(code: 3, reason: "busy"))
        var (former, now) = (StateWriter(), StateWriter())
        former.write(UInt8(17), ActionID(UUIDBits(high: 1, low: 2)), ProviderID("a"), 3, "busy")
        now.write(event)
        #expect(former.bytes == now.bytes)
    }

    @Test func `form 1 of the policy is read`() throws {
        var policy = ArbitrationPolicy()
        (policy.onHoldFailure, policy.buttonActive, policy.endedCallsMS) = (.end, .mute, 7)
        var writer = StateWriter()
        writer.write(
            policy.onHoldFailure, policy.onCannotHold, policy.resumeAfterUserEnd,
            policy.resumeAfterRemoteEnd)
        writer.write(
            policy.buttonActive, policy.allowsEmergency, policy.limits, policy.deadlines,
            policy.extensionPercentMax)
        writer.write(
            policy.ringTimeoutMS, policy.dialTimeoutMS, policy.startSilenceMS, policy.endingWaitMS,
            policy.offerMS)
        writer.write(
            policy.graceMS, policy.separateAppGraceMS, policy.restartGraceMS, policy.screeningMS)
        writer.write(policy.emergencyCallbackMS, policy.shortRingMS, policy.reportAgeMS)
        writer.write(policy.endedCallsMax, policy.endedCallsMS)
        var reader = StateReader(writer.bytes[...])
        #expect(try reader.read() as ArbitrationPolicy == policy)
        #expect(reader.bytesLeft == 0)
    }

    @Test func `a form of the policy that is newer than this broker is not read`() {
        var reader = StateReader([0xFF, 0, 0, 0][...])
        #expect(throws: StateError.self) { try reader.read() as ArbitrationPolicy }
    }

    /// FNV-1a.
    private func digest(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    /// If one of these differs, what was stored by earlier brokers reads as something else: the
    /// version has to change with them. Only a new case at the end of its list, or new random values,
    /// are no new form.
    @Test func `what was stored in this version can be read for ever`() {
        var (events, records) = (StateWriter(), StateWriter())
        for seed in 1...50 {
            var values = RandomValues(seed: UInt64(seed))
            for kind in EventKind.allCases { events.write(values.event(kind), at: .zero) }
            records.write(values.callRecord(), values.groupRecord(), values.providerRecord())
            records.write(values.actionRecord(), values.planRecord())
        }
        #expect(StateWriter.formVersion == 7)
        #expect(digest(events.bytes) == 1_542_041_713_168_239_613)
        #expect(digest(records.bytes) == 2_304_741_719_609_725_851)
        #expect(digest(Arbiter(lineage: 1).stored()) == 14_964_346_768_940_700_341)
    }
}
