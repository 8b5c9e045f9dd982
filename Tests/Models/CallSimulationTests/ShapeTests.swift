import CallModel
import Testing

@testable import CallArbitration
@testable import CallSimulation

/// `hashStructure` takes every property of the records into account, apart from those left out here:
/// times, ids, counters, and what follows from the rest. Whoever adds a property decides there, and
/// then writes it down here.
struct ShapeTests {
    /// An arbiter with a call, its group, and a start under way.
    private let arbiter: Arbiter = {
        var scene = Scene(checks: Checks())
        scene.make(.come(Doctored.call(1)))
        return scene.bench.arbiter
    }()

    private func check(_ record: Any, in shape: String, leftOut: String) {
        let labels = Mirror(reflecting: record).children.compactMap(\.label)
        let known = (shape + " " + leftOut).split(separator: " ").map(String.init)
        #expect(Set(labels) == Set(known))
        #expect(labels.count == known.count)
    }

    @Test func `calls`() {
        check(
            arbiter.calls[arbiter.calls.all[0]],
            in: """
                id provider direction group state properties caller ringingSince ringDue \
                connectedAt pending current ending endReason endCause heldGroups isSilenced \
                filteredBy missed isInIncoming isStartSilent timers isScreened screeningToken isUnconfirmed
                """,
            leftOut:
                "serial createdAt ringSerial alertingAt connectingAt takenAt pendingChanges publishedAt revision"
        )
    }

    @Test func `groups`() {
        check(
            arbiter.groups[arbiter.groups.all[0]],
            in: """
                members isMuted isInHeldChain heldBecauseOf heldFor isResumeOffered isBecomingLive \
                muteUnderWay
                """,
            leftOut: "provider lastMember")
    }

    @Test func `providers`() {
        check(
            arbiter.providers[arbiter.providers.all[0]],
            in: "id configuration link hasGrace screened queue detached",
            leftOut: "calls groupCount performing externals")
    }

    @Test func `actions`() {
        check(
            arbiter.actions[arbiter.actions.all[0]],
            in:
                "call providerID action isImplied cause plan state deadline failure isOffered early",
            leftOut:
                "id callRecord callSerial provider transaction role isAwaitedEnd deadlineMS askedAt attempt latestDeadline"
        )
    }

    @Test func `plans`() {
        check(
            arbiter.plans[arbiter.plans.all[0]],
            in: """
                requester waiting cause actions steps cursor refusal target isDone choice hasHeld \
                offers isWaitTimed wantsRoom deadlineMS
                """,
            leftOut: "id")
    }

    @Test func `the tables`() {
        check(arbiter.calls, in: "records list", leftOut: "links lastSerial slots externals")
        check(
            arbiter.groups, in: "records held",
            leftOut: "memberLinks heldLinks debtLinks owed owedLinks")
        check(arbiter.providers, in: "records", leftOut: "callLinks slots")
        check(arbiter.actions, in: "records", leftOut: "slots earlySettled")
        check(arbiter.plans, in: "records waitingForEnd", leftOut: "")
        check(
            arbiter.incoming, in: "list screenedCount", leftOut: "links lastRingSerial ringing")
        check(arbiter.emergencies, in: "calls callbackProviders", leftOut: "")
    }

    @Test func `the arbiter`() {
        check(
            arbiter,
            in: "calls groups providers actions plans incoming emergencies live audio reservation",
            leftOut: "policy now ids memory lastEnd output")
    }
}
